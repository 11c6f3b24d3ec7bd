import type { SensorField } from "./fields";

export const NAME_LANGUAGES = ["en", "de"] as const;
export type NameLanguage = (typeof NAME_LANGUAGES)[number];

/** Names of a device and its entities in one language. */
export interface Names {
	readonly device: (site: string) => string;
	readonly demo: (site: string) => string;
	readonly model: { readonly site: string; readonly demo: string };
	readonly sensors: Readonly<Record<SensorField, string>>;
	/** Energy of a day after tomorrow; today is day 1. */
	readonly day: (day: number) => string;
	readonly string: {
		readonly energyToday: (id: string) => string;
		readonly powerNow: (id: string) => string;
		readonly energyRemaining: (id: string) => string;
	};
	readonly stale: string;
	readonly refresh: string;
}

const en: Names = {
	device: (site) => `PV forecast ${site}`,
	demo: (site) => `Demo ${site}`,
	model: { site: "Forecast of a site", demo: "Demo data" },
	sensors: {
		power_now_w: "Power now",
		power_in_30min_w: "Power in 30 minutes",
		power_in_1h_w: "Power in 1 hour",
		power_now_min_w: "Power now, minimum",
		power_now_max_w: "Power now, maximum",
		power_clearsky_now_w: "Power now under a clear sky",
		energy_this_hour_kwh: "Energy this hour",
		energy_next_hour_kwh: "Energy next hour",
		energy_so_far_today_kwh: "Energy so far today",
		energy_remaining_today_kwh: "Energy remaining today",
		energy_today_kwh: "Energy today",
		energy_today_settled_kwh: "Energy today, settled",
		energy_today_min_kwh: "Energy today, minimum",
		energy_today_max_kwh: "Energy today, maximum",
		energy_tomorrow_kwh: "Energy tomorrow",
		energy_tomorrow_min_kwh: "Energy tomorrow, minimum",
		energy_tomorrow_max_kwh: "Energy tomorrow, maximum",
		peak_power_today_w: "Peak power today",
		peak_time_today: "Peak time today",
		peak_power_tomorrow_w: "Peak power tomorrow",
		peak_time_tomorrow: "Peak time tomorrow",
		production_start_today: "Production start today",
		production_end_today: "Production end today",
		production_start_tomorrow: "Production start tomorrow",
		production_end_tomorrow: "Production end tomorrow",
		temp_now: "Temperature now",
		weather_code_now: "Weather code now",
		installed_power_kw: "Peak power of the modules",
		learned_days: "Days learned from the meter",
		computed_at: "Computed at",
		next_poll_at: "Next forecast at",
		fetched_at: "Fetched at",
		age_minutes: "Age",
		horizon_hours: "Horizon",
		gaps: "Gaps today",
		requests_used: "Requests used",
		requests_remaining: "Requests remaining",
		requests_limit: "Requests limit",
		requests_own: "Requests of this Node-RED",
		requests_projected: "Requests projected",
		requests_pace: "Request pace",
		requests_reset: "Requests reset at",
		requests_as_of: "Requests as of",
	},
	day: (day) => `Energy day ${day}`,
	string: {
		energyToday: (id) => `Energy today of ${id}`,
		powerNow: (id) => `Power now of ${id}`,
		energyRemaining: (id) => `Energy remaining today of ${id}`,
	},
	stale: "Stale",
	refresh: "Refresh now (costs 1 request)",
};

const de: Names = {
	device: (site) => `PV-Prognose ${site}`,
	demo: (site) => `Demo ${site}`,
	model: { site: "Prognose einer Anlage", demo: "Demodaten" },
	sensors: {
		power_now_w: "Leistung jetzt",
		power_in_30min_w: "Leistung in 30 Minuten",
		power_in_1h_w: "Leistung in 1 Stunde",
		power_now_min_w: "Leistung jetzt, mindestens",
		power_now_max_w: "Leistung jetzt, höchstens",
		power_clearsky_now_w: "Leistung jetzt bei klarem Himmel",
		energy_this_hour_kwh: "Ertrag diese Stunde",
		energy_next_hour_kwh: "Ertrag nächste Stunde",
		energy_so_far_today_kwh: "Ertrag heute bisher",
		energy_remaining_today_kwh: "Ertrag heute noch",
		energy_today_kwh: "Ertrag heute",
		energy_today_settled_kwh: "Ertrag heute, festgeschrieben",
		energy_today_min_kwh: "Ertrag heute, mindestens",
		energy_today_max_kwh: "Ertrag heute, höchstens",
		energy_tomorrow_kwh: "Ertrag morgen",
		energy_tomorrow_min_kwh: "Ertrag morgen, mindestens",
		energy_tomorrow_max_kwh: "Ertrag morgen, höchstens",
		peak_power_today_w: "Spitzenleistung heute",
		peak_time_today: "Zeit der Spitze heute",
		peak_power_tomorrow_w: "Spitzenleistung morgen",
		peak_time_tomorrow: "Zeit der Spitze morgen",
		production_start_today: "Erzeugung heute ab",
		production_end_today: "Erzeugung heute bis",
		production_start_tomorrow: "Erzeugung morgen ab",
		production_end_tomorrow: "Erzeugung morgen bis",
		temp_now: "Temperatur jetzt",
		weather_code_now: "Wettercode jetzt",
		installed_power_kw: "Nennleistung der Module",
		learned_days: "Vom Zähler gelernte Tage",
		computed_at: "Berechnet um",
		next_poll_at: "Nächste Prognose um",
		fetched_at: "Abgerufen um",
		age_minutes: "Alter",
		horizon_hours: "Reichweite",
		gaps: "Lücken heute",
		requests_used: "Abfragen verbraucht",
		requests_remaining: "Abfragen übrig",
		requests_limit: "Abfragen, Grenze",
		requests_own: "Abfragen dieses Node-RED",
		requests_projected: "Abfragen, voraussichtlich",
		requests_pace: "Abfragen, Takt",
		requests_reset: "Abfragen, zurückgesetzt am",
		requests_as_of: "Abfragen, Stand vom",
	},
	day: (day) => `Ertrag Tag ${day}`,
	string: {
		energyToday: (id) => `Ertrag heute von ${id}`,
		powerNow: (id) => `Leistung jetzt von ${id}`,
		energyRemaining: (id) => `Ertrag heute noch von ${id}`,
	},
	stale: "Veraltet",
	refresh: "Jetzt aktualisieren (kostet 1 Abfrage)",
};

export const NAMES: Readonly<Record<NameLanguage, Names>> = { en, de };
