/** What a deployed learn node has learned, for its dialog. */
export interface LearnView<Said = string> {
	readonly timezone: string | null;
	readonly facts: {
		readonly isKnown: boolean;
		/** Epoch ms of the last reading, 0 before the first. */
		readonly readUntil: number;
		/** Dates that have taught. */
		readonly days: number;
		readonly percent: number;
		readonly limit_w: number | null;
		/** Of 30 days, percent. */
		readonly error: number | null;
		readonly rawError: number | null;
	};
	/** Each meter that has been read: the site's first. */
	readonly meters: readonly {
		/** Null = the whole site. */
		readonly string_id: string | null;
		readonly points: readonly {
			/** Degrees clockwise from north, and above the horizon. */
			readonly azimuth: number;
			readonly elevation: number;
			readonly factor: number;
			/** Days, by weight, that have taught it. */
			readonly days: number;
		}[];
	}[];
	/** The latest first. */
	readonly notes: readonly {
		readonly string_id: string | null;
		readonly last: number;
		readonly text: Said;
	}[];
}
