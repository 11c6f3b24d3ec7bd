import { z } from "zod";
import { isoText } from "./answer-rows";
import { DEFAULT_STRING, demoZone, Refusal } from "./answers";
import { HORIZON } from "./power";

const StringBody = z.looseObject({
	id: z.string().nullish(),
	slope: z.number().min(0).max(90),
	orientation: z.number().min(0).max(360),
	power_kw: z.number().positive(),
});
/** Leaves by group; null stands for the default. */
const Config = z.record(
	z.string(),
	z.record(z.string(), z.unknown()).nullable(),
);
/** Fields of a site as a client sends them (spec V2, "Resources and their fields"). */
export const SiteBody = z.object({
	name: z.string().nullish(),
	latitude: z.number().min(-90).max(90),
	longitude: z.number().min(-180).max(180),
	strings: z.array(StringBody).nullish(),
	config: Config.nullish(),
	temporary: z.boolean().nullish(),
});
export const SitePatch = SiteBody.omit({ temporary: true }).partial();
type StringBody = z.infer<typeof StringBody>;
type Config = z.infer<typeof Config>;
type SiteBody = z.infer<typeof SiteBody>;
type SitePatch = z.infer<typeof SitePatch>;

const DEFAULT_CONFIG: Config = {
	modules: {
		technology: "perc",
		temperature_coefficient: -0.35,
		installation_year: null,
	},
	mounting: { type: "open", height_above_ground: 0 },
	inverter: { clip_max_percent: 120, clip_min_percent: 0.1 },
	losses: {
		cable: 0.015,
		conversion: 0.025,
		albedo: 0.15,
		snow_slide: 0.3,
		diffuse_model: "perez",
	},
	shading: { use_terrain_horizon: true, sky_obstruction: null },
	tracking: {
		type: "fixed",
		axis_azimuth: 180,
		axis_tilt: 0,
		max_angle: 60,
		backtracking: true,
	},
};

/** A site as the demo keeps it: of its config only what was set. Instants are UTC. */
interface DemoSite {
	readonly id: string;
	name: string | null;
	latitude: number;
	longitude: number;
	strings: (StringBody & { readonly id: string })[];
	config: Config;
	temporary: boolean;
	readonly created_at: string;
	deleted_at: string | null;
}

/** The sites of the demo account, as long as its process runs. */
export class DemoSites {
	readonly #sites = new Map<string, DemoSite>();
	#ids = 0;

	/** @param now the demo's clock, epoch ms */
	constructor(private readonly now: () => number) {}

	/** All sites as a read returns them. */
	list(): object[] {
		return [...this.#sites.values()].map((site) => this.record(site));
	}

	/** @param isUsed whether one that is pending deletion will not do */
	find(id: string, isUsed = false): DemoSite {
		const site = this.#sites.get(id);
		if (!site) throw new Refusal(404, "Site not found");
		if (isUsed && site.deleted_at !== null)
			throw new Refusal(404, "Site not found: it is pending deletion");
		return site;
	}

	/** @param id kept, as are those of its strings; without it all ids are new */
	create(body: SiteBody, id?: string): DemoSite {
		const { latitude, longitude, name = null, temporary } = body;
		const site: DemoSite = {
			id: id ?? this.#newId("site"),
			name,
			latitude,
			longitude,
			strings: [],
			config: {},
			temporary: temporary ?? false,
			created_at: this.#time(),
			deleted_at: null,
		};
		this.#sites.set(site.id, site);
		return this.change(site, {
			config: body.config,
			strings: (body.strings?.length ? body.strings : [DEFAULT_STRING]).map(
				(string: StringBody) => (id ? string : { ...string, id: null }),
			),
		});
	}

	/** Lays what was sent over a site: its strings as a whole, its config leaf by leaf. */
	change(site: DemoSite, { strings, config, ...fields }: SitePatch): DemoSite {
		Object.assign(site, fields);
		if (strings)
			site.strings = strings.map((string) => ({
				...string,
				id: string.id ?? this.#newId("str"),
			}));
		for (const [group, leaves] of Object.entries(config ?? {}))
			site.config[group] = leaves && { ...site.config[group], ...leaves };
		return site;
	}

	delete(site: DemoSite): DemoSite {
		site.deleted_at ??= this.#time();
		return site;
	}

	/** Takes a deletion back; a temporary site stays from now on. */
	restore(site: DemoSite): DemoSite {
		return Object.assign(site, { deleted_at: null, temporary: false });
	}

	/** A site as a read returns it, its config over the defaults: null stands for those. */
	record(site: DemoSite): object {
		const groups = Object.keys({ ...DEFAULT_CONFIG, ...site.config });
		return {
			...site,
			elevation: 34,
			timezone: demoZone(site),
			terrain_horizon: Array(36).fill(HORIZON),
			strings: site.strings.map((string, string_index) => ({
				...string,
				string_index,
			})),
			config: Object.fromEntries(
				groups.map((group) => [
					group,
					{ ...DEFAULT_CONFIG[group], ...withoutNulls(site.config[group]) },
				]),
			),
			status: site.deleted_at
				? "pending_deletion"
				: site.temporary
					? "temporary"
					: "active",
		};
	}

	#time(): string {
		return isoText(this.now(), "utc");
	}

	#newId(prefix: string): string {
		this.#ids += 1;
		return `${prefix}_demo_${this.#ids}`;
	}
}

function withoutNulls(leaves: object | null | undefined): object {
	return Object.fromEntries(
		Object.entries(leaves ?? {}).filter(([, value]) => value !== null),
	);
}
