import { Band } from "../../forecast/band";
import type { Forecast } from "../../forecast/forecast";
import type { Series } from "../../forecast/series";
import type { SolarFacts } from "../../messages/facts";
import type { Zone } from "../../util/zone";
import { Curve } from "./curve";
import { type Request, readRequest } from "./request";

/** A forecast made ready for the formats. Instants are epoch ms. */
export interface Source {
	readonly forecast: Forecast;
	readonly facts: SolarFacts;
	readonly nowMs: number;
	readonly zone: Zone;
	/** The site's local date now, days since 1970-01-01. */
	readonly today: number;
	/** First instant of that date. */
	readonly todayStart: number;
	readonly band: Band;
	/** `pv_power`. */
	readonly curve: Curve;
	/** The other power fields that the rows have, by their name; the band only where it is known. */
	readonly curves: ReadonlyMap<string, Curve>;
	/** `pv_power` of each string, in the order of the forecast's. */
	readonly strings: readonly Curve[];
	/** The HTTP request that is answered; empty without one. */
	readonly request: Request;
}

const EDGES = new Set(["pv_power_min", "pv_power_max"]);

/** Every power field of rows as a curve, by the field's name; the band only where it is known. */
export function powerCurves(series: Series, band: Band): Map<string, Curve> {
	const curves = new Map<string, Curve>();
	for (const field of series.fields) {
		if (!field.startsWith("pv_power")) continue;
		const curve = new Curve(series, field, EDGES.has(field) ? band : undefined);
		if (!curve.isEmpty) curves.set(field, curve);
	}
	return curves;
}

/** A forecast as a message brings it. */
export interface ExportInput {
	readonly forecast: Forecast;
	readonly facts: SolarFacts;
	readonly nowMs: number;
	/** Topic of the incoming message; ours begin as it does. */
	readonly topic?: unknown;
	/** The HTTP request that is answered. */
	readonly request?: Request | undefined;
}

/** A forecast made ready for the formats. */
export function sourceOf({
	forecast,
	facts,
	nowMs,
	request = readRequest(undefined),
}: ExportInput): Source {
	const { values, zone } = forecast;
	const band = new Band(forecast);
	const curves = powerCurves(values, band);
	const curve = curves.get("pv_power") ?? new Curve(values);
	curves.delete("pv_power");
	const today = zone.dayOf(nowMs);
	return {
		forecast,
		facts,
		nowMs,
		zone,
		today,
		todayStart: zone.dayStart(today),
		band,
		curve,
		curves,
		strings: (forecast.strings ?? []).map(({ series }) => new Curve(series)),
		request,
	};
}
