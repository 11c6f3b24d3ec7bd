import { z } from "zod";
import { isObject } from "../util/guards";
import { DAY_MS } from "../util/time";
import { LearnedLoad } from "./house/learned-load";
import { LearnedMargin, noForecasts } from "./learned-margin";
import { type BatterySettings, SETTING_NAMES } from "./settings";

/** Rows that are kept of one input: 9 days of 5 minutes. */
export const MOST_ROWS = 2592;
/** Targets that are kept. */
const MOST_ENTRIES = 20;

/** Plausible instants, epoch ms. */
const instant = z.number().min(0).max(8.64e15);
const span = { start: instant, end: instant };
const price = z.number().min(-1e6).max(1e6);
const power = z.number().min(0).max(1e9);
const time = z.union([
	z.strictObject({ clock: z.number().min(0).max(DAY_MS) }),
	z.strictObject({ instant }),
]);
const priceRows = z
	.array(z.object({ ...span, price }))
	.max(MOST_ROWS)
	.readonly();
/** A value, and when it came in. */
const dated = <Schema extends z.ZodType>(value: Schema) =>
	z.object({ at: instant, value }).nullable();

/**
 * What a battery node keeps over deploys and restarts: plain JSON of bounded size.
 * Its transitions (`transitions.ts`) are pure functions from state to state.
 */
export const BatteryState = z.object({
	version: z.literal(1),
	/** The last state of charge. */
	soc: z
		.object({
			percent: z.number().min(0).max(100),
			at: instant,
			/** Until when the last plan foresaw no change of it, epoch ms. */
			steady_until: instant.nullable(),
			/** How many values in a row have lain between 0 and 1, of those that the one before does not explain. */
			fractions: z.int().min(0),
		})
		.nullable(),
	load: dated(
		z.discriminatedUnion("kind", [
			z.object({ kind: z.literal("constant"), power_w: power }),
			z.object({
				kind: z.literal("hourly"),
				power_w: z.array(power).length(24).readonly(),
			}),
			z.object({
				kind: z.literal("spans"),
				rows: z
					.array(z.object({ ...span, power_w: power }))
					.max(MOST_ROWS)
					.readonly(),
			}),
		]),
	),
	prices: z
		.object({
			at: instant,
			value: priceRows,
			/** As `EUR/kWh`; null where no currency was said. */
			unit: z.string().nullable(),
		})
		.nullable(),
	feedIn: dated(z.union([price, priceRows])),
	targets: dated(
		z
			.array(z.object({ soc: z.number().min(0).max(100), by: time }))
			.max(MOST_ENTRIES)
			.readonly(),
	),
	settings: dated(
		z.partialRecord(
			z.enum(SETTING_NAMES as [keyof BatterySettings]),
			z.union([z.string(), z.number(), z.boolean()]),
		),
	),
	/** What `msg.house_w` has taught; null before the first one. */
	house: LearnedLoad.nullable(),
	/** How much of what was foreseen has failed to come. */
	margin: LearnedMargin,
});
export type BatteryState = z.infer<typeof BatteryState>;

/** The state before anything has come in. */
export const emptyState = (): BatteryState => ({
	version: 1,
	soc: null,
	load: null,
	prices: null,
	feedIn: null,
	targets: null,
	settings: null,
	house: null,
	margin: noForecasts(),
});

/**
 * A stored state, part by part: what cannot be read is forgotten, the rest stays.
 *
 * @param json a state that went through JSON
 * @returns the state, and the names of parts that were damaged
 */
export function restoreState(json: unknown): {
	readonly state: BatteryState;
	readonly damaged: readonly string[];
} {
	const state: Record<string, unknown> = emptyState();
	const damaged: string[] = [];
	const { version, ...parts } = BatteryState.shape;
	const stored = isObject(json) ? json : {};
	if (!version.safeParse(stored.version).success) {
		return { state: emptyState(), damaged: ["version"] };
	}
	for (const [name, schema] of Object.entries(parts)) {
		const result = schema.safeParse(stored[name]);
		if (result.success) state[name] = result.data;
		else damaged.push(name);
	}
	return { state: state as BatteryState, damaged };
}

/** Whether two states have the same inputs of those that change rarely, and are lost for long when they are lost. */
export function isSameInput(a: BatteryState, b: BatteryState): boolean {
	const inputs = [a, b].map((state) => [
		state.load?.value,
		state.prices?.value,
		state.feedIn?.value,
		state.targets?.value,
		state.settings?.value,
	]);
	return (
		inputs[0]?.every((part, index) => part === inputs[1]?.[index]) ||
		JSON.stringify(inputs[0]) === JSON.stringify(inputs[1])
	);
}
