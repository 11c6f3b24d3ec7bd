import type { Node, NodeAPI, NodeMessageInFlow } from "node-red";
import { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import { isObject } from "../../src/util/guards";
import { type FailureBody, httpFailure } from "./http-failure";
import { speakServerLanguage } from "./phrases";

export type Message = NodeMessageInFlow & Record<string, unknown>;

/** An error that is safe to hand to Node-RED: ours, or a note of one that is not. */
export function ownError(error: unknown): SolarYieldError {
	try {
		return error instanceof SolarYieldError ? error : handlingError(error);
	} catch {
		// What a getter of a message throws may itself throw when it is read.
		return handlingError("no reason is given");
	}
}

function handlingError(reason: unknown): SolarYieldError {
	const text = reason instanceof Error ? reason.message : String(reason);
	return new SolarYieldError(
		"INPUT",
		`The message could not be handled (${String(text).slice(0, 200)}); check what is sent to this node`,
	);
}

/**
 * The input handler of every node: the work may be asynchronous and may fail,
 * each message ends in exactly one `done`, and nothing is sent after the node
 * was closed. (Node-RED ends the process when an async handler rejects.) What an
 * HTTP request brought leaves with the answer to it, so that from a Catch node to
 * `http response` there is nothing to be done.
 *
 * @param body of such an answer
 */
export function handleInput(
	RED: NodeAPI,
	node: Node,
	work: (
		msg: Message,
		send: (messages: unknown) => void,
	) => Promise<void> | void,
	body?: FailureBody,
): void {
	speakServerLanguage(RED, node);
	let closed = false;
	node.on("close", () => {
		closed = true;
	});
	node.on("input", (msg, send, done) => {
		const guarded = (messages: unknown) => {
			if (!closed) send(messages as Parameters<typeof send>[0]);
		};
		Promise.resolve()
			.then(() => work(msg as Message, guarded))
			.then(
				() => done(),
				(thrown) => {
					const error = ownError(thrown);
					try {
						if (isObject(msg) && isObject((msg as Message).res)) {
							Object.assign(msg, httpFailure(error, Date.now(), body));
						}
					} catch {
						// A message that cannot be written to still ends.
					}
					done(error);
				},
			)
			// A receiver that throws in its own handler must not end the process.
			.catch((error) => node.warn(ownError(error)));
	});
}

/**
 * Adds the properties of a received message to each of its answers: the first is the
 * received message itself, the others get copies.
 */
export function carrier(
	RED: NodeAPI,
	msg: Message,
): (answer: object) => Message {
	const { payload: _payload, parts: _parts, ...kept } = msg;
	// Copied before the first answer is sent, since its receiver may change it.
	const brought = RED.util.cloneMessage(kept);
	let isFirst = true;
	return (answer) => {
		if (!isFirst) return { ...RED.util.cloneMessage(brought), ...answer };
		isFirst = false;
		return Object.assign(msg, answer);
	};
}
