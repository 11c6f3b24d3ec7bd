import { DateTime } from "luxon";
import { QUARTER_MS } from "../util/time";
import {
	FREE_GROUPS,
	isoText,
	type RowsWanted,
	rowsOf,
	type System,
} from "./answer-rows";

/** Bounds, days: of a forecast, of its past, of a history. */
const MOST = { ahead: 7, past: 30, history: 366 };
const GROUPS: readonly string[] = [...FREE_GROUPS, "variability"];
const UNITS = { d: "days", m: "months", y: "years" } as const;

/** Added where no strings are given (spec V2, "String", rule 2). */
export const DEFAULT_STRING = { slope: 30, orientation: 180, power_kw: 10 };

/** An answer other than 2xx. */
export class Refusal extends Error {
	constructor(
		readonly status: number,
		message: string,
	) {
		super(message);
	}
}

/** A stored site, or a system in a body, which has no id. */
type Asked = Omit<System, "strings"> & {
	readonly id?: string;
	readonly strings?: System["strings"] | null | undefined;
};

/** The IANA zone of a point, as far as a demo needs it: Berlin's in the middle of Europe, elsewhere by longitude. */
export function demoZone({ latitude, longitude }: Asked): string {
	if (latitude > 36 && latitude < 71 && longitude > -5 && longitude < 20)
		return "Europe/Berlin";
	// The signs of these names are the wrong way round.
	const hours = -Math.round(longitude / 15);
	return `Etc/GMT${hours < 0 ? "" : "+"}${hours}`;
}

/** A forecast (spec V2, "GET /v2/forecast/{site_id}"): of a site a new one each quarter of an hour, of a body at once. */
export function demoForecast(
	asked: Asked,
	query: URLSearchParams,
	now: number,
): object {
	const slot = now - (now % QUARTER_MS);
	const isStored = asked.id !== undefined;
	const today = DateTime.fromMillis(now, { zone: demoZone(asked) });
	const days = (name: string, none: number, most: number) =>
		Math.min(Number(query.get(name) ?? none), most);
	return answerOf(asked, query, isStored ? slot : now, {
		issued: slot,
		first: today.minus({ days: days("past_days", 0, MOST.past) }),
		last: today.plus({ days: days("forecast_days", MOST.ahead, MOST.ahead) }),
		...(isStored && { next: slot + QUARTER_MS }),
	});
}

/** What happened from `start_date` to `end_date`, or in the `period` that ends today. */
export function demoHistory(
	asked: Asked,
	query: URLSearchParams,
	now: number,
): object {
	const zone = demoZone(asked);
	const today = DateTime.fromMillis(now, { zone });
	const [, count, unit] =
		/^(\d{1,4})([dmy])$/.exec(query.get("period") ?? "") ?? [];
	const [first, last] = unit
		? [
				today
					.minus({ [UNITS[unit as keyof typeof UNITS]]: Number(count) })
					.plus({ days: 1 }),
				today,
			]
		: (["start_date", "end_date"].map((name) =>
				DateTime.fromISO(query.get(name) ?? "", { zone }),
			) as [DateTime, DateTime]);
	const days = last.diff(first, "days").days;
	if (!(first <= today && days >= 0 && days < MOST.history))
		throw new Refusal(
			422,
			`Give start_date and end_date, or period: up to ${MOST.history} days, not of the future`,
		);
	return answerOf(asked, query, now, { issued: null, until: now, first, last });
}

function answerOf(
	asked: Asked,
	query: URLSearchParams,
	computed: number,
	{ next, ...rows }: Omit<RowsWanted, "utc" | "groups"> & { next?: number },
): object {
	const utc = query.get("timezone") === "utc";
	const timezone = demoZone(asked);
	const stamp = (at: number) => isoText(at, utc ? "utc" : timezone);
	const include = query.getAll("include");
	const unknown = include.find((name) => ![...GROUPS, "all"].includes(name));
	if (unknown !== undefined)
		throw new Refusal(422, `include: there is no group ${unknown}`);
	const groups = new Set(
		include.length === 0
			? ["default"]
			: include.flatMap((name) => (name === "all" ? FREE_GROUPS : [name])),
	);
	const system = { ...asked, strings: asked.strings ?? [DEFAULT_STRING] };
	return {
		...(asked.id !== undefined && { site_id: asked.id }),
		timezone,
		computed_at: stamp(computed),
		...(next !== undefined && { next_poll_at: stamp(next) }),
		included: [...groups].sort(),
		available: GROUPS,
		...rowsOf(system, { ...rows, utc, groups }),
	};
}
