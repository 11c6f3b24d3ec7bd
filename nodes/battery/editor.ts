import {
	COUPLINGS,
	LOADS,
	NUMBERS,
	SAFETIES,
	SETTING_NAMES,
	STRATEGIES,
	type Strategy,
} from "../../src/battery/settings";
import { readNumber } from "../../src/messages/value-readers";
import { isBlank } from "../../src/util/guards";
import { decimals } from "../shared/editor/decimals";
import type { EditorNode } from "../shared/editor/editor-api";
import { nodeType } from "../shared/editor/node-type";
import { localNumber, plainNumber } from "../shared/editor/numbers";
import { drawPrices } from "../shared/editor/prices";
import { request } from "../shared/editor/request";
import {
	chosen,
	isNumber,
	isSwitch,
	oneOf,
	type Rule,
	takes,
} from "../shared/editor/rules";
import { note } from "../shared/editor/words";
import { variableOf } from "../shared/variable";
import type { BatteryView } from "./dialog-answers";
import { showPlan } from "./editor/plan";
import { drawWeek, learnedText } from "./editor/week";

type NumberName = keyof typeof NUMBERS;

interface Settings
	extends Readonly<
		Record<
			| Exclude<NumberName, "efficiency">
			| "strategy"
			| "safety"
			| "gridCharge"
			| "coupling"
			| "load",
			string
		>
	> {
	efficiency: string;
	readonly sell: boolean;
	readonly mayCurtail: boolean;
}

const type = nodeType("solar-yield-battery");
const numbers = decimals(type);
const { input, part, property } = type;

/** Rule of a number, by the bounds and the blank's meaning of the runtime. */
const numberRule = (name: NumberName): Rule => {
	const { blank, ...bounds } = NUMBERS[name];
	return (value) =>
		isBlank(value)
			? blank !== undefined
			: takes(() => readNumber(name, value, bounds));
};

const numberProperty = (name: NumberName, value: string) =>
	numbers.decimal(name, value, numberRule(name));

/** The number of a field, or what its blank stands for. */
const numberOf = (name: NumberName, value: unknown) =>
	isBlank(value) ? Number(NUMBERS[name].blank) : Number(value);

const maxSocRule: Rule = (value, node) => {
	const least = numberOf("minSoc", plainNumber(chosen(node, "minSoc")));
	const most = numberOf("maxSoc", value);
	return isNumber(most, 0, 100) && !(least >= most);
};

/** Fields that not every strategy uses. */
const FIELDS: Readonly<Record<string, readonly Strategy[]>> = {
	feedInPrice: ["price"],
	wearPrice: ["price"],
	sell: ["price"],
	mayCurtail: ["price"],
	margin: ["peak-shaving", "price"],
};

RED.nodes.registerType<Settings>("solar-yield-battery", {
	...type.words,
	category: "solar yield",
	color: "#FFCC66",
	icon: "solar-yield-battery.svg",
	inputs: 1,
	outputs: 1,
	defaults: {
		name: { value: "" },
		strategy: property("strategy", "self-consumption", oneOf(...STRATEGIES)),
		safety: property("safety", "expected", oneOf(...SAFETIES)),
		capacityKwh: numberProperty("capacityKwh", ""),
		minSoc: numberProperty("minSoc", "10"),
		maxSoc: numbers.decimal("maxSoc", "100", maxSocRule),
		maxChargeW: numberProperty("maxChargeW", ""),
		maxDischargeW: numberProperty("maxDischargeW", ""),
		efficiency: numberProperty("efficiency", "0.94"),
		loadKwhPerDay: numberProperty("loadKwhPerDay", "11"),
		load: property("load", "profile", oneOf(...LOADS)),
		feedInLimitW: numberProperty("feedInLimitW", ""),
		feedInPrice: numberProperty("feedInPrice", "0"),
		gridCharge: property("gridCharge", "", oneOf("true", "false", true, false)),
		sell: property("sell", false, isSwitch),
		acLimitW: numberProperty("acLimitW", ""),
		coupling: property("coupling", "ac", oneOf(...COUPLINGS)),
		wearPrice: numberProperty("wearPrice", ""),
		importLimitW: numberProperty("importLimitW", ""),
		gridChargeW: numberProperty("gridChargeW", ""),
		mayCurtail: property("mayCurtail", false, isSwitch),
		margin: numberProperty("margin", ""),
		maxAgeHours: numberProperty("maxAgeHours", "30"),
		maxSocAgeMinutes: numberProperty("maxSocAgeMinutes", "30"),
	},
	oneditprepare() {
		type.showDefaults(this);
		numbers.show();
		prepareEfficiency(this.efficiency);
		prepareStrategy(this);
		prepareView(this);
	},
	oneditsave() {
		numbers.save();
		const percent = plainNumber(part("efficiency").val());
		if (percent === percentText(this.efficiency)) return;
		this.efficiency = fractionText(percent);
	},
});

/** The flow has the round trip as a number up to 1; people say percent. */
function prepareEfficiency(fraction: unknown): void {
	const field = part("efficiency");
	const rule = numberRule("efficiency");
	field
		.val(localNumber(percentText(fraction)))
		.on("change", () => {
			const value = fractionText(plainNumber(field.val()));
			const isValid =
				variableOf(value) !== undefined ||
				rule(value, {} as EditorNode) === true;
			field.toggleClass("input-error", !isValid);
		})
		.trigger("change");
}

/** Numbers that are asked for at first; the rest are folded. */
const FIRST: readonly string[] = [
	...["capacityKwh", "maxChargeW", "maxDischargeW", "loadKwhPerDay"],
	...["feedInLimitW", "feedInPrice"],
];

/** Whether a field has a number that is wrong; a tick box or a list never is. */
function isWrong(name: string, node: EditorNode): boolean {
	if (!(name in NUMBERS)) return false;
	// The efficiency's field has percent.
	const { efficiency } = node as EditorNode & Partial<Settings>;
	const value = name === "efficiency" ? efficiency : input(name).val();
	const rule = numberRule(name as NumberName);
	return (
		variableOf(value) === undefined && rule(plainNumber(value), node) !== true
	);
}

/** Shows the fields of the chosen strategy, and others where they are wrong; what is wrong among the rest unfolds it. */
function prepareStrategy(node: EditorNode): void {
	const strategy = input("strategy");
	const isOpen = Object.keys(NUMBERS).some(
		(name) => !FIRST.includes(name) && isWrong(name, node),
	);
	part("more").attr("open", isOpen ? "" : null);
	strategy
		.on("change", () => {
			const chosen = STRATEGIES.find((name) => name === strategy.val());
			part("strategy-hint").text(
				chosen ? node._(`solar-yield-battery.about.${chosen}`) : "",
			);
			for (const [name, strategies] of Object.entries(FIELDS)) {
				const isUsed = !chosen || strategies.includes(chosen);
				part(`${name}-row`).toggle(isUsed || isWrong(name, node));
			}
		})
		.trigger("change");
}

const FLAGS: readonly string[] = ["sell", "mayCurtail"];

/** The field of a setting; that of the efficiency has percent. */
const fieldOf = (name: string) =>
	name === "efficiency" ? part(name) : input(name);

/** A setting as it stands in the dialog, as a flow has it. */
function settingIn(name: string): unknown {
	const field = fieldOf(name);
	if (FLAGS.includes(name)) return field.prop("checked");
	if (name === "efficiency") return fractionText(plainNumber(field.val()));
	return name in NUMBERS ? numbers.plain(name, field.val()) : field.val();
}

const settingsIn = () =>
	Object.fromEntries(SETTING_NAMES.map((name) => [name, settingIn(name)]));

/** Shows what the deployed node knows: its plan, prices, and what it has learned of the house where that is chosen. */
function prepareView(node: EditorNode): void {
	const load = input("load");
	load
		.on("change", () => {
			const isLearned = load.val() === "learned";
			part("learned-row").toggle(isLearned);
		})
		.trigger("change");
	// A picture of nothing would be read out as one.
	const picture = part("learned").toggle(false);
	part("prices-row").toggle(false);
	part("plan-row").toggle(false);
	request<BatteryView>("GET", `battery/${encodeURIComponent(node.id)}`).then(
		({ week, prices, plan }) => {
			showPlan(type, node, plan, SETTING_NAMES.map(fieldOf), settingsIn);
			const text = learnedText(week, node);
			note(part("learned-note"), text);
			if (picture[0] && week) drawWeek(picture[0], week, text);
			picture.toggle(week !== null);
			drawPrices(part("prices")[0], prices);
			part("prices-row").toggle(prices !== null);
		},
		(error: Error) => note(part("learned-note"), error.message),
	);
}

/** Percent of a round trip that a flow has as a number up to 1; what is no number as it is. */
function percentText(fraction: unknown): string {
	if (isBlank(fraction)) return "";
	const number = Number(fraction);
	return Number.isNaN(number)
		? String(fraction)
		: String(Number((number * 100).toPrecision(12)));
}

/** The other way round. Up to 1 it can only be meant as the number itself: no battery gives back 1 %. */
function fractionText(percent: unknown): string {
	if (isBlank(percent)) return "";
	const number = Number(percent);
	if (Number.isNaN(number)) return String(percent).trim();
	return String(number > 1 ? Number((number / 100).toPrecision(12)) : number);
}
