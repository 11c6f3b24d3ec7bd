import type { NowPayload } from "../../forecast/now";
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

/** The fields that are a value by themselves, null where unknown. */
function scalarsOf(
	payload: NowPayload,
): [field: string, value: Scalar | null][] {
	return Object.entries(payload).flatMap(
		([field, value]): [string, Scalar | null][] => {
			if (value === null || value === undefined) return [[field, null]];
			if (typeof value === "number") {
				return [[field, Number.isFinite(value) ? value : null]];
			}
			return typeof value === "boolean" || typeof value === "string"
				? [[field, value]]
				: [];
		},
	);
}

/** A site and what was sent of it, by topic. */
interface SiteState {
	readonly live: LiveSite;
	readonly sent: Map<string, Scalar>;
}

/**
 * The values of now, one message each: all of them with a forecast, new or sent
 * again, and between two of them only what has changed. A value that becomes unknown
 * is taken off the broker; one that is unknown from the start is not sent.
 */
export class ScalarValues extends Exporter<SiteState> {
	update(input: LiveInput): ExportMessage[] {
		const label = siteLabel(input.facts);
		const site = this.sites.get(label) ?? {
			live: new LiveSite(input),
			sent: new Map(),
		};
		this.sites.set(label, site);
		site.live.receive(input);
		// A flow has a forecast sent again when its broker is back, which may hold nothing.
		if (input.forecast) site.sent.clear();
		return this.#publish(site, input.nowMs);
	}

	renew(nowMs: number): ExportMessage[] {
		return [...this.sites.values()].flatMap((site) =>
			site.live.isDue(nowMs) ? this.#publish(site, nowMs) : [],
		);
	}

	nextRenewal(nowMs: number): number | null {
		return nextRenewal(this.sites.values(), nowMs);
	}

	#publish({ live, sent }: SiteState, nowMs: number): ExportMessage[] {
		const dated = live.values(nowMs);
		if (!dated) return [];
		const messages: ExportMessage[] = [];
		const topics: string[] = [];
		for (const [field, value] of scalarsOf(dated.values)) {
			const topic = `${live.base}/${field}`;
			if (value === null) {
				sent.delete(topic);
				continue;
			}
			topics.push(topic);
			if (sent.get(topic) === value) continue;
			sent.set(topic, value);
			messages.push(messageOf(topic, value, undefined, live.facts));
		}
		return [...messages, ...clearing(this.note(live.label, { topics }))];
	}
}
