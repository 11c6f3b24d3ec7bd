import type { Node, NodeAPI, NodeMessageInFlow, NodeStatus } from "node-red";
import {
	inputError,
	restated,
	SolarYieldError,
} from "../../src/service/errors/solar-yield-error";
import { isText, textIn } from "../../src/texts/texts";
import { isObject } from "../../src/util/guards";
import { onFlowsStarted } from "./flows-started";
import { type FailureBody, httpFailure } from "./http-failure";
import { languageOf, problemStatus, type RequestState } from "./status";

export type Message = NodeMessageInFlow & Record<string, unknown>;

/** An error that is safe to hand to Node-RED: ours, or a note of one that is not. */
export function ownError(error: unknown): SolarYieldError {
	try {
		if (error instanceof SolarYieldError) return error;
		const text = error instanceof Error ? error.message : String(error);
		return inputError("nodes.message", { reason: String(text).slice(0, 200) });
	} catch {
		// What a getter of a message throws may itself throw when it is read.
		return inputError("nodes.message", { reason: { key: "nodes.no_reason" } });
	}
}

/** An error in the server's language, as statuses are. */
const spokenError = (RED: NodeAPI, error: unknown): SolarYieldError => {
	const language = languageOf(RED._);
	const own = ownError(error);
	return language === "en-US" ? own : restated(own, { language });
};

/** Hands a warning to Node-RED: a text, or what was thrown. */
export const tellWarning = (RED: NodeAPI, node: Node, what: unknown): void =>
	node.warn(
		isText(what) ? textIn(what, languageOf(RED._)) : spokenError(RED, what),
	);

/** Hands an error to Catch nodes that no input brought about. */
export const tellError = (
	RED: NodeAPI,
	node: Node,
	error: unknown,
	topic: string,
): void => node.error(spokenError(RED, error), { topic });

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
					done(spokenError(RED, error));
				},
			)
			// A receiver that throws in its own handler must not end the process.
			.catch((error) => tellWarning(RED, node, error));
	});
}

/**
 * Wires a node whose settings are invalid: its status says so, and every message to
 * it ends in the error.
 */
export function refuseInput(RED: NodeAPI, node: Node, error: unknown): void {
	const problem = ownError(error);
	const show = () => node.status(problemStatus(problem, RED._));
	show();
	// Status nodes hear of nothing before.
	const stop = onFlowsStarted(RED, show);
	handleInput(RED, node, () => {
		throw problem;
	});
	node.on("close", () => {
		stop();
		node.status({});
	});
}

/**
 * Wires a node that makes a request for each message: its status shows that it asks,
 * what came of it, or why it could not.
 *
 * @param work shows what came of it by `show`, and ends early once the node is closed
 */
export function handleRequests<Done>(
	RED: NodeAPI,
	node: Node,
	statusOf: (state: RequestState | Done) => NodeStatus,
	work: (
		msg: Message,
		send: (messages: unknown) => void,
		show: (state: RequestState | Done) => void,
		isClosed: () => boolean,
	) => Promise<void>,
): void {
	let closed = false;
	const isClosed = () => closed;
	const show = (state: RequestState | Done) => {
		if (!closed) node.status(statusOf(state));
	};
	node.status({});
	node.on("close", () => {
		closed = true;
		node.status({});
	});
	handleInput(RED, node, async (msg, send) => {
		show({ asking: true });
		try {
			await work(msg, send, show, isClosed);
		} catch (error) {
			show({ failure: ownError(error) });
			throw error;
		}
	});
}

/** What a node answers: a message, or a list for several outputs or messages, with nothing for some. */
export type Answer = object | null | undefined | false | readonly Answer[];

/**
 * The answer to a message, with a copy of whatever else the message brought
 * (`_msgid`, an HTTP request, what a flow has put on it).
 *
 * @param ends properties of the message that go no further
 */
export function answerTo(
	RED: NodeAPI,
	msg: Message,
	answer: Answer,
	ends: readonly string[] = [],
): Answer {
	if (!answer) return null;
	if (Array.isArray(answer)) {
		return answer.map((each) => answerTo(RED, msg, each, ends));
	}
	const kept = Object.entries(msg).filter(
		([name]) => !(Object.hasOwn(answer, name) || ends.includes(name)),
	);
	const copy = RED.util.cloneMessage(Object.fromEntries(kept) as Message);
	return { ...copy, ...answer };
}
