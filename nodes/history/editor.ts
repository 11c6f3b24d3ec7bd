import { PERIOD } from "../../src/service/v2/request-parameters";
import { isBlank } from "../../src/util/guards";
import { dateDay } from "../../src/util/time";
import { dateFieldType } from "../shared/editor/dates";
import type { EditorNode } from "../shared/editor/editor-api";
import { areGroups, prepareGroups, saveGroups } from "../shared/editor/groups";
import { nodeType } from "../shared/editor/node-type";
import { chosen, isSwitch, oneOf, type Rule } from "../shared/editor/rules";
import { prepareSource } from "../shared/editor/site-field";
import { withSite } from "../shared/editor/site-label";
import { siteRule, systemRule } from "../shared/editor/site-rules";

interface Settings {
	readonly account: string;
	readonly siteId: string;
	readonly source: string;
	readonly inline: string;
	include: string[];
	readonly period: string;
	readonly startDate: string;
	readonly endDate: string;
	readonly timezone: string;
	readonly split: boolean;
}

const type = nodeType("solar-yield-history");
const { input, part, property } = type;
/** Its catalogue has the texts for faults of a system. */
const forecast = nodeType("solar-yield-forecast");

const hasDates = ({ startDate, endDate }: Partial<Settings>) =>
	!isBlank(startDate) || !isBlank(endDate);

/** Which kind of range is chosen: in the open dialog, else in the node. */
function rangeOf(node: EditorNode<Partial<Settings>>): unknown {
	const field = part("range");
	if (field.length > 0) return field.val();
	return hasDates(node) ? "dates" : "period";
}

/** Rule of the period; the open dialog keeps only the kind of range that is chosen. */
const periodRule: Rule = (period, node) => {
	if (isBlank(period)) return true;
	if (rangeOf(node) === "period") {
		return PERIOD.test(String(period).trim()) || "malformed";
	}
	return part("range").length > 0 || "both";
};

/** Rule of one of the two dates. */
const dateRule =
	(other: string): Rule =>
	(value, node) => {
		if (rangeOf(node) === "period") return true;
		if (isBlank(value)) return isBlank(chosen(node, other)) || "missing";
		return !Number.isNaN(dateDay(String(value).trim())) || "malformed";
	};

const endDateRule: Rule = (value, node) => {
	const verdict = dateRule("startDate")(value, node);
	if (verdict !== true || rangeOf(node) === "period" || isBlank(value)) {
		return verdict;
	}
	const start = String(chosen(node, "startDate")).trim();
	return String(value).trim() >= start || "early";
};

RED.nodes.registerType<Settings>("solar-yield-history", {
	paletteLabel: type.textOf("title"),
	labelStyle: type.labelStyle,
	inputLabels: type.textOf("input"),
	outputLabels: type.textOf("output"),
	category: "solar yield",
	color: "#FFCC66",
	icon: "solar-yield-history.svg",
	inputs: 1,
	outputs: 1,
	defaults: {
		name: { value: "" },
		account: type.accountProperty(),
		siteId: property("siteId", "", siteRule),
		source: property("source", "site", oneOf("site", "inline")),
		inline: forecast.property(
			"inline",
			"",
			// A message may bring the system.
			(value, node) => isBlank(value) || systemRule(value, node),
		),
		include: property("include", ["default"], areGroups),
		period: property("period", "7d", periodRule),
		startDate: property("startDate", "", dateRule("endDate")),
		endDate: property("endDate", "", endDateRule),
		timezone: property("timezone", "local", oneOf("local", "utc")),
		split: property("split", false, isSwitch),
	},
	label() {
		return this.name || withSite(this._("solar-yield-history.title"), this);
	},
	oneditprepare() {
		type.showDefaults(this);
		prepareSource(type, true);
		prepareGroups(type, this, this._("solar-yield-history.hint.include"));

		for (const name of ["startDate", "endDate"] as const) {
			// A field of dates would drop it.
			if (dateFieldType(this[name]) === "text") {
				input(name).attr("type", "text").val(this[name]);
			}
		}
		const range = part("range");
		range
			.val(hasDates(this) ? "dates" : "period")
			.on("change", () => {
				const isPeriod = range.val() === "period";
				part("period-row").toggle(isPeriod);
				part("dates").toggle(!isPeriod);
			})
			.trigger("change");
	},
	oneditsave() {
		// Only one kind of range is kept.
		const hidden =
			part("range").val() === "period" ? ["startDate", "endDate"] : ["period"];
		for (const name of hidden) input(name).val("");
		saveGroups(type, this);
	},
});
