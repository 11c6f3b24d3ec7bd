import type { Forecast } from "../forecast/forecast";
import type { AnswerFacts } from "../service/client";
import type { Text } from "../texts/texts";
import { MINUTE_MS } from "../util/time";
import { Zone } from "../util/zone";

/** What a person should know of the service and this machine, said once each. */
export class Reports {
	readonly #said = new Set<string>();

	constructor(readonly tell: (text: Text) => void) {}

	/** Says that a count cannot be read. */
	count({ unreadable }: AnswerFacts): void {
		if (!unreadable) return;
		const text = Object.entries(unreadable).map(([name, value]) => ({
			key: "polling.header",
			values: { name, value: JSON.stringify(value) },
		}));
		this.#once({ key: "polling.unreadable_count", values: { text } });
	}

	/**
	 * Says that this machine's clock is wrong, whichever way: certificates, days and
	 * values of now go by it. A clock that is years off is known only by the forecast.
	 *
	 * @param offset of the clock, ms; null where it is right
	 */
	clock(offset: number | null): void {
		if (offset === null) return;
		const minutes = Math.round(Math.abs(offset) / MINUTE_MS);
		const key = offset > 0 ? "polling.clock_behind" : "polling.clock_ahead";
		this.#once({ key, values: { minutes } }, "clock");
	}

	/** Says that a site's clock is that of the rows, where this machine's data deny it. */
	zone({ zone, values }: Forecast): void {
		const own = Zone.of(zone.name);
		const at = values.starts.find(
			(start) => own?.offsetAt(start) !== zone.offsetAt(start),
		);
		if (at === undefined || !own) return;
		this.#once({
			key: "polling.zone_denied",
			values: {
				zone: zone.name,
				said: zone.format(at),
				version: process.versions.tz ?? "?",
				own: own.format(at),
			},
		});
	}

	/** @param topic what it is about, where several texts are of the same */
	#once(text: Text, topic: string = text.key): void {
		if (this.#said.has(topic)) return;
		this.#said.add(topic);
		this.tell(text);
	}
}
