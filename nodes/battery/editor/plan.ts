import { QUARTER_MS } from "../../../src/util/time";
import { drawingIn } from "../../shared/editor/drawing";
import type { EditorNode } from "../../shared/editor/editor-api";
import { follower } from "../../shared/editor/follow";
import { along, BOTTOM, drawFrame, up } from "../../shared/editor/frame";
import type { NodeType } from "../../shared/editor/node-type";
import { note, number, time } from "../../shared/editor/words";
import type { BatteryView, PlanAnswer } from "../dialog-answers";

/** The end of a plan in words, for whoever does not see the picture. */
function planText(
	which: "edited" | "deployed",
	{ rows, reason, timezone, ...plan }: PlanAnswer,
	node: EditorNode,
): string {
	if (rows.length === 0) {
		return node._(`status.reason.${reason}`);
	}
	const { fullAt, fromGridKwh, curtailedKwh } = plan;
	return node._(`solar-yield-battery.picture.${which}`, {
		full:
			fullAt === null
				? node._("solar-yield-battery.picture.not_full")
				: node._("solar-yield-battery.picture.full", {
						time: time(new Date(fullAt).toISOString(), timezone),
					}),
		grid: number(fromGridKwh ?? 0, 1),
		lost: number(curtailedKwh ?? 0, 1),
	});
}

type Point = readonly [at: number, share: number];

/** Draws sun, house and charge of a plan, and dashed the charge of the deployed one. */
function drawPlan(
	svg: Element,
	{ rows, timezone }: PlanAnswer,
	deployed: PlanAnswer | null,
	text: string,
): void {
	svg.replaceChildren();
	const [first, last] = [rows[0], rows.at(-1)];
	if (!first || !last) return;
	const [begin, end] = [first[0], last[0] + QUARTER_MS];
	const x = along(begin, end);
	const most = Math.max(1, ...rows.flatMap(([, sun, house]) => [sun, house]));
	const line = (points: readonly Point[]) =>
		points.map(([at, share]) => `${x(at)} ${up(share)}`).join("L");
	const add = drawingIn(svg);
	const middle = (start: number) => start + QUARTER_MS / 2;
	const sun = rows.map(
		([start, watts]): Point => [middle(start), watts / most],
	);
	add("path", {
		d: `M${x(begin)} ${BOTTOM}L${line(sun)}L${x(end)} ${BOTTOM}Z`,
	});
	const draw = (look: string, points: readonly Point[]) =>
		add("path", { class: look, d: `M${line(points)}` });
	draw(
		"solar-yield-plan-house",
		rows.map(([start, , watts]) => [middle(start), watts / most]),
	);
	const charge = (of: PlanAnswer["rows"]) =>
		of.map(([start, , , soc]): Point => [start + QUARTER_MS, soc / 100]);
	draw("solar-yield-plan-charge", charge(rows));
	if (deployed) {
		draw(
			"solar-yield-plan-charge solar-yield-plan-deployed",
			charge(deployed.rows),
		);
	}
	drawFrame(svg, { begin, end, timezone, base: BOTTOM }, []);
	svg.setAttribute("aria-label", text);
}

/**
 * Shows the plan of the deployed node, and the one that the settings in the dialog would
 * make of what it last heard.
 *
 * @param fields of the settings
 * @param settings as they stand in the dialog
 */
export function showPlan(
	{ part }: NodeType,
	node: EditorNode,
	deployed: BatteryView["plan"],
	fields: readonly JQuery[],
	settings: () => Readonly<Record<string, unknown>>,
): void {
	const chart = part("plan");
	const show = (plan: PlanAnswer) => {
		const isSame = JSON.stringify(plan.rows) === JSON.stringify(deployed.rows);
		const text = planText("edited", plan, node);
		note(part("edited"), text);
		note(part("deployed"), isSame ? "" : planText("deployed", deployed, node));
		part("plan-row").toggle(true);
		chart.toggle(plan.rows.length > 0);
		if (chart[0]) drawPlan(chart[0], plan, isSame ? null : deployed, text);
	};
	const path = `battery/${encodeURIComponent(node.id)}`;
	const refuse = (text: string) => note(part("edited"), text, true);
	const follow = follower(path, fields, settings, show, refuse);
	show(deployed);
	// A node that was edited and not deployed yet differs from the start.
	follow();
}
