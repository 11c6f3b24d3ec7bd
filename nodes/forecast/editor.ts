import { readSelection } from "../../src/messages/selection";
import { DEFAULT_PREFIX, readTopicPrefix } from "../../src/messages/topic";
import { isBlank } from "../../src/util/guards";
import type { AccountFacts } from "../shared/dialog-answers";
import { drawTwoDays } from "../shared/editor/curve";
import { decimals } from "../shared/editor/decimals";
import type { EditorNode } from "../shared/editor/editor-api";
import { areGroups, prepareGroups, saveGroups } from "../shared/editor/groups";
import { nodeType } from "../shared/editor/node-type";
import { plainNumber } from "../shared/editor/numbers";
import { request } from "../shared/editor/request";
import {
	chosen,
	isNumber,
	oneOf,
	type Rule,
	takes,
} from "../shared/editor/rules";
import { prepareSource } from "../shared/editor/site-field";
import { withSite } from "../shared/editor/site-label";
import { siteRule, systemRule } from "../shared/editor/site-rules";
import { note, time } from "../shared/editor/words";
import type { ForecastPreview } from "./dialog-answers";
import { INTERVAL_HOURS } from "./interval-hours";

interface Settings {
	account: string;
	readonly siteId: string;
	readonly source: string;
	readonly inline: string;
	readonly intervalHours: string;
	include: string[];
	readonly forecastDays: string;
	readonly pastDays: string;
	readonly timezone: string;
	readonly poll: string;
	readonly topic: string;
}

const type = nodeType("solar-yield-forecast");
const numbers = decimals(type);
const { input, part, property } = type;

const intervalRule: Rule = (value, node) =>
	chosen(node, "source") !== "inline" ||
	isBlank(value) ||
	isNumber(Number(value), INTERVAL_HOURS.least, INTERVAL_HOURS.most);

RED.nodes.registerType<Settings>("solar-yield-forecast", {
	paletteLabel: type.textOf("title"),
	labelStyle: type.labelStyle,
	inputLabels: type.textOf("input"),
	category: "solar yield",
	color: "#FFCC66",
	icon: "solar-yield-forecast.svg",
	inputs: 1,
	outputs: 3,
	defaults: {
		name: { value: "" },
		account: type.accountProperty(),
		siteId: property("siteId", "", siteRule),
		source: property("source", "site", oneOf("site", "inline")),
		inline: property("inline", "", systemRule),
		intervalHours: numbers.decimal("intervalHours", "", intervalRule),
		include: property("include", ["default"], areGroups),
		forecastDays: property("forecastDays", "", (forecastDays) =>
			takes(() => readSelection({ forecastDays })),
		),
		pastDays: property("pastDays", "0", (pastDays) =>
			takes(() => readSelection({ pastDays })),
		),
		timezone: property("timezone", "local", oneOf("local", "utc")),
		poll: property("poll", "auto", oneOf("auto", "manual")),
		topic: property("topic", "solar-yield", (value) =>
			takes(() => readTopicPrefix(String(value ?? ""))),
		),
	},
	label() {
		return this.name || withSite(this._("solar-yield-forecast.title"), this);
	},
	outputLabels(index) {
		return [
			this._("solar-yield-forecast.output.forecast"),
			this._("solar-yield-forecast.output.days"),
			this._("solar-yield-forecast.output.strings"),
		][index];
	},
	onadd() {
		type.takeOnlyAccount(this);
	},
	oneditprepare() {
		type.showDefaults(this);
		numbers.show();
		prepareSource(type);
		input("topic").attr("placeholder", DEFAULT_PREFIX);
		prepareInterval(this);
		const boxes = prepareGroups(
			type,
			this,
			this._("solar-yield-forecast.hint.include"),
		);
		preparePlan(boxes, this);
		showPreview(this, boxes);
	},
	oneditsave() {
		numbers.save();
		saveGroups(type, this);
	},
});

/** Says beside the interval how many requests a month of it makes. */
function prepareInterval(node: EditorNode): void {
	const interval = input("intervalHours");
	interval
		.on("input", () => {
			const hours =
				Number(plainNumber(interval.val())) || INTERVAL_HOURS.default;
			const count = Math.ceil(
				INTERVAL_HOURS.most / Math.max(hours, INTERVAL_HOURS.least),
			);
			part("intervalHours-hint").text(
				node._("solar-yield-forecast.hint.intervalHours", { count }),
			);
		})
		.trigger("input");
}

/** Marks the groups that the account's plan lacks. */
function preparePlan(boxes: JQuery<HTMLInputElement>, node: EditorNode): void {
	boxes.each((_index, box) => {
		$("<span>", { class: "solar-yield-absent" })
			.text(` ${node._("solar-yield-forecast.not_in_plan")}`)
			.hide()
			.appendTo(box.nextElementSibling as HTMLElement);
	});
	const showPlan = (available: readonly string[] | null) =>
		boxes.each((_index, box) => {
			const isAbsent = available ? !available.includes(box.value) : false;
			$(box).siblings().find(".solar-yield-absent").toggle(isAbsent);
		});
	const account = input("account");
	account.on("change", () => {
		const id = String(account.val());
		const config = RED.nodes.node(id);
		showPlan(null);
		// The plan of the deployed account says nothing about another one.
		if (!config || config.changed) return;
		request<AccountFacts>("GET", `account/${encodeURIComponent(id)}`).then(
			({ available }) => {
				if (account.val() === id) showPlan(available);
			},
			// Not deployed yet: its plan is not known, which is no fault.
			() => {},
		);
	});
}

/** Fields that decide what forecast is shown and whether the node can work. */
const FIELDS = ["account", "siteId", "source", "forecastDays", "pastDays"];
const SYSTEM_FIELDS = ["inline", "intervalHours"];

/** Shows when the forecast of the dialog's site is asked for next, its curve, and what it lacks of what is ticked. */
function showPreview(node: EditorNode, boxes: JQuery<HTMLInputElement>): void {
	const chart = part("chart");
	let asked = "";
	let shown: ForecastPreview | undefined;
	const showAwaited = () => {
		const text = shown ? awaitedText(shown, boxes, node) : "";
		note(part("awaited"), text);
	};
	boxes.on("change", showAwaited);
	const follow = () => {
		const isSystem = input("source").val() === "inline";
		const fields = isSystem ? FIELDS.concat(SYSTEM_FIELDS) : FIELDS;
		const query = $.param(
			Object.fromEntries(
				fields.map((name) => [
					name,
					name === "intervalHours"
						? plainNumber(input(name).val())
						: input(name).val(),
				]),
			),
		);
		if (query === asked) return;
		asked = query;
		request<ForecastPreview>(
			"GET",
			`forecast/${encodeURIComponent(node.id)}?${query}`,
		).then(
			(state) => {
				if (query === asked) show(state);
			},
			(error: Error) => {
				if (query !== asked) return;
				chart.hide();
				shown = undefined;
				showAwaited();
				for (const name of ["shown", "error", "stale"]) note(part(name), "");
				note(part("next"), error.message);
			},
		);
	};
	const show = (state: ForecastPreview) => {
		const { site, is_as_set } = state;
		shown = state;
		showAwaited();
		const deployed =
			site === null
				? node._("solar-yield-forecast.as_deployed.system")
				: node._("solar-yield-forecast.as_deployed.site", { site });
		note(part("shown"), is_as_set ? "" : deployed);
		note(part("next"), nextText(state, node));
		note(part("error"), state.error ?? "", true);
		note(
			part("stale"),
			state.stale ? node._("solar-yield-forecast.stale") : "",
			true,
		);
		const [svg] = chart;
		if (svg) drawTwoDays(svg, state);
		chart.toggle(state.curve.length > 0);
	};
	chart.hide();
	for (const name of FIELDS.concat(SYSTEM_FIELDS)) {
		input(name).on("change", follow);
	}
	follow();
}

/** From when on there is what is ticked and the forecast was not asked for; blank where nothing is. */
function awaitedText(
	{ awaited, next_request_at, timezone }: ForecastPreview,
	boxes: JQuery<HTMLInputElement>,
	node: EditorNode,
): string {
	const groups = boxes
		.filter((_index, box) => box.checked && awaited.includes(box.value))
		.map((_index, { value }) => node._(`solar-yield-forecast.group.${value}`))
		.get()
		.join(", ");
	if (groups === "") return "";
	return next_request_at === null
		? node._("solar-yield-forecast.awaited.none", { groups })
		: node._("solar-yield-forecast.awaited.planned", {
				groups,
				time: time(next_request_at, timezone),
			});
}

/** When a forecast is asked for next, and why. */
function nextText(
	{ next_request_at, reason, timezone }: ForecastPreview,
	node: EditorNode,
): string {
	const values = { reason: node._(`solar-yield-forecast.reason.${reason}`) };
	if (next_request_at === null) {
		return node._("solar-yield-forecast.next.none", values);
	}
	return Date.parse(next_request_at) <= Date.now()
		? node._("solar-yield-forecast.next.now", values)
		: node._("solar-yield-forecast.next.planned", {
				...values,
				time: time(next_request_at, timezone),
			});
}
