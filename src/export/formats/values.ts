import { stringLevels } from "../../messages/topic";
import { MINUTE_MS, utcText } from "../../util/time";
import type { FormatDescription } from "../format";
import { type DatedValues, LiveExporter, LiveSite } from "../live-site";
import { type ExportMessage, messageOf } from "../message";
import { clearing } from "../published";

export const values: FormatDescription = {
	contentType: null,
	options: [],
};

type Scalar = number | boolean | string;

/** A value that stands by itself; null where it is unknown, undefined where it is none. */
function scalarOf(value: unknown): Scalar | null | undefined {
	if (typeof value === "number") return Number.isFinite(value) ? value : null;
	if (typeof value === "boolean" || typeof value === "string") return value;
	return value == null ? null : undefined;
}

/** A site and what was sent of it, by topic. */
class Site extends LiveSite {
	readonly sent = new Map<string, Scalar>();

	/** Values by topic; the days from today on, today being 0, as in the forecast's own topics. */
	scalars({ values, at }: DatedValues, nowMs: number): [string, unknown][] {
		const { days, strings, ...flat } = values;
		const levels = stringLevels(
			strings.map(({ string_id }, string_index) => ({
				string_id,
				string_index,
			})),
		);
		return [
			...Object.entries(flat),
			...days
				.map((day, n): [string, unknown] => [
					`day_${n}_energy_kwh`,
					day.pv_energy_kwh,
				])
				.slice(2),
			...strings.flatMap((string, index): [string, unknown][] => [
				[`${levels[index]}/power_now_w`, string.power_now_w],
				[`${levels[index]}/energy_today_kwh`, string.energy_today_kwh],
			]),
			["requests_remaining", this.quota?.remaining],
			["sent_at", utcText(at)],
			["valid_until", utcText(at + this.validMinutes(nowMs) * MINUTE_MS)],
		];
	}
}

/**
 * The values of now, one message each: all of them with a forecast, new or sent
 * again, and between two of them only what has changed. A value that becomes unknown
 * is taken off the broker; one that is unknown from the start is not sent.
 */
export class ScalarValues extends LiveExporter<Site> {
	protected readonly Site = Site;

	protected publish(
		site: Site,
		nowMs: number,
		isAll: boolean,
	): ExportMessage[] {
		const { base, facts, label, sent } = site;
		if (isAll) sent.clear();
		const dated = site.values(nowMs);
		if (!dated) return [];
		const messages: ExportMessage[] = [];
		const topics: string[] = [];
		for (const [field, given] of site.scalars(dated, nowMs)) {
			const value = scalarOf(given);
			if (value === undefined) continue;
			const topic = `${base}/${field}`;
			if (value === null) {
				sent.delete(topic);
				continue;
			}
			topics.push(topic);
			if (sent.get(topic) === value) continue;
			sent.set(topic, value);
			messages.push(messageOf(topic, value, undefined, facts));
		}
		return [...messages, ...clearing(this.note(label, topics))];
	}
}
