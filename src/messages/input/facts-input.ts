import { z } from "zod";
import { DEFAULT_INTERVAL } from "../../forecast/forecast";
import { inputError } from "../../service/errors/solar-yield-error";
import { INTERVAL_MINUTES } from "../../util/time";
import { copyOf, type QuotaFacts, type SolarFacts } from "../facts";
import { siteOfTopic } from "../topic";
import { checked } from "./checked";

const text = z.string().nullish();
const number = z.number().nullish();

/** `msg.solar` as it may come from other flows: whatever is there must be right. */
const Facts = z.looseObject({
	site_id: z.union([z.string().min(1), z.number()]).nullish(),
	site_name: text,
	timezone: text,
	latitude: number,
	longitude: number,
	demo: z.boolean().nullish(),
	interval: z.enum(["end", "start"]).nullish(),
	interval_minutes: z.literal(INTERVAL_MINUTES).nullish(),
	computed_at: text,
	next_poll_at: text,
	next_request_at: text,
	reason: text,
	fetched_at: text,
	cached: z.boolean().nullish(),
	stale: z.boolean().nullish(),
	clock_offset_s: number,
	missing: z.array(z.string()).nullish(),
	gaps: number,
	band_until: text,
	settled: z.array(z.tuple([z.number(), z.number()])).nullish(),
	strings: z
		.array(
			z.looseObject({
				string_id: z.string().nullable(),
				string_index: z.int(),
				slope: number,
				orientation: number,
				power_kw: number,
			}),
		)
		.nullish(),
});

/** The facts that a message has, each as it may come. */
export type KnownFacts = z.infer<typeof Facts> & {
	site_id?: string | null | undefined;
};

/** `msg.quota`, likewise. */
const Quota = z.looseObject({
	limit: number,
	unmetered: z.boolean().nullish(),
	used: number,
	remaining: number,
	reset: text,
	as_of: text,
	own: number,
});

const checkFacts = checked(Facts, "messages.hand_on_solar");
const checkQuota = checked(Quota, "messages.hand_on_quota");

/**
 * The facts in a message, as far as it has any.
 *
 * @param name what the facts are called in an error
 * @throws SolarYieldError `INPUT` naming the field
 */
export function readFacts(solar: unknown, name: string): KnownFacts {
	if (solar === undefined || solar === null) return {};
	const { site_id, ...facts } = copyOf(checkFacts(solar, name));
	return site_id == null ? facts : { ...facts, site_id: String(site_id) };
}

/**
 * The quota in a message, undefined when it has none.
 *
 * @throws SolarYieldError `INPUT` naming the field
 */
export function quotaFromInput(quota: unknown): QuotaFacts | undefined {
	if (quota === undefined || quota === null) return undefined;
	const facts = checkQuota(quota, "msg.quota");
	return {
		...facts,
		limit: facts.limit ?? null,
		unmetered: facts.unmetered ?? null,
		used: facts.used ?? null,
		remaining: facts.remaining ?? null,
		reset: facts.reset ?? null,
		as_of: facts.as_of ?? null,
		own: facts.own ?? null,
	};
}

/** Facts with everything that is not known set to what says so. */
export function completeFacts(
	facts: KnownFacts,
	known: Pick<SolarFacts, "site_id" | "timezone"> & Partial<SolarFacts>,
): SolarFacts {
	return {
		...facts,
		...known,
		site_name: facts.site_name ?? null,
		latitude: facts.latitude ?? null,
		longitude: facts.longitude ?? null,
		demo: facts.demo ?? false,
		interval: facts.interval ?? DEFAULT_INTERVAL,
		interval_minutes: INTERVAL_MINUTES,
		computed_at: facts.computed_at ?? known.computed_at ?? null,
		next_poll_at: facts.next_poll_at ?? known.next_poll_at ?? null,
		next_request_at: facts.next_request_at ?? null,
		reason: facts.reason ?? "",
		fetched_at: facts.fetched_at ?? null,
		cached: facts.cached ?? false,
		stale: facts.stale ?? false,
		missing: facts.missing ?? [],
		gaps: facts.gaps ?? null,
		band_until: facts.band_until ?? known.band_until ?? null,
		settled: facts.settled ?? [],
		strings: (facts.strings ?? []).map((string) => ({
			...string,
			slope: string.slope ?? null,
			orientation: string.orientation ?? null,
			power_kw: string.power_kw ?? null,
		})),
	};
}

/**
 * The facts of a message that brings no forecast of its own (values of a
 * `solar-yield-now` node): `msg.solar`, else as much as its topic tells.
 *
 * @throws SolarYieldError `INPUT` when neither names a site
 */
export function factsFromInput(message: {
	readonly solar?: unknown;
	readonly topic?: unknown;
}): SolarFacts {
	const facts = readFacts(message.solar, "msg.solar");
	const named = siteOfTopic(message.topic);
	const site = facts.site_id ?? named?.site_id;
	if (site === undefined) {
		throw inputError("messages.no_site");
	}
	return completeFacts(
		{ ...facts, demo: facts.demo ?? named?.demo },
		{ site_id: site, timezone: facts.timezone ?? "UTC" },
	);
}
