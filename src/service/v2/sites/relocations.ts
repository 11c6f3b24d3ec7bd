import { z } from "zod";
import type { Site } from "./site";

/** Last known location of a site, and when it was first seen there. */
const Place = z.object({
	/** degrees */
	latitude: z.number(),
	/** degrees */
	longitude: z.number(),
	/** Epoch ms; null while it was never seen to move. */
	movedAt: z.number().nullable(),
});
const Places = z.record(z.string(), Place);
type Places = z.infer<typeof Places>;

/** Storage of the known locations, as text. */
interface TextKeeper {
	load(): Promise<string | undefined>;
	save(text: string): Promise<void>;
}

/**
 * Relocations of sites, made here or elsewhere, as reads have shown them: the service
 * allows one in 30 days and does not tell when the last one was (spec V2, "Limits").
 */
export class Relocations {
	readonly #keeper: TextKeeper | undefined;
	#places: Promise<Places> | undefined;

	constructor(keeper?: TextKeeper) {
		this.#keeper = keeper;
	}

	#known(): Promise<Places> {
		this.#places ??= this.#load();
		return this.#places;
	}

	async #load(): Promise<Places> {
		const places: Places = Object.create(null);
		try {
			const text = await this.#keeper?.load();
			if (text) Object.assign(places, Places.parse(JSON.parse(text)));
		} catch {
			// An unreadable file counts as none: relocations are noted from now on.
		}
		return places;
	}

	/** Time of the last relocation noted of a site, epoch ms; null for none. */
	async lastOf(siteId: string): Promise<number | null> {
		return (await this.#known())[siteId]?.movedAt ?? null;
	}

	/**
	 * Notes the locations of sites.
	 *
	 * @param now epoch ms
	 * @param isAll whether these are all sites of the account: others are forgotten
	 */
	async note(
		sites: readonly Site[],
		now: number,
		isAll = false,
	): Promise<void> {
		const places = await this.#known();
		const before = JSON.stringify(places);
		for (const { site_id, record } of sites) {
			const { latitude, longitude } = record;
			if (typeof latitude !== "number" || typeof longitude !== "number") {
				continue;
			}
			const known = places[site_id];
			const isHere =
				known?.latitude === latitude && known.longitude === longitude;
			if (!isHere) {
				places[site_id] = {
					latitude,
					longitude,
					movedAt: known ? now : null,
				};
			}
		}
		if (isAll) {
			const ids = new Set(sites.map(({ site_id }) => site_id));
			for (const id of Object.keys(places)) {
				if (!ids.has(id)) delete places[id];
			}
		}
		const text = JSON.stringify(places);
		if (text !== before) await this.#keeper?.save(text);
	}
}
