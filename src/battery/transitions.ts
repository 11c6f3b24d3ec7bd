import {
	inputError,
	type SolarYieldError,
} from "../service/errors/solar-yield-error";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../util/time";
import type { Zone } from "../util/zone";
import { type BatteryState, MOST_ROWS } from "./battery-state";
import { noteHouse, nothingLearned } from "./house/learned-load";
import type { Inputs, PriceRow, Target } from "./inputs";
import type { BatteryPlan } from "./payload";
import { steadyUntil } from "./release";
import type { BatterySettings } from "./settings";

/** So many states of charge between 0 and 1 in a row are told to be no percentages. */
const FRACTIONS = 2;
/** A battery's own counting jumps by as much, percent; and it gives up to so many times as fast as its setting says. */
const JUMP = 5;
const FASTER = 2;

/** What a message has changed, and what its sender should be told. */
interface Taken {
	readonly state: BatteryState;
	readonly errors: readonly SolarYieldError[];
}

/** What taking inputs needs to know besides them. */
interface TakeOptions {
	/** Epoch ms. */
	readonly now: number;
	/** The site's; without one what the house consumes teaches nothing. */
	readonly zone?: Zone | undefined;
	/** Of those in force: how fast the battery can be emptied. */
	readonly settings: Pick<BatterySettings, "capacityKwh" | "maxDischargeW">;
}

/**
 * The state after the inputs of a message (`readInputs`). Each replaces what was
 * known of its kind; a blank takes it back, and rows that are all over are told.
 */
export function takeInputs(
	before: BatteryState,
	values: Partial<Inputs>,
	{ now, zone, settings }: TakeOptions,
): Taken {
	const errors: SolarYieldError[] = [];
	const state = { ...before };
	const given = <Value>(value: Value | null) =>
		value === null || (Array.isArray(value) && value.length === 0)
			? null
			: { at: now, value };
	/** Rows that are not over, undefined where all are: they take the place of nothing. */
	const ahead = <Row extends { readonly end: number }>(
		name: string,
		rows: readonly Row[],
	) => {
		const left = rows.filter(({ end }) => end > now).slice(0, MOST_ROWS);
		if (left.length > 0 || rows.length === 0) return left;
		const time = {
			at: (rows[rows.length - 1] as Row).end,
			zone: zone?.name,
			withYear: true,
		};
		errors.push(inputError("battery.over", { name, time }));
		return undefined;
	};
	if (values.soc !== undefined) {
		const taken = takeSoc(before.soc, values.soc, now, settings);
		state.soc = taken.soc;
		if (taken.told) errors.push(taken.told);
	}
	if (values.house_w !== undefined && zone) {
		state.house = noteHouse(
			before.house ?? nothingLearned(),
			values.house_w,
			now,
			zone,
		);
	}
	if (values.load !== undefined) {
		const { load } = values;
		const rows = load?.kind === "spans" ? ahead("load", load.rows) : [];
		if (rows) {
			state.load = given(load?.kind === "spans" ? { ...load, rows } : load);
		}
	}
	if (values.prices !== undefined) {
		const { rows = [], unit = null } = values.prices ?? {};
		const left = ahead("prices", rows);
		if (left) {
			const value = withPast(rows, now).slice(0, MOST_ROWS);
			state.prices = left.length > 0 ? { at: now, value, unit } : null;
		}
	}
	if (values.feedIn !== undefined) {
		const { feedIn } = values;
		const left =
			feedIn === null || typeof feedIn === "number"
				? feedIn
				: ahead("feedIn", feedIn);
		if (left !== undefined) state.feedIn = given(left);
	}
	if (values.targets !== undefined) state.targets = given(values.targets);
	if (values.settings !== undefined) {
		const changes = values.settings;
		state.settings =
			Object.keys(changes).length === 0
				? null
				: {
						at: now,
						value: changes as NonNullable<BatteryState["settings"]>["value"],
					};
	}
	return { state, errors };
}

/**
 * A state of charge. Between 0 and 1 it may be a fraction that should be a percentage.
 * One just below the last is believed; one to which the battery cannot have come down
 * since is not taken; of others the second in a row is told.
 */
function takeSoc(
	before: BatteryState["soc"],
	percent: number,
	at: number,
	{ capacityKwh, maxDischargeW }: TakeOptions["settings"],
): { soc: BatteryState["soc"]; told?: SolarYieldError } {
	const run = before?.fractions ?? 0;
	let fractions = 0;
	if (percent > 0 && percent <= 1) {
		fractions = Math.min(run + 1, FRACTIONS);
		if (before && run === 0) {
			const since = at - before.at;
			const kwh = (maxDischargeW / 1000) * (since / HOUR_MS);
			const drop = before.percent - percent - JUMP;
			if (drop <= 0) fractions = 0;
			else if (since >= 0 && drop > FASTER * (kwh / capacityKwh) * 100) {
				const minutes = Math.floor(since / MINUTE_MS);
				return {
					soc: before,
					told: inputError("battery.soc_fell", {
						percent,
						minutes,
						last: Number(before.percent.toPrecision(3)),
					}),
				};
			}
		}
	}
	return {
		soc: { percent, at, steady_until: null, fractions },
		...(fractions === FRACTIONS &&
			run < FRACTIONS && {
				told: inputError("battery.soc_fractions", {
					percent,
					count: FRACTIONS,
				}),
			}),
	};
}

/** Items that are not over; the same list where none is, so that no change is seen where there is none. */
function notOver<Item>(
	items: readonly Item[],
	endOf: (item: Item) => number,
	now: number,
): readonly Item[] {
	for (const item of items) {
		if (endOf(item) <= now) return items.filter((it) => endOf(it) > now);
	}
	return items;
}

const endOfSpan = ({ end }: { readonly end: number }) => end;
/** Prices with those of the last 24 h, which the dialog draws; none where all are over. */
const withPast = (rows: readonly PriceRow[], now: number) =>
	rows.some(({ end }) => end > now)
		? notOver(rows, endOfSpan, now - DAY_MS)
		: [];
/** One by the clock comes again each day. */
const endOfTarget = ({ by }: Target) =>
	"instant" in by ? by.instant : Number.POSITIVE_INFINITY;

/**
 * The state without what has run out: rows whose end has passed, targets whose
 * instant has. Its parts are the same objects where
 * nothing has.
 */
export function expire(before: BatteryState, now: number): BatteryState {
	const state = { ...before };
	const { load, prices, feedIn, targets } = before;
	if (load?.value.kind === "spans") {
		const rows = notOver(load.value.rows, endOfSpan, now);
		state.load =
			rows.length > 0 ? { ...load, value: { kind: "spans", rows } } : null;
	}
	if (prices) {
		const rows = withPast(prices.value, now);
		state.prices = rows.length > 0 ? { ...prices, value: rows } : null;
	}
	if (feedIn && typeof feedIn.value !== "number") {
		const rows = notOver(feedIn.value, endOfSpan, now);
		state.feedIn = rows.length > 0 ? { ...feedIn, value: rows } : null;
	}
	if (targets) {
		const due = notOver(targets.value, endOfTarget, now);
		state.targets = due.length > 0 ? { ...targets, value: due } : null;
	}
	return state;
}

/** The state after a plan was sent: until when it foresees no change of the state of charge. */
export function notePlan(
	state: BatteryState,
	{ plan }: Pick<BatteryPlan, "plan">,
): BatteryState {
	const { soc } = state;
	const steady = soc && steadyUntil(plan, soc.percent);
	return steady ? { ...state, soc: { ...soc, steady_until: steady } } : state;
}
