/** What the editor shows of all deployed accounts without opening one. */
export interface AccountsInEditor {
	/** Ids of those that have a key. */
	readonly keys: readonly string[];
	/** Names by id. */
	readonly site_names: Readonly<Record<string, string>>;
}
