import type { Text } from "../../../texts/texts";
import { inputError } from "../../errors/solar-yield-error";
import type { Site } from "./site";

/** Scope of each operation: all sites, one site, or one that must be named explicitly. */
const OPERATIONS = {
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

/** Whether an operation is about one site. */
export const isAboutSite = (operation: SiteOperation) =>
	OPERATIONS[operation] !== "all";

/** A request as node and message give it; nothing of it is checked yet. */
export interface SiteRequest {
	readonly operation: SiteOperation;
	/** The site that node or message names. */
	readonly siteId?: string | undefined;
	/** The account's default site, which does not count for what cannot be undone. */
	readonly defaultSiteId?: string | undefined;
	/** The site, the change, or the string. */
	readonly body?: unknown;
	/** Id of the string, where the body does not name it. */
	readonly stringId?: unknown;
	/** Whether an update may drop strings. */
	readonly removeStrings?: boolean;
}

/** Result of an operation. */
export interface SiteResult {
	/** The site as it is now; undefined for `list`. */
	readonly site?: Site;
	/** `list`: all sites of the account. */
	readonly sites?: readonly Site[];
	/** `delete`: epoch ms until which `restore` is possible; null when the service does not say when the site was deleted. */
	readonly restoreUntil?: number | null;
	/** `add-string`: id of the new string. */
	readonly stringId?: string;
	/** Hints for the user, each a sentence. */
	readonly notes: readonly Text[];
}

/**
 * The site that an operation is about.
 *
 * @throws SolarYieldError `INPUT` when none is named, or not as plainly as it must be
 */
export function siteIdOf({
	operation,
	siteId,
	defaultSiteId,
}: SiteRequest): string {
	if (siteId !== undefined) return siteId;
	if (OPERATIONS[operation] === "explicit") {
		throw inputError("sites.site_outright", { operation });
	}
	if (defaultSiteId === undefined) {
		throw inputError("sites.site_missing");
	}
	return defaultSiteId;
}
