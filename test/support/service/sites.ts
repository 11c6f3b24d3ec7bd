import tzLookup from "@photostructure/tz-lookup";
import { z } from "zod";
import type { Point } from "../../../src/simulator/weather";
import { DAY_MS } from "../../../src/util/time";
import { HttpError, invalid } from "./errors";
import type { Plan } from "./plans";
import type { Variants } from "./variants";

/** A temporary site is deleted after so long, a deleted one removed; a location stays so long. */
const TEMPORARY_MS = 31 * DAY_MS;
const PENDING_MS = 30 * DAY_MS;
const RELOCATION_MS = 30 * DAY_MS;

const StringBody = z.object({
	id: z.string().nullish(),
	slope: z.number().min(0).max(90),
	orientation: z.number().min(0).max(360),
	power_kw: z.number().positive(),
	gcr: z.number().min(0).max(1).nullable().default(null),
	near_field_shading: z.unknown().default(null),
});
/** Leaves by group, unchecked; null returns to the default. */
const Config = z.record(z.string(), z.looseObject({}).nullable());

/** Fields of a site as a client sends them (spec, Resources); unknown ones are ignored. */
export const SiteBody = z.object({
	name: z.string().nullish(),
	latitude: z.number().min(-90).max(90),
	longitude: z.number().min(-180).max(180),
	strings: z.array(StringBody).nullish(),
	config: Config.nullish(),
	temporary: z.boolean().nullish(),
});
export const SiteChange = SiteBody.partial();
export type SiteBody = z.infer<typeof SiteBody>;
type SiteChange = z.infer<typeof SiteChange>;
type StringBody = z.infer<typeof StringBody>;

/** Added where no strings are given (spec, String, rule 2). */
export const DEFAULT_STRING: StringBody = StringBody.parse({
	slope: 30,
	orientation: 180,
	power_kw: 10,
});

type StoredConfig = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
const DEFAULT_CONFIG: StoredConfig = {
	modules: { technology: "perc", temperature_coefficient: -0.35 },
	mounting: { type: "open" },
	inverter: { clip_max_percent: 120, clip_min_percent: 0.1 },
	losses: { cable: 0.015, conversion: 0.025, albedo: 0.15 },
	shading: { use_terrain_horizon: true },
	tracking: { type: "fixed" },
};

/** A change laid over what is set, leaf by leaf; a null leaf or group goes. */
function merged(base: StoredConfig, change: object): StoredConfig {
	const result: Record<string, object> = { ...base };
	for (const [group, leaves] of Object.entries(change)) {
		delete result[group];
		if (leaves === null) continue;
		const all = Object.entries({ ...base[group], ...leaves });
		result[group] = Object.fromEntries(all.filter(([, it]) => it !== null));
	}
	return result as StoredConfig;
}

/** A site as the service keeps it; instants are epoch ms. */
export interface StoredSite {
	readonly id: string;
	readonly owner: object;
	readonly createdAt: number;
	name: string | null;
	latitude: number;
	longitude: number;
	strings: readonly (StringBody & { readonly id: string })[];
	/** What was set, without the defaults. */
	config: StoredConfig;
	temporary: boolean;
	/** Switched off, as one over the plan's limit. */
	inactive: boolean;
	updatedAt: number;
	deletedAt: number | null;
	movedAt: number | null;
	/** Of the forecast at hand; null when a change has made it worthless. */
	computed: {
		readonly at: number;
		readonly slot: number;
		readonly plan: Plan;
	} | null;
}

/** IANA zone of a point. */
export const timezoneOf = ({ latitude, longitude }: Point): string =>
	tzLookup(latitude, longitude);

/** All sites of all accounts, with the states of the spec's table. */
export class SiteBook {
	#sites: StoredSite[] = [];
	#issued = 0;

	constructor(private readonly variants: Variants) {}

	/** The owner's sites, those pending deletion included, oldest first. */
	list(owner: object, now: number): StoredSite[] {
		for (const site of this.#sites)
			if (site.temporary && now >= site.createdAt + TEMPORARY_MS)
				site.deletedAt ??= site.createdAt + TEMPORARY_MS;
		this.#sites = this.#sites.filter(
			({ deletedAt }) => deletedAt === null || now < deletedAt + PENDING_MS,
		);
		return this.#sites.filter((site) => site.owner === owner);
	}

	/** Those that are not pending deletion. */
	living(owner: object, now: number): StoredSite[] {
		return this.list(owner, now).filter(({ deletedAt }) => deletedAt === null);
	}

	find(owner: object, id: string, now: number): StoredSite {
		const site = this.list(owner, now).find((entry) => entry.id === id);
		if (!site) throw new HttpError(404, "Site not found");
		return site;
	}

	/** Stores a site; with a `seed` the ids that it gives are kept, else all are assigned here. */
	create(
		owner: object,
		now: number,
		body: SiteBody,
		seed?: { readonly id: string | undefined },
	): StoredSite {
		const id = seed?.id ?? this.#newId("site_");
		if (this.#sites.some((other) => other.id === id))
			throw new Error(`Site id ${id} is in use`);
		const given = body.strings ?? [];
		const withDefault =
			given.length === 0 || (this.variants.defaultStringAlways && !seed);
		const site: StoredSite = {
			id,
			owner,
			createdAt: now,
			name: body.name ?? null,
			latitude: body.latitude,
			longitude: body.longitude,
			strings: [...(withDefault ? [DEFAULT_STRING] : []), ...given].map(
				(string) => ({
					...string,
					id: (seed ? string.id : null) ?? this.#newId("str_"),
				}),
			),
			config: merged({}, body.config ?? {}),
			temporary: body.temporary ?? false,
			inactive: false,
			updatedAt: now,
			deletedAt: null,
			movedAt: null,
			computed: null,
		};
		this.#sites.push(site);
		return site;
	}

	/** Applies what was sent, all of it or nothing (spec, PATCH). */
	update(site: StoredSite, now: number, change: SiteChange): void {
		if (site.deletedAt !== null)
			throw new HttpError(409, "Site is pending deletion; restore it first");
		const { latitude = site.latitude, longitude = site.longitude } = change;
		const moves = latitude !== site.latitude || longitude !== site.longitude;
		if (moves && site.movedAt !== null && now < site.movedAt + RELOCATION_MS)
			throw new HttpError(409, "The location can be changed once per 30 days");
		const strings = change.strings && this.#keepIds(site, change.strings);
		if (moves) Object.assign(site, { latitude, longitude, movedAt: now });
		if (change.name != null) site.name = change.name;
		if (strings) site.strings = strings;
		if (change.config)
			site.config = merged(
				this.variants.configPatch === "merge" ? site.config : {},
				change.config,
			);
		if (moves || strings || change.config) site.computed = null;
		site.updatedAt = now;
	}

	/** Cancels a pending deletion; makes a temporary site permanent. */
	restore(site: StoredSite, now: number): void {
		if (site.deletedAt === null && !site.temporary)
			throw new HttpError(
				409,
				"Site is neither temporary nor pending deletion",
			);
		Object.assign(site, { deletedAt: null, temporary: false, updatedAt: now });
	}

	/** Switched off, or over the plan's number of sites: the oldest keep their forecasts. */
	isInactive(site: StoredSite, plan: Plan, now: number): boolean {
		return (
			site.inactive ||
			(plan.siteLimit !== null &&
				this.living(site.owner, now).indexOf(site) >= plan.siteLimit)
		);
	}

	/** A site as a read returns it. */
	record(site: StoredSite, plan: Plan, now: number): object {
		const { idField, siteStringIndex } = this.variants;
		const utc = (at: number | null) =>
			at === null ? null : new Date(at).toISOString().replace(".000Z", "Z");
		return {
			[idField]: site.id,
			name: site.name,
			latitude: site.latitude,
			longitude: site.longitude,
			elevation: 100,
			timezone: timezoneOf(site),
			strings: site.strings.map((string, index) => ({
				...string,
				...(siteStringIndex && { string_index: index }),
			})),
			config: Object.fromEntries(
				Object.keys({ ...DEFAULT_CONFIG, ...site.config }).map((group) => [
					group,
					{ ...DEFAULT_CONFIG[group], ...site.config[group] },
				]),
			),
			status:
				site.deletedAt !== null
					? "pending_deletion"
					: this.isInactive(site, plan, now)
						? "inactive"
						: site.temporary
							? "temporary"
							: "active",
			temporary: site.temporary,
			expires_at: site.temporary ? utc(site.createdAt + TEMPORARY_MS) : null,
			created_at: utc(site.createdAt),
			updated_at: utc(site.updatedAt),
			deleted_at: utc(site.deletedAt),
		};
	}

	/** The whole new array: known ids stay, strings without one are new (spec, String, rule 3). */
	#keepIds(site: StoredSite, strings: readonly StringBody[]) {
		const known = new Set(site.strings.map(({ id }) => id));
		return strings.map((string, index) => {
			if (string.id != null && !known.delete(string.id))
				throw invalid(
					["body", "strings", index, "id"],
					"No such string on this site, or named twice",
				);
			return { ...string, id: string.id ?? this.#newId("str_") };
		});
	}

	#newId(prefix: string): string {
		this.#issued += 1;
		// Sorted, ids must not tell their age.
		const mixed = Math.imul(this.#issued, 0x9e3779b1) >>> 0;
		return prefix + mixed.toString(16).padStart(8, "0");
	}
}
