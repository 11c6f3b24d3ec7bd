import type { Shortage } from "../../src/window/choice";
import type { Output, Why } from "../../src/window/output";

/** Texts and how they write times and numbers: those of the server, or of the browser. */
export interface Words {
	/** A text below `reason.` of the catalogue. */
	say(key: string, values?: Record<string, string>): string;
	time(instant: number): string;
	number(value: number): string;
}

/** A code as catalogues name it. */
export const KEYS: Readonly<Record<Why["code"], string>> = {
	running: "running",
	waiting: "waiting",
	done: "done",
	"told-done": "told_done",
	"no-forecast": "no_forecast",
	"forecast-old": "forecast_old",
	"forecast-ended": "forecast_ended",
	"no-time": "no_time",
	"unknown-power": "unknown_power",
	"below-minimum": "below_minimum",
	"no-sun": "no_sun",
	"no-price": "no_price",
	interrupted: "interrupted",
};

const VALUES: {
	readonly [Code in Why["code"]]: (
		why: Extract<Why, { readonly code: Code }>,
		words: Words,
	) => Record<string, string>;
} = {
	running: ({ until }, { time }) => ({ time: time(until) }),
	waiting: ({ from }, { time }) => ({ time: time(from) }),
	done: ({ ran_hours }, { number }) => ({ hours: number(ran_hours) }),
	"told-done": () => ({}),
	"no-forecast": () => ({}),
	"forecast-old": ({ age_hours, most_hours }, { number }) => ({
		age: number(age_hours),
		most: number(most_hours),
	}),
	"forecast-ended": ({ until }, { time }) => ({ time: time(until) }),
	"no-time": hoursOf,
	"unknown-power": hoursOf,
	"below-minimum": hoursOf,
	"no-sun": hoursOf,
	"no-price": hoursOf,
	interrupted: hoursOf,
};

function hoursOf(
	{ found_hours, wanted_hours }: Shortage,
	{ number }: Words,
): Record<string, string> {
	return { found: number(found_hours), wanted: number(wanted_hours) };
}

/** Why it is on or off, what today's hours lack, and what decides without prices. */
export function reasonText(
	{ why, shortage }: Pick<Output, "why" | "shortage">,
	lacksPrices: boolean,
	words: Words,
): string {
	const text = (of: Why) =>
		words.say(
			KEYS[of.code],
			(VALUES[of.code] as (why: Why, words: Words) => Record<string, string>)(
				of,
				words,
			),
		);
	return [
		text(why),
		shortage && shortage.code !== why.code && text(shortage),
		lacksPrices && words.say("no_prices"),
	]
		.filter(Boolean)
		.join("; ");
}
