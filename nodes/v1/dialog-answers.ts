import type { V1Parameter } from "../../src/v1/parameters";

/** The table from which the dialog makes its form. */
export interface V1Table {
	readonly groups: readonly string[];
	readonly parameters: readonly V1Parameter[];
	/** V1's last day, UTC, and whether it is over. */
	readonly end: { readonly lastDay: string; readonly isOver: boolean };
}

/** What is wrong, missing and doubtful about a set of parameters. */
export interface V1Findings<Said = string> {
	readonly missing: readonly string[];
	readonly problems: readonly Said[];
	readonly warnings: readonly Said[];
}

/** The site that came of a move; or, on a plan without the Sites API, what the service said. */
export interface V1Creation<Said = string> {
	readonly site_id?: string;
	readonly name?: string | null;
	readonly strings?: readonly object[];
	/** What the service did that was not asked for. */
	readonly notes?: readonly Said[];
	readonly plan?: Said;
}
