import type { Output, Why } from "../../src/window/output";
import type { Limit } from "../../src/window/search";

/** Texts and how they write times and numbers: those of the server, or of the browser. */
export interface Words {
	/** A text below `reason.` of the catalogue. */
	say(key: string, values?: Record<string, string>): string;
	time(instant: number): string;
	number(value: number): string;
}

/** What is in the way as catalogues name it. */
const LIMITS: Readonly<Record<Limit, string>> = {
	time: "no_time",
	forecast: "unknown_power",
	minPowerW: "below_minimum",
	maxPrice: "too_dear",
	sun: "no_sun",
	price: "no_price",
	runs: "interrupted",
};

/** A reason as catalogues name it, and the values of its text. */
export function reasonOf(
	why: Why,
	{ time, number }: Pick<Words, "time" | "number">,
): readonly [key: string, values: Record<string, string>] {
	switch (why.code) {
		case "running":
			return ["running", { time: time(why.until) }];
		case "waiting":
			return ["waiting", { time: time(why.from) }];
		case "override":
			return [why.on ? "told_on" : "told_off", { time: time(why.until) }];
		case "done":
			return why.ran_hours === null
				? ["told_done", {}]
				: ["done", { hours: number(why.ran_hours) }];
		case "no-forecast":
			return why.until === null
				? ["no_forecast", {}]
				: ["forecast_ended", { time: time(why.until) }];
		case "too-late":
			return ["too_late", {}];
		case "short": {
			const [found, wanted] = [number(why.found), number(why.wanted)];
			return [LIMITS[why.by], { found, wanted, unit: why.unit }];
		}
	}
}

/** Why it is on or off, what today lacks, what decides without prices, and that the forecast is old. */
export function reasonText(
	{
		why,
		shortage,
		oldHours,
		lacksPrices,
	}: Pick<Output, "why" | "shortage" | "oldHours" | "lacksPrices">,
	words: Words,
): string {
	const text = (of: Why) => words.say(...reasonOf(of, words));
	return [
		lacksPrices && words.say("no_prices"),
		text(why),
		shortage && why.code !== "short" && text(shortage),
		oldHours !== null && words.say("old", { age: words.number(oldHours) }),
	]
		.filter(Boolean)
		.join("; ");
}
