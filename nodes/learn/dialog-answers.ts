import type { Note } from "../../src/learn/learn-state";

/** What a deployed learn node has learned, for the pictures of its dialog. */
export interface LearnView<Said = string> {
	readonly timezone: string | null;
	readonly facts: {
		readonly phase: "no_forecast" | "no_readings" | "learning" | "correcting";
		/** Dates that have taught. */
		readonly days: number;
		readonly correction_percent: number | null;
		/** Of 30 days. */
		readonly error_percent: number | null;
		readonly raw_error_percent: number | null;
		/** Epoch ms. */
		readonly read_until: number | null;
	};
	/** Each meter that has been read: the site's first. */
	readonly meters: readonly {
		/** Null = the whole site. */
		readonly string_id: string | null;
		readonly map: {
			/** Degrees between two points. */
			readonly azimuth_step: number;
			readonly elevation_step: number;
			readonly points: readonly {
				readonly azimuth: number;
				readonly elevation: number;
				readonly factor: number;
				/** Days, by weight, that have taught it. */
				readonly days: number;
			}[];
		};
		/** Quarter hours of today, W. */
		readonly curve: readonly {
			/** Epoch ms. */
			readonly start: number;
			readonly raw_w: number | null;
			readonly corrected_w: number | null;
			readonly measured_w: number | null;
		}[];
	}[];
	/** The latest first. */
	readonly notes: readonly (Note & { readonly text: Said })[];
}
