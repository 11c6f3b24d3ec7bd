import type { Node, NodeAPI, NodeDef } from "node-red";
import { type NowPayload, nowValues } from "../../src/forecast/now";
import { windowEnergy } from "../../src/forecast/window";
import {
	copyOf,
	type QuotaFacts,
	readQuotaFacts,
	type SolarFacts,
} from "../../src/messages/facts";
import {
	type ForecastInput,
	followSite,
	forecastFromInput,
	readPayload,
} from "../../src/messages/input/forecast-input";
import { readRemoval } from "../../src/messages/removal/read-removal";
import { readSiteId } from "../../src/messages/selection";
import { siteTopicOf, topicLevel } from "../../src/messages/topic";
import { inputError } from "../../src/service/errors/solar-yield-error";
import { show } from "../../src/service/v2/schema-errors";
import { type Clock, systemClock } from "../../src/util/clock";
import { MINUTE_MS } from "../../src/util/time";
import { Timer } from "../../src/util/timer";
import { Handover } from "../shared/deploy-handover";
import { handleInput, type Message, tellWarning } from "../shared/handler";
import { refuseInput } from "../shared/invalid-settings";
import { DEFAULT_EVERY, EVERY } from "./minutes";
import { nowStatus } from "./status";

/** Properties of `solar-yield-now` in a flow file (behaviour: Messages). */
export interface NowConfig extends NodeDef {
	every: string | number;
}

/**
 * Lateness, in ms, from which a wake-up counts as late (a busy host, or one that
 * slept). Values of a punctual one are those of the exact instant of the grid, so
 * that every Node-RED shows the same.
 */
const PUNCTUAL_MS = 5_000;

/** The last forecast that a node received. */
interface FollowedForecast extends ForecastInput {
	/** `<prefix>/<site_id>`. */
	readonly base: string;
	readonly quota: QuotaFacts | undefined;
}

interface NowMessage {
	topic: string;
	payload: NowPayload;
	retain: true;
	/** Minutes until the next message at the latest; others expire values by it. */
	every: number;
	solar: SolarFacts;
	quota?: QuotaFacts;
}

const handover = new Handover<FollowedForecast>();

function readEvery(value: unknown): number {
	if (value === undefined || value === null || value === "") {
		return DEFAULT_EVERY;
	}
	const every = EVERY.find((minutes) => minutes === Number(value));
	if (every !== undefined) return every;
	throw inputError("now.every", { value: show(value), choices: EVERY });
}

/** Whether a payload asks for the energy of a window. */
const isWindow = (
	payload: unknown,
): payload is { from?: unknown; to?: unknown } =>
	typeof payload === "object" &&
	payload !== null &&
	!("values" in payload) &&
	("from" in payload || "to" in payload);

/** Puts the answer to `{from, to}` on the message. */
function answerWindow(
	known: FollowedForecast | undefined,
	window: { from?: unknown; to?: unknown },
	msg: Message,
): void {
	if (!known) {
		throw inputError("nodes.no_forecast");
	}
	const { forecast, solar } = known;
	const asked = readSiteId(msg.siteId);
	if (asked !== undefined && asked !== solar.site_id) {
		throw inputError("now.other_site", {
			asked: show(asked),
			site: show(solar.site_id),
		});
	}
	msg.payload = windowEnergy(forecast, window);
	msg.solar = copyOf(solar);
}

function messageAt(
	{ forecast, solar, base, quota }: FollowedForecast,
	every: number,
	nowMs: number,
): NowMessage {
	const payload = nowValues(forecast, solar, nowMs);
	return {
		topic: `${base}/now`,
		payload,
		retain: true,
		every,
		solar: { ...copyOf(solar), stale: payload.stale },
		...(quota && { quota: { ...quota } }),
	};
}

/**
 * Wires a `solar-yield-now` node.
 *
 * @param clock decides what now is, and wakes on the clock grid
 */
export function openNow(
	RED: NodeAPI,
	node: Node,
	config: NowConfig,
	clock: Clock = systemClock,
): void {
	let every: number;
	try {
		every = readEvery(config.every);
	} catch (error) {
		refuseInput(RED, node, error);
		return;
	}
	// Offsets of zones are multiples of 15 minutes: the grid is the same in all of them.
	const gridMs = every * MINUTE_MS;
	let closed = false;
	let known = handover.take(node);
	let followed: string | undefined;
	/** Number of the grid interval in which the last message was sent. */
	let sent = Math.floor(clock.now() / gridMs);

	const showStatus = (values?: NowPayload) =>
		node.status(nowStatus(values, known?.solar.demo === true, RED._));
	const make = (from: FollowedForecast, nowMs: number) => {
		const message = messageAt(from, every, nowMs);
		showStatus(message.payload);
		return message;
	};
	const timer = new Timer(clock, () => {
		try {
			tick();
		} catch (error) {
			tellWarning(RED, node, error);
		}
		arm();
	});
	const arm = () => {
		if (known && !closed) timer.set(gridMs - (clock.now() % gridMs));
	};
	const tick = () => {
		const now = clock.now();
		const stretch = Math.floor(now / gridMs);
		// Another interval, not only a later one: the clock may have been set back.
		if (!known || stretch === sent) return;
		sent = stretch;
		const late = now % gridMs;
		node.send(make(known, late < PUNCTUAL_MS ? now - late : now) as never);
	};

	node.on("close", (removed: boolean, done: () => void) => {
		closed = true;
		timer.stop();
		if (known && !removed) handover.leave(RED, node, known);
		node.status({});
		done();
	});
	if (known) make(known, clock.now());
	else showStatus();
	arm();

	handleInput(RED, node, (msg, send) => {
		const removal = readRemoval(msg);
		if (removal) {
			const { siteId } = removal;
			if (!known) return;
			const site = topicLevel(known.solar.site_id);
			if (siteId !== undefined && topicLevel(siteId) !== site) return;
			const { base } = known;
			known = undefined;
			followed = undefined;
			timer.stop();
			showStatus();
			send(
				Object.assign(msg, { topic: `${base}/now`, payload: "", retain: true }),
			);
			return;
		}
		const payload = readPayload(msg.payload);
		if (isWindow(payload)) {
			answerWindow(known, payload, msg);
			send(msg);
			return;
		}
		const input = forecastFromInput({ ...msg, payload });
		if (closed) return;
		followed = followSite(followed, input.solar, msg.siteId);
		known = {
			...input,
			base: siteTopicOf(msg.topic, input.solar),
			quota: readQuotaFacts(msg.quota),
		};
		const now = clock.now();
		sent = Math.floor(now / gridMs);
		send(Object.assign(msg, make(known, now)));
		arm();
	});
}
