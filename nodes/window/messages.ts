import { copyOf, type SolarFacts } from "../../src/messages/facts";
import { DEFAULT_PREFIX, topicLevel } from "../../src/messages/topic";
import type { Zone } from "../../src/util/zone";
import {
	type Output,
	type WindowFacts,
	type WindowRow,
	windowFacts,
	windowRows,
} from "../../src/window/output";
import type { WindowState } from "../../src/window/state";

interface FromWindow {
	readonly topic: string;
	/** A switch that a broker repeats to an appliance long after would be dangerous. */
	readonly retain: false;
	readonly solar?: SolarFacts;
}

interface SwitchMessage extends FromWindow {
	readonly payload: boolean;
	readonly window: WindowFacts;
}

interface PlanMessage extends FromWindow {
	readonly payload: readonly WindowRow[];
}

/** What messages are made of besides the output. */
interface Sender {
	readonly site: WindowState["site"];
	/** The node's name, or its id. */
	readonly name: string;
	readonly zone: Zone;
	/** Facts of the last forecast. */
	readonly solar: SolarFacts | undefined;
}

const topicOf = ({ site, name }: Sender) =>
	`${site?.topic ?? DEFAULT_PREFIX}/window/${topicLevel(name)}`;

const solarOf = ({ solar }: Sender) => solar && { solar: copyOf(solar) };

/** Output 1. */
const switchMessage = (
	output: Output,
	sender: Sender,
	reason: string,
): SwitchMessage => ({
	topic: topicOf(sender),
	payload: output.on,
	window: windowFacts(output, sender.zone, reason),
	retain: false,
	...solarOf(sender),
});

/** Output 2. */
const planMessage = (output: Output, sender: Sender): PlanMessage => ({
	topic: `${topicOf(sender)}/plan`,
	payload: windowRows(output, sender.zone),
	retain: false,
	...solarOf(sender),
});

/** Output 1 of a node whose settings cannot be used. */
export const offMessage = (name: string, reason: string): SwitchMessage => ({
	topic: `${DEFAULT_PREFIX}/window/${topicLevel(name)}`,
	payload: false,
	window: {
		on: false,
		start: null,
		end: null,
		next_start: null,
		next_end: null,
		energy_kwh: null,
		solar_share: null,
		power_w: 0,
		reason,
	},
	retain: false,
});

/** A message for each output, null where there is none. */
export type Messages = readonly [SwitchMessage | null, PlanMessage | null];

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
		const plan = sender.solar ? planMessage(output, sender) : null;
		const json = plan ? JSON.stringify(plan.payload) : this.#plan;
		const isPlanned = json === this.#plan;
		this.#plan = json;
		return [
			isSame ? null : switchMessage(output, sender, reason),
			isPlanned ? null : plan,
		];
	}
}
