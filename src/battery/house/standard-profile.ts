import type { Zone } from "../../util/zone";

/**
 * The default load: shape of the standard load profile for households, H0.
 *
 * Source: "Repräsentative VDEW-Lastprofile" (VDEW, 1999), published by BDEW
 * among the "Standardlastprofile Strom"; it is what the spec's demand profile
 * `h0` names. The 96 quarter-hour values per type of day stand here as means of
 * clock hours, in W for a yearly consumption of 1000 kWh. Only the shape within
 * a season counts: the level is the user's.
 */
const H0: Readonly<
	Record<Season, Readonly<Record<DayType, readonly number[]>>>
> = {
	winter: {
		workday: [
			58, 43, 40, 39, 39, 47, 90, 129, 134, 123, 116, 118, 131, 130, 115, 105,
			105, 129, 166, 187, 168, 141, 117, 86,
		],
		saturday: [
			67, 53, 42, 40, 38, 40, 53, 82, 120, 142, 148, 155, 167, 166, 153, 144,
			145, 180, 209, 210, 172, 134, 122, 104,
		],
		sunday: [
			78, 56, 45, 41, 39, 39, 41, 50, 89, 138, 174, 203, 207, 173, 136, 117,
			107, 126, 156, 176, 160, 136, 115, 85,
		],
	},
	summer: {
		workday: [
			74, 55, 50, 47, 49, 59, 98, 130, 142, 144, 139, 142, 158, 153, 132, 119,
			115, 122, 142, 165, 167, 158, 145, 112,
		],
		saturday: [
			83, 64, 52, 50, 50, 52, 64, 93, 128, 156, 165, 171, 182, 176, 157, 148,
			145, 149, 166, 180, 173, 154, 149, 125,
		],
		sunday: [
			90, 67, 54, 51, 50, 49, 51, 69, 112, 160, 187, 206, 209, 175, 144, 124,
			108, 110, 127, 152, 159, 151, 140, 108,
		],
	},
	transition: {
		workday: [
			67, 49, 44, 43, 44, 53, 93, 130, 137, 136, 132, 133, 150, 146, 127, 113,
			106, 116, 145, 172, 168, 156, 136, 100,
		],
		saturday: [
			73, 56, 46, 44, 43, 45, 59, 93, 130, 150, 163, 172, 181, 177, 161, 149,
			147, 159, 183, 198, 180, 147, 139, 117,
		],
		sunday: [
			84, 62, 49, 44, 43, 43, 46, 66, 111, 160, 185, 205, 208, 169, 136, 121,
			107, 112, 138, 161, 155, 144, 128, 94,
		],
	},
};

type Season = "winter" | "summer" | "transition";
type DayType = "workday" | "saturday" | "sunday";

/** What the site's wall clock and calendar show at an instant. */
export interface LocalTime {
	/** 0 to 23 */
	readonly hour: number;
	/** 1 Monday to 7 Sunday */
	readonly weekday: number;
	/** 1 to 12 */
	readonly month: number;
	/** Day of the month, 1 to 31 */
	readonly day: number;
}

/** The clock and calendar of a zone at an instant, epoch ms. */
export function localTime(zone: Zone, instant: number): LocalTime {
	// The wall clock read as if it were UTC: no zone of the process comes in.
	const date = new Date(zone.wallClock(instant));
	return {
		hour: date.getUTCHours(),
		weekday: date.getUTCDay() || 7,
		month: date.getUTCMonth() + 1,
		day: date.getUTCDate(),
	};
}

/** Summer is 15 May to 14 September, winter 1 November to 20 March. */
function seasonOf({ month, day }: LocalTime): Season {
	const date = month * 100 + day;
	if (date >= 515 && date <= 914) return "summer";
	return date >= 1101 || date <= 320 ? "winter" : "transition";
}

/** The profile counts 24 and 31 December as Saturdays. Public holidays differ by place and are not known. */
function dayTypeOf({ month, day, weekday }: LocalTime): DayType {
	if (weekday === 7) return "sunday";
	return weekday === 6 || (month === 12 && (day === 24 || day === 31))
		? "saturday"
		: "workday";
}

const sum = (values: readonly number[]) =>
	values.reduce((total, value) => total + value, 0);

/** Mean of an ordinary week, which makes an average day. */
const weekMean = ({ workday, saturday, sunday }: (typeof H0)[Season]) =>
	(5 * sum(workday) + sum(saturday) + sum(sunday)) / (7 * 24);

const MEAN: Readonly<Record<Season, number>> = {
	winter: weekMean(H0.winter),
	summer: weekMean(H0.summer),
	transition: weekMean(H0.transition),
};

/**
 * Load of an average household in W at a local time, by H0.
 *
 * @param loadKwhPerDay mean consumption of a day over an ordinary week of the
 * season at hand; on a day of 23 or 25 hours the hours of the clock decide
 */
export function profilePower(local: LocalTime, loadKwhPerDay: number): number {
	const season = seasonOf(local);
	const shape = H0[season][dayTypeOf(local)][local.hour] as number;
	return ((loadKwhPerDay * 1000) / 24) * (shape / MEAN[season]);
}
