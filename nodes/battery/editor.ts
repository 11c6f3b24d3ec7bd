import { readNumber } from "../../src/battery/read";
import { NUMBERS, SAFETIES, STRATEGIES } from "../../src/battery/settings";
import { nodeType } from "../shared/editor/node-type";
import {
	chosen,
	isBlank,
	isNumber,
	oneOf,
	type Rule,
	takes,
} from "../shared/editor/rules";

type NumberName = keyof typeof NUMBERS;
type Settings = Readonly<Record<NumberName | "strategy" | "safety", string>>;

const type = nodeType("solar-yield-battery");
const { input, part, property, textOf } = type;

/** Rule of a number, by the bounds and the blank's meaning of the runtime. */
const numberRule = (name: NumberName): Rule => {
	const { blank, ...bounds } = NUMBERS[name];
	return (value) =>
		isBlank(value)
			? blank !== undefined
			: takes(() => readNumber(name, value, bounds));
};

const numberProperty = (name: NumberName, value: string) =>
	property(name, value, numberRule(name));

/** The number of a field, or what its blank stands for. */
const numberOf = (name: NumberName, value: unknown) =>
	isBlank(value) ? Number(NUMBERS[name].blank) : Number(value);

const maxSocRule: Rule = (value, node) => {
	const least = numberOf("minSoc", chosen(node, "minSoc"));
	const most = numberOf("maxSoc", value);
	return isNumber(most, 0, 100) && !(least >= most);
};

RED.nodes.registerType<Settings>("solar-yield-battery", {
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
		maxSoc: property("maxSoc", "100", maxSocRule),
		maxChargeW: numberProperty("maxChargeW", ""),
		maxDischargeW: numberProperty("maxDischargeW", ""),
		efficiency: numberProperty("efficiency", "0.94"),
		loadKwhPerDay: numberProperty("loadKwhPerDay", "11"),
		feedInLimitW: numberProperty("feedInLimitW", ""),
		feedInPrice: numberProperty("feedInPrice", "0"),
		maxAgeHours: numberProperty("maxAgeHours", "30"),
		maxSocAgeMinutes: numberProperty("maxSocAgeMinutes", "30"),
	},
	paletteLabel: textOf("title"),
	label: type.label,
	labelStyle: type.labelStyle,
	inputLabels: textOf("input"),
	outputLabels: textOf("output"),
	oneditprepare() {
		type.showDefaults(this);
		const strategy = input("strategy");
		strategy
			.on("change", () => {
				const chosen = STRATEGIES.find((name) => name === strategy.val());
				part("strategy-hint").text(
					chosen ? this._(`solar-yield-battery.about.${chosen}`) : "",
				);
			})
			.trigger("change");
	},
});
