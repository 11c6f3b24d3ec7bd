import type { EditorNode } from "../shared/editor/editor-api";
import { nodeType } from "../shared/editor/node-type";
import { request } from "../shared/editor/request";
import { oneOf } from "../shared/editor/rules";
import { note, number, time } from "../shared/editor/words";
import type { LearnView } from "./dialog-answers";
import { drawMap } from "./editor/map";
import { DEFAULT_UNIT, UNITS } from "./units";

interface Settings {
	readonly unit: string;
}

const type = nodeType("solar-yield-learn");
const { part, property } = type;

RED.nodes.registerType<Settings>("solar-yield-learn", {
	paletteLabel: type.textOf("title"),
	label: type.label,
	labelStyle: type.labelStyle,
	inputLabels: type.textOf("input"),
	category: "solar yield",
	color: "#FFCC66",
	icon: "solar-yield-learn.svg",
	inputs: 1,
	outputs: 2,
	defaults: {
		name: { value: "" },
		unit: property("unit", DEFAULT_UNIT, oneOf(...UNITS)),
	},
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

const PICTURES = ["meter-row", "map-row"];

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
	const { isKnown, readUntil, days, percent, limit_w, error, rawError } = facts;
	const say = (key: string, values?: Record<string, string>) =>
		node._(`solar-yield-learn.phase.${key}`, values);
	if (!isKnown) return say("no_forecast");
	if (readUntil === 0) return say("no_readings");
	const parts = [
		say("days", { days: number(days) }),
		percent === 0
			? say("learning")
			: say("correcting", { percent: number(percent) }),
	];
	if (limit_w !== null) parts.push(say("limit", { watts: number(limit_w) }));
	if (error !== null && rawError !== null) {
		const errors = { error: number(error, 1), raw: number(rawError, 1) };
		parts.push(say("error", errors));
	}
	const at = time(new Date(readUntil).toISOString(), timezone);
	return [...parts, say("read_until", { time: at })].join(" ");
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
function showMeters({ meters }: LearnView, node: EditorNode): void {
	const choice = part("meter").empty();
	for (const [index, { string_id }] of meters.entries()) {
		$("<option>")
			.val(String(index))
			.text(string_id ?? node._("solar-yield-learn.whole_site"))
			.appendTo(choice);
	}
	part("meter-row").toggle(meters.length > 1);
	const draw = () => {
		const points = meters[Number(choice.val() ?? 0)]?.points ?? [];
		const [map] = part("map");
		part("map-row").toggle(points.length > 0);
		if (map) drawMap(map, points, node);
	};
	choice.on("change", draw);
	draw();
}
