import type { V1Endpoint } from "../../src/v1/endpoints";
import type { V1Parameter } from "../../src/v1/parameters";

/** The table from which the dialog makes its form. */
export interface V1Table {
	readonly endpoints: readonly V1Endpoint[];
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
export type V1Creation<Said = string> =
	| {
			readonly site_id: string;
			readonly name: string | null;
			readonly strings: readonly object[];
			/** Strings that the service had added by itself and that were taken out again. */
			readonly removed: number;
			readonly plan?: undefined;
	  }
	| { readonly plan: Said };

/** The V2 site of a set of parameters, and what becomes of each. */
export interface V1MoveAnswer {
	readonly site: {
		readonly latitude: number;
		readonly longitude: number;
		readonly strings: readonly object[];
		readonly config?: Readonly<Record<string, object>>;
	};
	readonly report: readonly {
		readonly parameter: string;
		readonly value: unknown;
		readonly result: "carried" | "default" | "none";
		readonly note: string;
	}[];
}
