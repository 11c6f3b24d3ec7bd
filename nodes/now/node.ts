import type { Node, NodeAPI, NodeDef, NodeStatus } from "node-red";
import { nowValues } from "../../src/forecast/now";
import { windowEnergy } from "../../src/forecast/window";
import {
	copyOf,
	type QuotaFacts,
	readQuotaFacts,
} from "../../src/messages/facts";
import { readPayload } from "../../src/messages/input/forecast-input";
import { readSiteId } from "../../src/messages/selection";
import { inputError } from "../../src/service/errors/solar-yield-error";
import { show } from "../../src/service/v2/schema-errors";
import type { Clock } from "../../src/util/clock";
import { isBlank, isObject } from "../../src/util/guards";
import { MINUTE_MS } from "../../src/util/time";
import { FollowerNode, nextOf, opener } from "../shared/follower-node";
import type { Message } from "../shared/handler";
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

interface Left {
	readonly quota: QuotaFacts | undefined;
}

function readEvery(value: unknown): number {
	if (isBlank(value)) return DEFAULT_EVERY;
	const every = EVERY.find((minutes) => minutes === Number(value));
	if (every !== undefined) return every;
	throw inputError("now.every", { value: show(value), choices: EVERY });
}

/** A node that sends the values of now on the clock, and the energy of a window when it is asked. */
class Now extends FollowerNode<Left> {
	protected override readonly leaves = ["now"];
	readonly #every: number;
	#quota = this.before?.quota;
	/** What the status says of the last values. */
	#shown: NodeStatus | undefined;
	/** Instant of the last message, epoch ms. */
	#sent = this.clock.now();

	constructor(RED: NodeAPI, node: Node, config: NowConfig, clock: Clock) {
		super(RED, node, clock);
		this.#every = readEvery(config.every);
	}

	protected override status(): NodeStatus {
		const { followed, RED } = this;
		if (!followed) return nowStatus(undefined, false, RED._);
		if (!this.#shown) this.#values(this.#sent);
		return this.#shown as NodeStatus;
	}

	protected override take(msg: Message, now: number): object {
		const payload = readPayload(msg.payload);
		if (
			isObject(payload) &&
			!("values" in payload) &&
			("from" in payload || "to" in payload)
		) {
			return this.#energy(payload, msg.siteId);
		}
		const quota = readQuotaFacts(msg.quota);
		this.follow({ ...msg, payload });
		this.#quota = quota;
		return this.#values(now) as object;
	}

	protected override next(now: number): number | null {
		return this.followed ? nextOf(this.#every * MINUTE_MS, now) : null;
	}

	protected override tick(now: number): object | undefined {
		const gridMs = this.#every * MINUTE_MS;
		// Another stretch of the grid, not only a later one: the clock may have been set back.
		if (nextOf(gridMs, now) === nextOf(gridMs, this.#sent)) return undefined;
		const late = now % gridMs;
		return this.#values(late < PUNCTUAL_MS ? now - late : now);
	}

	protected override left(): Left {
		return { quota: this.#quota };
	}

	#values(now: number) {
		this.#sent = now;
		if (!this.followed) return undefined;
		const { forecast, solar, base } = this.followed;
		const payload = nowValues(forecast, solar, now);
		this.#shown = nowStatus(payload, solar.demo, this.RED._);
		return {
			topic: `${base}/now`,
			payload,
			retain: true,
			/** Minutes until the next message at the latest; others expire values by it. */
			every: this.#every,
			solar: { ...copyOf(solar), stale: payload.stale },
			...(this.#quota && { quota: { ...this.#quota } }),
		};
	}

	/** The answer to `{from, to}`. */
	#energy(window: { from?: unknown; to?: unknown }, siteId: unknown): object {
		if (!this.followed) throw inputError("nodes.no_forecast");
		const { forecast, solar } = this.followed;
		const asked = readSiteId(siteId);
		if (asked !== undefined && asked !== solar.site_id) {
			throw inputError("now.other_site", {
				asked: show(asked),
				site: show(solar.site_id),
			});
		}
		return { payload: windowEnergy(forecast, window), solar: copyOf(solar) };
	}
}

/** Wires a `solar-yield-now` node. */
export const openNow = opener(Now);
