import { QUARTER_MS } from "../../../src/util/time";
import { drawingIn } from "../../shared/editor/drawing";
import type { EditorNode } from "../../shared/editor/editor-api";
import { along, BOTTOM, drawFrame, TOP } from "../../shared/editor/frame";
import type { NodeType } from "../../shared/editor/node-type";
import { request } from "../../shared/editor/request";
import { note, number, time } from "../../shared/editor/words";
import { variableOf } from "../../shared/variable";
import type { BatteryView, PlanAnswer } from "../dialog-answers";

/** Pause in typing after which the picture follows, ms. */
const PAUSE_MS = 300;

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
	const up = (share: number) => +(BOTTOM - share * (BOTTOM - TOP)).toFixed(1);
	const line = (points: readonly (readonly [number, number])[]) =>
		points.map(([at, share]) => `${x(at)} ${up(share)}`).join("L");
	const add = drawingIn(svg);
	const middle = (start: number) => start + QUARTER_MS / 2;
	const sun = rows.map(([start, watts]) => [middle(start), watts / most]);
	add("path", {
		d: `M${x(begin)} ${BOTTOM}L${line(sun as [number, number][])}L${x(end)} ${BOTTOM}Z`,
	});
	const draw = (look: string, points: (readonly [number, number])[]) =>
		add("path", { class: look, d: `M${line(points)}` });
	draw(
		"solar-yield-plan-house",
		rows.map(([start, , watts]) => [middle(start), watts / most]),
	);
	const charge = (plan: PlanAnswer): [number, number][] =>
		plan.rows.map(([start, , , soc]) => [start + QUARTER_MS, soc / 100]);
	draw("solar-yield-plan-charge", charge({ rows } as PlanAnswer));
	if (deployed) {
		draw("solar-yield-plan-charge solar-yield-plan-deployed", charge(deployed));
	}
	drawFrame(svg, { begin, end, timezone, base: BOTTOM }, []);
	svg.setAttribute("aria-label", text);
}

/**
 * Shows the plan of the deployed node, and the one that the settings in the dialog would
 * make of what it last heard.
 *
 * @param names properties
 * @param settings as they stand in the dialog
 */
export function showPlan(
	{ input, part }: NodeType,
	node: EditorNode,
	deployed: BatteryView["plan"],
	names: readonly string[],
	settings: () => Readonly<Record<string, unknown>>,
): void {
	const chart = part("plan");
	let asked = 0;
	const show = (plan: PlanAnswer) => {
		const isSame = JSON.stringify(plan.rows) === JSON.stringify(deployed.rows);
		const text = planText("edited", plan, node);
		note(part("edited"), text);
		note(part("deployed"), isSame ? "" : planText("deployed", deployed, node));
		part("plan-row").toggle(true);
		chart.toggle(plan.rows.length > 0);
		if (chart[0]) drawPlan(chart[0], plan, isSame ? null : deployed, text);
	};
	const follow = () => {
		asked += 1;
		const question = asked;
		// What a variable holds the deployed node knows.
		const given = Object.fromEntries(
			Object.entries(settings()).filter(
				([, value]) => variableOf(value) === undefined,
			),
		);
		const path = `battery/${encodeURIComponent(node.id)}`;
		request<PlanAnswer>("POST", path, given).then(
			(answer) => {
				if (question === asked) show(answer);
			},
			(error: Error) => note(part("edited"), error.message, true),
		);
	};
	let pause: ReturnType<typeof setTimeout> | undefined;
	for (const field of [...names.map(input), part("efficiency")]) {
		field.on("input change", () => {
			clearTimeout(pause);
			pause = setTimeout(follow, PAUSE_MS);
		});
	}
	show(deployed);
	// A node that was edited and not deployed yet differs from the start.
	follow();
}
