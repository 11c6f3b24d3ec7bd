import type { NodeStatus } from "node-red";
import type { BatteryPlan } from "../../src/battery/payload";
import type { ReleaseVerdict } from "../../src/battery/release";
import type { Zone } from "../../src/util/zone";
import {
	absentText,
	clockText,
	type Look,
	makeStatus,
	type Translate,
	textsOf,
} from "../shared/status";

/** A mode or a reason as texts name it. */
const keyOf = (name: string) => name.replaceAll("-", "_");

/** Why no plan drives the battery, as texts name it; null where one does. */
export const whyReleased = ({ act, reason }: ReleaseVerdict): string | null =>
	act === "release" || act === "release-demo"
		? keyOf(reason ?? "no-forecast")
		: null;

/** What a battery node last decided. */
interface BatteryNodeState {
	readonly verdict: ReleaseVerdict;
	/** The plan it sent, if it sent one. */
	readonly plan: BatteryPlan | undefined;
	/** Inputs whose last message had no value. */
	readonly absent?: readonly string[];
	/** Zone of the forecast; undefined while none has come in. */
	readonly zone: Zone | undefined;
	/** Whether the battery was told anything since the start. */
	readonly hasTold: boolean;
	/** Epoch ms. */
	readonly now: number;
}

/** A status with why no plan drives the battery, by which pages choose their words: `msg.status.solar` of a Status node. */
const telling = (status: NodeStatus, reason: string | null): NodeStatus =>
	({ ...status, solar: { reason } }) as NodeStatus;

/** What a battery node does now and when the battery is full, or why it leaves it alone. */
export function batteryStatus(
	{ verdict, plan, zone, hasTold, absent = [], now }: BatteryNodeState,
	translate: Translate,
): NodeStatus {
	const say = textsOf("solar-yield-battery", translate);
	const missing = absentText(absent, say);
	const { act, reason } = verdict;
	const demo = act === "demo" || act === "release-demo";
	const why = whyReleased(verdict);
	const show = (look: Look, ...parts: string[]) =>
		telling(makeStatus(look, [...parts, ...missing].join(" · "), demo), why);
	if (!zone) {
		const status = makeStatus("idle", say("waiting.forecast"), false);
		return telling(status, "no_forecast");
	}
	if (reason === "no-soc" && !hasTold) return show("idle", say("waiting.soc"));
	if (why !== null) return show("waiting", say(`reason.${why}`));
	const isWhole = missing.length === 0;
	if (!plan) return show(isWhole ? "fine" : "waiting", say("ready"));
	const parts = [say(`mode.${keyOf(plan.now.mode)}`)];
	const [lack] = plan.lacks;
	if (lack) parts.push(say(`lacks.${lack}`));
	if (plan.full_at !== null) {
		const time = clockText(Date.parse(plan.full_at), now, zone, translate);
		parts.push(say("full", { time }));
	}
	return show(lack || !isWhole ? "waiting" : "fine", ...parts);
}
