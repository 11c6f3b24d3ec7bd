import type { NodeAPI } from "node-red";
import type { Output } from "../../src/window/output";
import {
	type PlanMessage,
	planMessage,
	type Sender,
	type SwitchMessage,
	switchMessage,
} from "./messages";

/** A message for each output, null where there is none. */
export type Messages = readonly [SwitchMessage | null, PlanMessage | null];

/** Sends each output when it changes, and once after a start. */
export class WindowOutputs {
	readonly #send: (messages: readonly unknown[]) => void;
	#switch: boolean | undefined;
	/** The last plan, as JSON. */
	#plan: string | undefined;
	#sending: Promise<void> = Promise.resolve();

	/** @param send for messages that no message caused */
	constructor(send: (messages: readonly unknown[]) => void) {
		this.#send = send;
	}

	/**
	 * The messages that an output calls for.
	 *
	 * @param reason why it is on or off, in words
	 */
	next(output: Output, sender: Sender, reason: string): Messages {
		const isSwitched = output.on !== this.#switch;
		this.#switch = output.on;
		const plan = sender.solar && planMessage(output, sender);
		const json = plan && JSON.stringify(plan.payload);
		const isPlanned = json !== undefined && json !== this.#plan;
		if (isPlanned) this.#plan = json;
		return [
			isSwitched ? switchMessage(output, sender, reason) : null,
			plan && isPlanned ? plan : null,
		];
	}

	/**
	 * Sends once what was decided is on disk, one after the other: whoever is killed
	 * in between says it again after the start, and begins no second run.
	 *
	 * @param saved resolves when it is
	 */
	deliver(
		messages: readonly unknown[],
		saved: Promise<void>,
		send = this.#send,
	): Promise<void> {
		const sent = this.#sending
			.then(() => saved)
			.then(() => {
				if (messages.some(Boolean)) send(messages);
			});
		this.#sending = sent.catch(() => {});
		return sent;
	}

	/** Resolves when all messages so far are sent. */
	idle(): Promise<void> {
		return this.#sending;
	}
}

/** Messages with the properties of the one that caused them. */
export function withProperties(
	RED: NodeAPI,
	[first, second]: Messages,
	kept: Record<string, unknown>,
): readonly (object | null)[] {
	const own = first && second ? RED.util.cloneMessage(kept as never) : kept;
	return [
		first && { ...kept, ...first },
		second && { ...(own as object), ...second },
	];
}
