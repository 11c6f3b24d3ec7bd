import { DateTime } from "luxon";
import {
	FREE_GROUPS,
	isoText,
	type RowsWanted,
	rowsOf,
	type SentRow,
} from "../../../src/simulator/answer-rows";
import { sunAt } from "../../../src/simulator/power";
import { DAY_MS, HOUR_MS, MINUTE_MS, QUARTER_MS } from "../../../src/util/time";
import { invalid } from "./errors";
import type { Plan } from "./plans";
import {
	DEFAULT_STRING,
	type SiteBody,
	type StoredSite,
	timezoneOf,
} from "./sites";
import type { Variants } from "./variants";

/** Hard limits, days: of a forecast, of its past, of a history. */
const MOST = { ahead: 7, past: 30, history: 366 };
/** `next_poll_at` of plans with more than 96 updates a day is at least so far ahead. */
const DENSE = { updates: 96, pollMs: 15 * MINUTE_MS };
const UNITS: Readonly<Record<string, string>> = {
	d: "days",
	m: "months",
	y: "years",
};

/** A request for rows. */
export interface Asked {
	readonly site: StoredSite | SiteBody;
	readonly plan: Plan;
	readonly query: URLSearchParams;
	readonly now: number;
	readonly variants: Variants;
	/** Counts the request, or refuses it; called once all else is well. */
	readonly admit: (groups: ReadonlySet<string>) => void;
}

/** The forecast of this slot, unless site or plan have changed since; a system without a site gets its own. */
export function forecastOf(asked: Asked): object {
	const { site, plan, query, now } = asked;
	const ahead = daysOf(query, "forecast_days") ?? plan.forecastDays;
	const past = daysOf(query, "past_days") ?? 0;
	const { groups, utc } = formOf(query);
	asked.admit(groups);
	const zone = timezoneOf(site);
	const slot = slotAt(zone, plan.updatesPerDay, now);
	const second = Math.floor(now / 1000) * 1000;
	let computed = { at: second, slot: second };
	let next: number | undefined;
	if ("id" in site) {
		const known = site.computed;
		computed =
			known?.slot === slot.start && known.plan === plan
				? known
				: { at: second, slot: slot.start };
		site.computed = { ...computed, plan };
		const dense = plan.updatesPerDay > DENSE.updates ? now + DENSE.pollMs : 0;
		next = Math.ceil(Math.max(slot.next, dense) / 1000) * 1000;
	}
	const today = DateTime.fromMillis(computed.at, { zone });
	return answerOf(asked, computed.at, next, {
		groups,
		utc,
		issued: computed.slot,
		first: today.minus({ days: Math.min(past, MOST.past, plan.pastDays) }),
		last: today.plus({
			days: Math.min(ahead, MOST.ahead, plan.forecastDays),
		}),
	});
}

/** What happened, up to the last quarter hour that has ended: from `start_date` to `end_date`, or in a `period` that ends today. */
export function historyOf(asked: Asked): object {
	const { query, now } = asked;
	const zone = timezoneOf(asked.site);
	const today = DateTime.fromMillis(now, { zone }).startOf("day");
	const day = (name: string) => {
		const date = DateTime.fromISO(query.get(name) ?? "", { zone });
		if (!date.isValid)
			throw invalid(["query", name], "Should be a date, YYYY-MM-DD");
		return date;
	};
	const period = query.get("period");
	const [, count, unit = ""] =
		/^([1-9]\d{0,3})([dmy])$/.exec(period ?? "") ?? [];
	const hasDates = query.has("start_date") || query.has("end_date");
	if (period !== null && (!count || hasDates))
		throw invalid(["query", "period"], "Should be like 7d, without dates");
	const [first, last] = count
		? [
				today
					.minus({ [UNITS[unit] as string]: Number(count) })
					.plus({ days: 1 }),
				today,
			]
		: [day("start_date"), day("end_date")];
	const days = last.diff(first, "days").days;
	if (days < 0 || days >= MOST.history || first > today)
		throw invalid(
			["query", days < 0 ? "end_date" : "start_date"],
			`At most ${MOST.history} days, none of them in the future`,
		);
	const { groups, utc } = formOf(query);
	asked.admit(groups);
	return answerOf(asked, Math.floor(now / 1000) * 1000, undefined, {
		groups,
		utc,
		issued: null,
		until: now,
		first,
		last,
	});
}

/** A number of days, or null when not given. */
function daysOf(query: URLSearchParams, name: string): number | null {
	const text = query.get(name);
	if (text === null) return null;
	if (!/^\d{1,9}$/.test(text))
		throw invalid(["query", name], "Should be an integer of 0 or more");
	return Number(text);
}

/** The groups that `include` stands for (spec, Endpoints, rules 1 and 2), and how stamps are written. */
function formOf(query: URLSearchParams): {
	groups: ReadonlySet<string>;
	utc: boolean;
} {
	const known: readonly string[] = [...FREE_GROUPS, "variability", "all"];
	const include = query.getAll("include");
	const wrong = include.findIndex((name) => !known.includes(name));
	if (wrong >= 0)
		throw invalid(
			["query", "include", wrong],
			`Should be one of ${known.join(", ")}`,
		);
	const zone = query.get("timezone") ?? "local";
	if (zone !== "local" && zone !== "utc")
		throw invalid(["query", "timezone"], "Should be local or utc");
	return {
		groups: new Set(
			include.length === 0
				? ["default"]
				: include.flatMap((name) => (name === "all" ? FREE_GROUPS : [name])),
		),
		utc: zone === "utc",
	};
}

/**
 * The slot that holds an instant, from site-local midnight (spec, Endpoints, rule
 * 6). Steps of an hour or less run on evenly through a clock change; longer ones
 * keep to the wall clock.
 */
function slotAt(zone: string, updatesPerDay: number, now: number) {
	const midnight = DateTime.fromMillis(now, { zone }).startOf("day");
	const next = midnight.plus({ days: 1 }).toMillis();
	const step = DAY_MS / updatesPerDay;
	const begin = midnight.toMillis();
	if (step <= HOUR_MS) {
		const start = begin + Math.floor((now - begin) / step) * step;
		return { start, next: Math.min(start + step, next) };
	}
	const starts = Array.from({ length: updatesPerDay }, (_, k) =>
		midnight.set({ minute: (k * step) / MINUTE_MS }).toMillis(),
	);
	return {
		start: Math.max(...starts.filter((at) => at <= now)),
		next: starts.find((at) => at > now) ?? next,
	};
}

/** An answer in the form of the variants; instants are epoch ms. */
function answerOf(
	{ site, plan, variants }: Asked,
	computed: number,
	next: number | undefined,
	wanted: RowsWanted,
): object {
	const timezone = timezoneOf(site);
	const { groups, utc } = wanted;
	const isBare = variants.timestamps === "naive" && !utc;
	const written = (text: string) => (isBare ? text.slice(0, 19) : text);
	const stamp = (at: number) => written(isoText(at, utc ? "utc" : timezone));
	// The quarters of a date are its stamps but the first, and the first of the next.
	const byQuarters = variants.firstRow === "00:15";
	const rows = rowsOf(
		{ ...site, strings: site.strings ?? [DEFAULT_STRING] },
		{ ...wanted, last: wanted.last.plus({ days: byQuarters ? 1 : 0 }) },
	);
	const begin = wanted.first.startOf("day").toMillis();
	const end = wanted.last.startOf("day").plus({ days: 1 }).toMillis();
	const sent = (all: readonly SentRow[]) => {
		const list = all.flatMap((row) => {
			const at = Date.parse(row.timestamp as string);
			if (byQuarters && (at === begin || at > end)) return [];
			const isDark =
				variants.nullAtNight && sunAt(site, at - QUARTER_MS / 2).altitude <= 0;
			const changed = { ...row, timestamp: written(row.timestamp as string) };
			for (const name of Object.keys(changed))
				if (isDark && name.startsWith("pv_power"))
					Object.assign(changed, { [name]: null });
			return [changed];
		});
		return variants.shuffledRows ? shuffled(list) : list;
	};
	return {
		...("id" in site && { site_id: site.id }),
		timezone,
		computed_at: stamp(computed),
		...(next !== undefined && { next_poll_at: stamp(next) }),
		included: [...groups].sort(),
		available: [...FREE_GROUPS, ...(plan.variability ? ["variability"] : [])],
		daily: byQuarters ? rows.daily.slice(0, -1) : rows.daily,
		values: sent(rows.values),
		...(rows.strings && { strings: sent(rows.strings) }),
	};
}

/** An order that is no order, the same each time. */
function shuffled<T>(rows: readonly T[]): T[] {
	return rows
		.map((row, index) => ({ row, order: Math.imul(index + 1, 0x9e3779b1) }))
		.sort((a, b) => a.order - b.order)
		.map(({ row }) => row);
}
