import { createHash } from "node:crypto";
import type { InlineSystem } from "../../service/client";
import { readSite, type Site } from "../../service/v2/sites/site";

/** Where a forecast comes from: a stored site, or a system sent along. */
export type ForecastSource =
	| { readonly kind: "site"; readonly key: string }
	| {
			readonly kind: "inline";
			/** `inline-<node id>`, which stands for the site id in topics (behaviour: Messages). */
			readonly key: string;
			readonly system: InlineSystem;
			readonly intervalMs: number;
	  };

/** A stored site as a source; its key is the site id. */
export function siteSource(siteId: string): ForecastSource {
	return { kind: "site", key: siteId };
}

/** An inline system as if it were stored, so that its strings are known like those of a site. */
export function inlineSite(source: ForecastSource & { kind: "inline" }): Site {
	const { key, system } = source;
	const strings = system.strings.map(
		({ id, slope, orientation, power_kw }) => ({
			id: typeof id === "string" ? id : null,
			slope,
			orientation,
			power_kw,
		}),
	);
	const { latitude, longitude } = system;
	return readSite({ latitude, longitude, strings }, key);
}

/** Computed once: nodes name the same system whenever they ask for its state. */
const hashes = new WeakMap<InlineSystem, string>();

/** Identity of an inline system, so that a forecast kept for another is not used. */
export function systemHash(source: ForecastSource): string | null {
	if (source.kind === "site") return null;
	let hash = hashes.get(source.system);
	if (hash === undefined) {
		hash = createHash("sha256")
			.update(JSON.stringify(source.system))
			.digest("hex")
			.slice(0, 16);
		hashes.set(source.system, hash);
	}
	return hash;
}

const JITTER_MS = { least: 5_000, most: 30_000 } as const;

/** Jitter: the delay behind `next_poll_at`, fixed per site (behaviour: When it asks), ms. */
export function jitterOf(key: string): number {
	const hash = createHash("sha256").update(key).digest().readUInt32BE(0);
	return JITTER_MS.least + (hash % (JITTER_MS.most - JITTER_MS.least + 1));
}
