import type { EditorNode } from "../shared/editor/editor-api";
import { nodeType } from "../shared/editor/node-type";
import { request } from "../shared/editor/request";
import { oneOf } from "../shared/editor/rules";
import { note, number, time } from "../shared/editor/words";
import type { LearnView } from "./dialog-answers";
import { drawCurve } from "./editor/curve";
import { drawMap } from "./editor/map";
import { DEFAULT_UNIT, UNITS } from "./units";

interface Settings {
	readonly unit: string;
}

const type = nodeType("solar-yield-learn");
const { part, property, textOf } = type;

RED.nodes.registerType<Settings>("solar-yield-learn", {
	category: "solar yield",
	color: "#FFCC66",
	icon: "solar-yield-learn.svg",
	inputs: 1,
	outputs: 2,
	defaults: {
		name: { value: "" },
		unit: property("unit", DEFAULT_UNIT, oneOf(...UNITS)),
	},
	paletteLabel: textOf("title"),
	label: type.label,
	labelStyle: type.labelStyle,
	inputLabels: textOf("input"),
	outputLabels(index) {
		return index === 0
			? this._("solar-yield-learn.output.forecast")
			: this._("solar-yield-learn.output.accuracy");
	},
	oneditprepare() {
		type.showDefaults(this);
		showLearned(this);
	},
});

const PICTURES = ["meter-row", "map-row", "curve-row"];

/** Shows what the deployed node has learned. */
function showLearned(node: EditorNode): void {
	for (const name of PICTURES) part(name).hide();
	request<LearnView>("GET", `learn/${encodeURIComponent(node.id)}`).then(
		(view) => {
			note(part("state"), stateText(view, node));
			showNotes(view);
			showMeters(view, node);
		},
		(error: Error) => note(part("state"), error.message),
	);
}

function stateText({ facts, timezone }: LearnView, node: EditorNode): string {
	const { phase, days, correction_percent } = facts;
	if (phase === "no_forecast" || phase === "no_readings") {
		return node._(`solar-yield-learn.phase.${phase}`);
	}
	const parts = [
		node._("solar-yield-learn.phase.days", { days: number(days) }),
		correction_percent === null
			? node._("solar-yield-learn.phase.learning")
			: node._("solar-yield-learn.phase.correcting", {
					percent: number(correction_percent),
				}),
	];
	const { error_percent, raw_error_percent, read_until } = facts;
	if (error_percent !== null && raw_error_percent !== null) {
		parts.push(
			node._("solar-yield-learn.phase.error", {
				error: number(error_percent, 1),
				raw: number(raw_error_percent, 1),
			}),
		);
	}
	if (read_until !== null) {
		const at = time(new Date(read_until).toISOString(), timezone);
		parts.push(node._("solar-yield-learn.phase.read_until", { time: at }));
	}
	return parts.join(" ");
}

/** What was noticed about the readings, the latest first. */
function showNotes({ notes, timezone }: LearnView): void {
	const list = part("notes").empty();
	for (const each of notes) {
		const at = time(new Date(each.last).toISOString(), timezone);
		const where = each.string_id === null ? "" : ` (${each.string_id})`;
		$("<li>").text(`${at}${where}: ${each.text}`).appendTo(list);
	}
}

/** Draws the meter that is chosen; most sites have one. */
function showMeters({ meters, timezone }: LearnView, node: EditorNode): void {
	const choice = part("meter").empty();
	for (const [index, { string_id }] of meters.entries()) {
		$("<option>")
			.val(String(index))
			.text(string_id ?? node._("solar-yield-learn.whole_site"))
			.appendTo(choice);
	}
	part("meter-row").toggle(meters.length > 1);
	const draw = () => {
		const meter = meters[Number(choice.val() ?? 0)];
		const [map] = part("map");
		const [curve] = part("curve");
		if (!meter || !map || !curve) return;
		part("map-row").toggle(meter.map.points.length > 0);
		part("curve-row").toggle(meter.curve.length > 0);
		drawMap(map, meter.map, node);
		drawCurve(curve, meter.curve, timezone, node);
	};
	choice.on("change", draw);
	draw();
}
