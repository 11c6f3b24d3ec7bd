import type { Forecast } from "../forecast/forecast";
import type { ForecastInput } from "../messages/input/forecast-input";
import { inputError } from "../service/errors/solar-yield-error";
import { show } from "../service/v2/schema-errors";
import { DAY_MS } from "../util/time";
import type { SumSettings } from "./sum-settings";

/** Whether two zones are one, maybe under another name: their clocks agree in each week of a year. */
function isSameClock(a: Forecast, b: Forecast): boolean {
	const [from = 0] = a.values.starts;
	return (
		a.zone.name === b.zone.name ||
		Array.from({ length: 53 }, (_, week) => from + week * 7 * DAY_MS).every(
			(instant) => a.zone.offsetAt(instant) === b.zone.offsetAt(instant),
		)
	);
}

/** The latest forecast of each site that is added. */
export class SumParts<Part extends ForecastInput> {
	readonly #settings: SumSettings;
	readonly #parts = new Map<string, Part>();
	/** Sites that are to come where the settings name none. */
	#expected: readonly string[] = [];

	constructor(settings: SumSettings) {
		this.#settings = settings;
	}

	/**
	 * Takes a forecast in, in place of the site's last one.
	 *
	 * @returns whether it belongs to the sum
	 * @throws SolarYieldError `INPUT` for a forecast of another time zone, for the
	 * sum itself, and for demo data beside real
	 */
	take(part: Part): boolean {
		const { sites, sumId } = this.#settings;
		const { site_id, demo } = part.solar;
		if (site_id === sumId) {
			throw inputError("sum.itself", { id: show(sumId) });
		}
		if (sites && !sites.includes(site_id)) return false;
		for (const [other, { forecast, solar }] of this.#parts) {
			if (other === site_id) continue;
			if (!isSameClock(forecast, part.forecast)) {
				throw inputError("sum.zones", {
					id: show(site_id),
					zone: part.forecast.zone.name,
					other: show(other),
					otherZone: forecast.zone.name,
				});
			}
			if (solar.demo !== demo) {
				throw inputError("sum.demo", {
					id: show(demo ? site_id : other),
					other: show(demo ? other : site_id),
				});
			}
		}
		this.#parts.set(site_id, part);
		return true;
	}

	/**
	 * Forgets sites.
	 *
	 * @returns whether any was known
	 */
	forget(isMeant: (siteId: string) => boolean): boolean {
		const gone = [...this.#parts.keys()].filter(isMeant);
		for (const id of gone) this.#parts.delete(id);
		return gone.length > 0;
	}

	/** Sites that are waited for where the settings name none; those of before that are no longer among them are forgotten. */
	get expected(): readonly string[] {
		return this.#expected;
	}

	set expected(ids: readonly string[]) {
		const before = this.#expected;
		this.#expected = ids;
		this.forget((id) => before.includes(id) && !ids.includes(id));
	}

	/** All that is known, in any order. */
	get all(): Part[] {
		return [...this.#parts.values()];
	}

	/** The named or expected sites of which no forecast is known yet. */
	get missing(): string[] {
		const ids = this.#settings.sites ?? this.#expected;
		return ids.filter((id) => !this.#parts.has(id));
	}

	/** The parts in their order, undefined while one is missing. */
	complete(): [Part, ...Part[]] | undefined {
		if (this.missing.length > 0 || this.#parts.size === 0) return undefined;
		const ids = this.#settings.sites ?? [...this.#parts.keys()].sort();
		return ids.map((id) => this.#parts.get(id)) as [Part, ...Part[]];
	}
}
