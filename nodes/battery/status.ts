import type { NodeStatus } from "node-red";
import type { BatteryPlan, Mode } from "../../src/battery/payload";
import type { Reason, ReleaseVerdict } from "../../src/battery/release";
import type { Zone } from "../../src/util/zone";
import {
	absentText,
	clockText,
	type Look,
	makeStatus,
	type Translate,
	textsOf,
} from "../shared/status";

const MODE_KEY: Record<Mode, string> = {
	charge: "charge",
	"grid-charge": "grid_charge",
	discharge: "discharge",
	hold: "hold",
	idle: "idle",
	release: "release",
	demo: "demo",
};

const RELEASE_KEY: Record<Reason, string> = {
	"no-forecast": "no_forecast",
	"forecast-old": "forecast_old",
	"no-row-ahead": "no_row_ahead",
	"no-soc": "no_soc",
	"soc-old": "soc_old",
	demo: "demo",
};

/** Why no plan drives the battery, as texts name it; null where one does. */
export const whyReleased = ({ act, reason }: ReleaseVerdict): string | null =>
	act === "release" || act === "release-demo"
		? RELEASE_KEY[reason ?? "no-forecast"]
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
	const parts = [say(`mode.${MODE_KEY[plan.now.mode]}`)];
	const [lack] = plan.lacks;
	if (lack) parts.push(say(`lacks.${lack}`));
	if (plan.full_at !== null) {
		const time = clockText(Date.parse(plan.full_at), now, zone, translate);
		parts.push(say("full", { time }));
	}
	return show(lack || !isWhole ? "waiting" : "fine", ...parts);
}
