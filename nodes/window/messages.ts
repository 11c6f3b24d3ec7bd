import { copyOf, type SolarFacts } from "../../src/messages/facts";
import { DEFAULT_PREFIX, topicLevel } from "../../src/messages/topic";
import { Zone } from "../../src/util/zone";
import {
	type Output,
	type Switch,
	windowFacts,
	windowRows,
} from "../../src/window/output";
import type { WindowState } from "../../src/window/state";

/** What messages are made of besides the output. */
interface Sender {
	readonly site: WindowState["site"];
	/** The node's name, or its id. */
	readonly name: string;
	readonly zone: Zone;
	/** Facts of the last forecast. */
	readonly solar: SolarFacts | undefined;
}

/** A switch that a broker repeats to an appliance long after would be dangerous. */
const message = (
	leaf: string,
	payload: unknown,
	{ site, name, solar }: Sender,
) => ({
	topic: `${site?.topic ?? DEFAULT_PREFIX}/window/${topicLevel(name)}${leaf}`,
	payload,
	retain: false,
	...(solar && { solar: copyOf(solar) }),
});

/** Output 1. */
const switchMessage = (output: Switch, sender: Sender, reason: string) => ({
	...message("", output.on, sender),
	window: windowFacts(output, sender.zone, reason),
});

/** Output 1 of a node whose settings cannot be used. */
export const offMessage = (name: string, reason: string) =>
	switchMessage(
		{ on: false, current: null, next: null, powerW: 0 },
		{ site: null, name, zone: Zone.utc, solar: undefined },
		reason,
	);

/** A message for each output, null where there is none. */
export type Messages = readonly [object | null, object | null];

/** Share of a power by which it must change to be told again. */
const LEAST_CHANGE = 0.1;

/** What was sent last, and is not sent again. */
export class Sent {
	#on: boolean | undefined;
	#powerW = 0;
	/** As JSON; blank before a forecast. */
	#plan = "";

	/** What an output says that was not sent yet. */
	news(output: Output, sender: Sender, reason: string): Messages {
		const powerW = output.powerW ?? 0;
		const change = Math.abs(powerW - this.#powerW);
		const isSame =
			output.on === this.#on && change <= LEAST_CHANGE * this.#powerW;
		if (!isSame) this.#powerW = powerW;
		this.#on = output.on;
		const rows = windowRows(output, sender.zone);
		const plan = sender.solar ? JSON.stringify(rows) : this.#plan;
		const isPlanned = plan === this.#plan;
		this.#plan = plan;
		return [
			isSame ? null : switchMessage(output, sender, reason),
			isPlanned ? null : message("/plan", rows, sender),
		];
	}
}
