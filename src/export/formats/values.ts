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
	scalars({ values, at }: DatedValues, nowMs: number): object {
		const { days, strings, ...flat } = values;
		const all: Record<string, unknown> = { ...flat };
		for (const [n, { pv_energy_kwh }] of days.entries()) {
			if (n > 1) all[`day_${n}_energy_kwh`] = pv_energy_kwh;
		}
		const levels = stringLevels(
			strings.map(({ string_id }, string_index) => ({
				string_id,
				string_index,
			})),
		);
		for (const [index, string] of strings.entries()) {
			all[`${levels[index]}/power_now_w`] = string.power_now_w;
			all[`${levels[index]}/energy_today_kwh`] = string.energy_today_kwh;
		}
		return {
			...all,
			requests_remaining: this.quota?.remaining,
			sent_at: utcText(at),
			valid_until: utcText(at + this.validMinutes(nowMs) * MINUTE_MS),
		};
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
		for (const [field, given] of Object.entries(site.scalars(dated, nowMs))) {
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
