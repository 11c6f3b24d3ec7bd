import type { SiteBody, StringBody } from "./answers/site-body";
import { type Config, mergeConfig, type StoredConfig } from "./config";
import { type Place, timezoneOf } from "./physics/place";
import { ArrayModel } from "./physics/power";
import type { Plan } from "./plans";

/** Added on create when no strings are given (spec, String, rule 2). */
export const DEFAULT_STRING: StringBody = {
	id: null,
	slope: 30,
	orientation: 180,
	power_kw: 10,
	gcr: null,
	near_field_shading: null,
};

/** A string as a site read returns it. */
interface StringRecord extends StringBody {
	readonly id: string;
	/** Position; absent in the variant without. */
	readonly string_index?: number;
}

/**
 * A site as a read returns it. Stamps are UTC. The identifier stands in `id`
 * or `site_id`. `status` is the state of the spec's table, or `inactive` for a
 * site over the plan's limit.
 */
export interface SiteRecord {
	readonly id?: string;
	readonly site_id?: string;
	readonly name: string | null;
	readonly latitude: number;
	readonly longitude: number;
	/** Metres above sea level. */
	readonly elevation: number;
	/** IANA name. */
	readonly timezone: string;
	/** Elevation of the horizon in degrees, every 10 degrees from north. */
	readonly terrain_horizon: readonly number[];
	readonly strings: readonly StringRecord[];
	/** Merged with the defaults. */
	readonly config: Config;
	readonly status: "active" | "temporary" | "inactive" | "pending_deletion";
	readonly temporary: boolean;
	/** When a temporary site is deleted. */
	readonly expires_at: string | null;
	readonly created_at: string;
	readonly updated_at: string;
	readonly deleted_at: string | null;
}

/** What a forecast was computed from; a later request with the same basis gets the same forecast. */
export interface Computation {
	readonly computedAt: number;
	readonly slot: number;
	readonly revision: number;
	readonly plan: Plan;
}

/** A site as the service keeps it, from its creation until long after it was deleted. */
export class StoredSite {
	name: string | null;
	place: Place;
	timezone: string;
	strings: readonly StoredString[] = [];
	config: StoredConfig = {};
	temporary: boolean;
	inactive = false;
	updatedAt: number;
	deletedAt: number | null = null;
	movedAt: number | null = null;
	/** Grows with each change that makes the cached forecast worthless. */
	revision = 0;
	computation: Computation | null = null;
	#models: {
		revision: number;
		year: number;
		list: readonly ArrayModel[];
	} | null = null;

	constructor(
		readonly id: string,
		readonly owner: number,
		readonly createdAt: number,
		place: Place,
		input: SiteBody,
	) {
		this.name = input.name ?? null;
		this.place = place;
		this.timezone = timezoneOf(place.latitude, place.longitude);
		this.temporary = input.temporary ?? false;
		this.updatedAt = createdAt;
	}

	/** The strings as they produce in a year. */
	models(year: number): readonly ArrayModel[] {
		if (this.#models?.revision !== this.revision || this.#models.year !== year)
			this.#models = {
				revision: this.revision,
				year,
				list: modelStrings(this.strings, mergeConfig(this.config), year),
			};
		return this.#models.list;
	}
}

export type StoredString = StringBody & { readonly id: string };

/** One model per string; modules age from `installation_year` on. */
export function modelStrings(
	strings: readonly StringBody[],
	config: Config,
	year: number,
): ArrayModel[] {
	const age = Math.max(0, year - (config.modules.installation_year ?? year));
	return strings.map((string) => new ArrayModel(string, config, age));
}
