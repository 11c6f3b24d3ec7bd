import type { Node, NodeAPI, NodeDef } from "node-red";
import {
	type ForecastInput,
	forecastFromInput,
} from "../../src/messages/input/forecast-input";
import { readRemoval } from "../../src/messages/removal/read-removal";
import { siteTopicOf, topicLevel } from "../../src/messages/topic";
import {
	type ForecastSum,
	type RawSumSettings,
	readSumSettings,
	SumParts,
	type SumSettings,
	sumForecasts,
} from "../../src/sum";
import { type Clock, systemClock } from "../../src/util/clock";
import { Handover } from "../shared/deploy-handover";
import { handleInput, type Message, ownError } from "../shared/handler";
import { refuseInput } from "../shared/invalid-settings";
import { type SumState, sumStatus } from "./status";

/** Properties of `solar-yield-sum` in a flow file (behaviour: Messages). */
export interface SumConfig extends NodeDef, Omit<RawSumSettings, "name"> {}

/** What is handed over when only this node is deployed anew. */
interface Left {
	/** The last forecast of each site. */
	readonly inputs: ReadonlyMap<string, ForecastInput>;
	/** Topic of the sum, undefined before the first. */
	readonly topic: string | undefined;
}

const handover = new Handover<Left>();

/**
 * Wires a `solar-yield-sum` node: with each forecast of a site it sends that of all
 * sites together, once all are known.
 *
 * @param clock decides which day is today
 */
export function openSum(
	RED: NodeAPI,
	node: Node,
	config: SumConfig,
	clock: Clock = systemClock,
): void {
	let settings: SumSettings;
	try {
		settings = readSumSettings({ ...config });
	} catch (error) {
		refuseInput(RED, node, error);
		return;
	}
	const parts = new SumParts(settings);
	const left = handover.take(node);
	const inputs = new Map<string, ForecastInput>();
	let topic = left?.topic;
	let heard = left !== undefined;
	const take = (input: ForecastInput) => {
		if (!parts.take(input)) return false;
		inputs.set(input.solar.site_id, input);
		return true;
	};
	for (const input of left?.inputs.values() ?? []) {
		try {
			take(input);
		} catch {
			// The new settings may not fit what came before.
		}
	}

	const showStatus = (state: Pick<SumState, "sum" | "failure">) => {
		const { missing } = parts;
		node.status(
			sumStatus(
				{ missing, heard, count: inputs.size, ...state },
				clock.now(),
				RED._,
			),
		);
	};
	/** The sum of what is known, undefined while a site is missing. */
	const add = (): ForecastSum | undefined => {
		const complete = parts.complete();
		const sum = complete && sumForecasts(complete, settings, clock.now());
		showStatus({ sum });
		return sum;
	};
	const send = (
		sendOut: (messages: unknown) => void,
		msg: Message,
		sum: ForecastSum | undefined,
	) => {
		// Of a part; nodes behind would take it for the site that they are to show.
		delete msg.siteId;
		delete msg.operation;
		if (sum) {
			const { payload, solar } = sum;
			topic = `${siteTopicOf(msg.topic, solar)}/forecast`;
			sendOut(Object.assign(msg, { topic, payload, solar, retain: true }));
		} else if (topic !== undefined) {
			const siteId = settings.sumId;
			const removal = { topic, payload: "", retain: true };
			topic = undefined;
			sendOut(Object.assign(msg, removal, { operation: "remove", siteId }));
		}
	};

	node.on("close", (removed: boolean, done: () => void) => {
		if (inputs.size > 0 && !removed) {
			handover.leave(RED, node, { inputs, topic });
		}
		node.status({});
		done();
	});
	try {
		add();
	} catch (error) {
		showStatus({ failure: ownError(error) });
	}

	handleInput(RED, node, (msg, sendOut) => {
		try {
			const removal = readRemoval(msg);
			if (removal) {
				const gone = [...inputs.keys()].filter(
					(id) =>
						removal.siteId === undefined ||
						topicLevel(id) === topicLevel(removal.siteId),
				);
				if (gone.length === 0) return;
				for (const id of gone) {
					parts.forget(id);
					inputs.delete(id);
				}
				send(sendOut, msg, add());
				return;
			}
			const input = forecastFromInput(msg);
			heard = true;
			if (!take(input)) {
				if (parts.missing.length > 0) showStatus({});
				return;
			}
			const sum = add();
			if (sum) send(sendOut, msg, sum);
		} catch (error) {
			showStatus({ failure: ownError(error) });
			throw error;
		}
	});
}
