/** Durations in ms, as tests write them. */
export {
	DAY_MS as DAY,
	HOUR_MS as HOUR,
	MINUTE_MS as MINUTE,
	QUARTER_MS as QUARTER,
	SECOND_MS as SECOND,
} from "../../src/util/time";
