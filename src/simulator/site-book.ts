import { DAY_MS } from "../util/time";
import { utcText } from "../util/timestamp";
import { HttpError, invalid } from "./answers/http-error";
import type { SiteBody, StringBody } from "./answers/site-body";
import type { Variants } from "./answers/variants";
import { mergeConfig, mergeLeaves } from "./config";
import { hash } from "./physics/noise";
import { type Places, timezoneOf } from "./physics/place";
import { terrainHorizon } from "./physics/sun";
import type { Plan } from "./plans";
import {
	DEFAULT_STRING,
	type SiteRecord,
	StoredSite,
	type StoredString,
} from "./stored-site";

/** A temporary site is deleted this long after it was created. */
const TEMPORARY_MS = 31 * DAY_MS;
/** A deleted site can be restored for this long. */
const PENDING_MS = 30 * DAY_MS;
/** Between two changes of location of one site. */
const RELOCATION_MS = 30 * DAY_MS;

/** All sites of all accounts, with the states of the spec's table. */
export class SiteBook {
	#sites: StoredSite[] = [];
	#issued = 0;

	constructor(
		private readonly places: Places,
		private readonly variants: Variants,
	) {}

	/** The account's sites, those pending deletion included, oldest first. */
	list(owner: number, now: number): StoredSite[] {
		this.#age(now);
		return this.#sites.filter((site) => site.owner === owner);
	}

	/** Sites that are not pending deletion. */
	living(owner: number, now: number): StoredSite[] {
		return this.list(owner, now).filter(({ deletedAt }) => deletedAt === null);
	}

	/** A site of the account; 404 otherwise. */
	find(owner: number, id: string, now: number): StoredSite {
		const site = this.list(owner, now).find((entry) => entry.id === id);
		if (site === undefined) throw new HttpError(404, "Site not found");
		return site;
	}

	/**
	 * Stores a site. On create over the wire all ids are assigned here and a
	 * default string is added; `seed` is how tests and the demo choose them.
	 */
	create(
		owner: number,
		now: number,
		input: SiteBody,
		seed?: { readonly siteId: string | undefined },
	): StoredSite {
		const { latitude, longitude } = input as Required<SiteBody>;
		const id = seed?.siteId ?? this.#newId("site_");
		if (this.#sites.some((other) => other.id === id))
			throw new Error(`Site id ${id} is in use`);
		const site = new StoredSite(
			id,
			owner,
			now,
			this.places.at(latitude, longitude),
			input,
		);
		const given = input.strings ?? [];
		const withDefault =
			given.length === 0 || (this.variants.defaultStringAlways && !seed);
		site.strings = [...(withDefault ? [DEFAULT_STRING] : []), ...given].map(
			(string) => ({
				...string,
				id: (seed ? string.id : null) ?? this.#newId("str_"),
			}),
		);
		site.config = mergeLeaves({}, input.config ?? {});
		this.#sites.push(site);
		return site;
	}

	/** Applies what was sent, all of it or nothing (spec, PATCH). */
	update(site: StoredSite, now: number, input: SiteBody): void {
		if (site.deletedAt !== null)
			throw new HttpError(409, "Site is pending deletion; restore it first");
		const { place } = site;
		const latitude = input.latitude ?? place.latitude;
		const longitude = input.longitude ?? place.longitude;
		const moves = latitude !== place.latitude || longitude !== place.longitude;
		if (moves && site.movedAt !== null && now < site.movedAt + RELOCATION_MS)
			throw new HttpError(
				409,
				`The location can be changed once per 30 days; next change possible from ${utcText(site.movedAt + RELOCATION_MS)}`,
			);
		const strings = input.strings && this.#keepIds(site, input.strings);

		if (input.name !== undefined) site.name = input.name;
		if (moves) {
			site.place = this.places.at(latitude, longitude);
			site.timezone = timezoneOf(latitude, longitude);
			site.movedAt = now;
		}
		if (strings) site.strings = strings;
		if (input.config)
			site.config = mergeLeaves(
				this.variants.configPatch === "merge" ? site.config : {},
				input.config,
			);
		if (moves || strings || input.config) site.revision++;
		site.updatedAt = now;
	}

	/** Marks a site for removal in 30 days; a second time changes nothing. */
	delete(site: StoredSite, now: number): void {
		site.deletedAt ??= now;
	}

	/** Cancels a pending deletion; makes a temporary site permanent. */
	restore(site: StoredSite, now: number): void {
		if (site.deletedAt === null && !site.temporary)
			throw new HttpError(
				409,
				"Site is neither temporary nor pending deletion",
			);
		site.deletedAt = null;
		site.temporary = false;
		site.updatedAt = now;
	}

	/** Over the plan's number of sites (the oldest keep their forecasts), or switched off. */
	isInactive(site: StoredSite, plan: Plan, now: number): boolean {
		if (site.inactive) return true;
		if (plan.siteLimit === null) return false;
		return this.living(site.owner, now).indexOf(site) >= plan.siteLimit;
	}

	record(site: StoredSite, plan: Plan, now: number): SiteRecord {
		const { place } = site;
		const { variants } = this;
		return {
			[variants.idField]: site.id,
			name: site.name,
			latitude: place.latitude,
			longitude: place.longitude,
			elevation: place.elevation,
			timezone: site.timezone,
			terrain_horizon: Array.from(
				{ length: 36 },
				(_, k) => Math.round(terrainHorizon(place.seed, k * 10) * 10) / 10,
			),
			strings: site.strings.map(({ id, ...rest }, index) => ({
				id,
				...(variants.siteStringIndex ? { string_index: index } : {}),
				...rest,
			})),
			config: mergeConfig(site.config),
			status:
				site.deletedAt !== null
					? "pending_deletion"
					: this.isInactive(site, plan, now)
						? "inactive"
						: site.temporary
							? "temporary"
							: "active",
			temporary: site.temporary,
			expires_at: site.temporary
				? utcText(site.createdAt + TEMPORARY_MS)
				: null,
			created_at: utcText(site.createdAt),
			updated_at: utcText(site.updatedAt),
			deleted_at: site.deletedAt === null ? null : utcText(site.deletedAt),
		};
	}

	/**
	 * Applies what is due: a temporary site that was not restored goes to pending
	 * deletion at its 31st day, and what is pending for 30 days is removed.
	 */
	#age(now: number): void {
		for (const site of this.#sites)
			if (
				site.temporary &&
				site.deletedAt === null &&
				now >= site.createdAt + TEMPORARY_MS
			)
				site.deletedAt = site.createdAt + TEMPORARY_MS;
		this.#sites = this.#sites.filter(
			({ deletedAt }) => deletedAt === null || now < deletedAt + PENDING_MS,
		);
	}

	/** The whole new array: known ids stay, strings without one are new (spec, String, rule 3). */
	#keepIds(site: StoredSite, strings: readonly StringBody[]): StoredString[] {
		const known = new Set(site.strings.map(({ id }) => id));
		return strings.map((string, index) => {
			if (string.id !== null && !known.delete(string.id))
				throw invalid(
					["body", "strings", index, "id"],
					"No such string on this site, or named twice",
				);
			return { ...string, id: string.id ?? this.#newId("str_") };
		});
	}

	#newId(prefix: string): string {
		return (
			prefix +
			hash(0x50, ++this.#issued)
				.toString(16)
				.padStart(8, "0")
		);
	}
}
