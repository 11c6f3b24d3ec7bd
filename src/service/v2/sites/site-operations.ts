/** Whether an operation is about one site, and whether its id must be said outright. */
export const OPERATIONS = {
	list: "all",
	get: "one",
	create: "all",
	update: "one",
	delete: "explicit",
	restore: "explicit",
	"add-string": "one",
	"update-string": "one",
	"remove-string": "explicit",
} as const;

export type SiteOperation = keyof typeof OPERATIONS;
export const SITE_OPERATIONS = Object.keys(OPERATIONS) as SiteOperation[];
