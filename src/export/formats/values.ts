import { siteLabel } from "../../messages/topic";
import { Exporter } from "../exporter";
import type { FormatDescription } from "../format";
import { type LiveInput, LiveSite, nextRenewal } from "../live-site";
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
}

/**
 * The values of now, one message each: all of them with a forecast, new or sent
 * again, and between two of them only what has changed. A value that becomes unknown
 * is taken off the broker; one that is unknown from the start is not sent.
 */
export class ScalarValues extends Exporter<Site> {
	update(input: LiveInput): ExportMessage[] {
		const label = siteLabel(input.facts);
		const site = this.sites.get(label) ?? new Site(input);
		this.sites.set(label, site);
		site.receive(input);
		// A flow has a forecast sent again when its broker is back, which may hold nothing.
		if (input.forecast) site.sent.clear();
		return this.#publish(site, input.nowMs);
	}

	renew(nowMs: number): ExportMessage[] {
		return [...this.sites.values()].flatMap((site) =>
			site.isDue(nowMs) ? this.#publish(site, nowMs) : [],
		);
	}

	nextRenewal(nowMs: number): number | null {
		return nextRenewal(this.sites.values(), nowMs);
	}

	#publish(site: Site, nowMs: number): ExportMessage[] {
		const { base, facts, label, sent } = site;
		const dated = site.values(nowMs);
		if (!dated) return [];
		const messages: ExportMessage[] = [];
		const topics: string[] = [];
		for (const [field, given] of Object.entries(dated.values)) {
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
