import { nowValues } from "../../forecast/now";
import { SolarYieldError } from "../../service/errors/solar-yield-error";
import { joinTexts, type Text, textIn } from "../../texts/texts";
import { type Language, languageFor } from "../../util/language";
import { HOUR_MS } from "../../util/time";
import { choice, type Format, languageOption } from "../format";
import type { CurveSpan } from "../source/curve";
import type { Source } from "../source/source";

/** Hour of the site's clock from which on tomorrow is of more interest than today. */
const EVENING = 16;
/** Hours that are recommended. */
const BEST_MS = 3 * HOUR_MS;
/** A day, or what is left of it, with less, kWh, has no best hours. */
const HARDLY_ANY = 0.5;
/** Days that differ by less than this share are alike. */
const ALIKE = 0.1;

/** Parts of a day by the hours of the clock. */
const PARTS = { morning: [6, 12], afternoon: [12, 18], evening: [18, 22] };
/** What is worth a word, the worst first, by the WMO's weather codes. */
const KINDS: readonly [kind: string, codes: RegExp][] = [
	["thunderstorm", /^9[5-9]$/],
	["snow", /^(7[0-7]|8[56])$/],
	["rain", /^(5\d|6\d|8[0-2])$/],
	["fog", /^4[58]$/],
];

/** The worst weather of a span, and the parts of the day in which it lasts an hour. */
function weatherOf(
	{ forecast, zone }: Source,
	{ from, to }: CurveSpan,
): Text | "" {
	const rows = forecast.values.starts
		.filter((start) => start >= from && start < to)
		.map((start) => ({
			hour: zone.quarterOfDay(start) / 4,
			code: String(forecast.values.rowAt(start)?.weather_code),
		}));
	for (const [kind, codes] of KINDS) {
		const parts = Object.entries(PARTS).filter(
			([, [first = 0, last = 0]]) =>
				rows.filter(
					({ hour, code }) => hour >= first && hour < last && codes.test(code),
				).length >= 4,
		);
		if (parts.length === 0) continue;
		const when = joinTexts(
			"text.and",
			parts.length === 3
				? [{ key: "text.all_day" }]
				: parts.map(([part]) => ({ key: `text.${part}` })),
		);
		return {
			key: "text.weather",
			values: { kind: { key: `text.${kind}` }, when },
		};
	}
	return "";
}

/** The three hours of a span with most power, on the half hours. */
function bestOf(
	source: Source,
	{ from, to }: CurveSpan,
): CurveSpan | undefined {
	const first = Math.ceil(from / (HOUR_MS / 2)) * (HOUR_MS / 2);
	let best: (CurveSpan & { watts: number }) | undefined;
	for (let start = first; start + BEST_MS <= to; start += HOUR_MS / 2) {
		const watts = source.curve.mean(start, start + BEST_MS);
		if (watts > (best?.watts ?? 0))
			best = { from: start, to: start + BEST_MS, watts };
	}
	return best;
}

function compared(energy: number, today: number | null): Text | "" {
	if (today === null) return "";
	if (Math.abs(energy - today) <= ALIKE * Math.max(energy, today))
		return { key: "text.alike" };
	return { key: energy > today ? "text.more" : "text.less" };
}

/** One or two sentences on a day, for a phone, a display or a voice. */
function sentences(source: Source, isTomorrow: boolean, language: Language) {
	const { forecast, facts, nowMs, zone, today } = source;
	const now = nowValues(forecast, facts, nowMs);
	const day = today + (isTomorrow ? 1 : 0);
	const energy = isTomorrow ? now.energy_tomorrow_kwh : now.energy_today_kwh;
	const span = {
		from: Math.max(zone.dayStart(day), nowMs),
		to: zone.dayStart(day + 1),
	};
	if (energy === null) {
		throw new SolarYieldError("RESPONSE", "export.no_text", {
			date: { at: zone.dayStart(day), zone: zone.name, dateOnly: true },
		});
	}
	const kwh = (value: number) =>
		value.toLocaleString(language, {
			maximumFractionDigits: value < 9.95 ? 1 : 0,
		});
	const left = now.energy_remaining_today_kwh;
	const ahead = isTomorrow ? energy : (left ?? energy);
	const best = ahead < HARDLY_ANY ? undefined : bestOf(source, span);
	const time = (at: number) => zone.format(at).slice(11, 16);
	const values = {
		day: { key: isTomorrow ? "text.tomorrow" : "text.today" },
		energy: kwh(energy),
		more: isTomorrow
			? compared(energy, now.energy_today_kwh)
			: left === null || left < HARDLY_ANY
				? ""
				: { key: "text.left", values: { energy: kwh(left) } },
		weather: weatherOf(source, span),
		...(best && { from: time(best.from), to: time(best.to) }),
	};
	const dark = isTomorrow ? "text.dark" : "text.over";
	const key = best ? "text.sunny" : ahead < HARDLY_ANY ? dark : "text.plain";
	const text = textIn({ key, values }, language);
	return facts.demo
		? textIn({ key: "text.demo", values: { text } }, language)
		: text;
}

/** A day in words. */
export const text: Format = {
	contentType: "text/plain; charset=utf-8",
	onAnyMessage: true,
	options: [languageOption, choice("day", ["auto", "today", "tomorrow"])],
	make(source, { language, day }) {
		const { zone, nowMs, today } = source;
		const isEvening = zone.quarterOfDay(nowMs) / 4 >= EVENING;
		const isTomorrow = day === "auto" ? isEvening : day === "tomorrow";
		const words = sentences(source, isTomorrow, languageFor(language));
		const from = zone.dayStart(today + (isTomorrow ? 1 : 0));
		const to = zone.dayStart(zone.dayOf(from) + 1);
		return [{ payload: words, span: { from, to }, extra: { text: words } }];
	},
};
