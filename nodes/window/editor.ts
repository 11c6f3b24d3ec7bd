import {
	PIECES,
	RANKS,
	readWindowSettings,
	WINDOW_SETTINGS,
	type WindowSetting,
} from "../../src/window/settings";
import { decimals } from "../shared/editor/decimals";
import { nodeType } from "../shared/editor/node-type";
import { takes } from "../shared/editor/rules";
import { showPicture } from "./editor/picture";

type Settings = Readonly<Record<WindowSetting, string | boolean>>;

const type = nodeType("solar-yield-window");
const numbers = decimals(type);
const { input, part } = type;

/** What a fresh node has; blank where nothing is said. */
const FRESH: Partial<Settings> = {
	hours: "2",
	pieces: PIECES[0],
	rank: RANKS[0],
	sunOnly: false,
	runAnyway: false,
};
const isFlag = (name: WindowSetting) => typeof FRESH[name] === "boolean";
const isNumber = (name: WindowSetting) =>
	!isFlag(name) && !["pieces", "from", "to", "rank"].includes(name);

/** A property that is judged by the runtime's own reader. */
const property = (name: WindowSetting) =>
	(isNumber(name) ? numbers.decimal : type.property)(
		name,
		FRESH[name] ?? "",
		(given) => takes(() => readWindowSettings({ loadW: 1, [name]: given })),
	);

RED.nodes.registerType<Settings>("solar-yield-window", {
	paletteLabel: type.textOf("title"),
	label: type.label,
	labelStyle: type.labelStyle,
	inputLabels: type.textOf("input"),
	category: "solar yield",
	color: "#FFCC66",
	icon: "solar-yield-window.svg",
	inputs: 1,
	outputs: 2,
	defaults: {
		name: { value: "" },
		hours: property("hours"),
		pieces: property("pieces"),
		from: property("from"),
		to: property("to"),
		minPowerW: property("minPowerW"),
		loadW: property("loadW"),
		baseLoadW: property("baseLoadW"),
		rank: property("rank"),
		energyKwh: property("energyKwh"),
		minHours: property("minHours"),
		minLoadW: property("minLoadW"),
		maxPrice: property("maxPrice"),
		minRunMinutes: property("minRunMinutes"),
		maxStarts: property("maxStarts"),
		maxPauseHours: property("maxPauseHours"),
		sunOnly: property("sunOnly"),
		runAnyway: property("runAnyway"),
	},
	outputLabels(index) {
		return [
			this._("solar-yield-window.output.switch"),
			this._("solar-yield-window.output.plan"),
		][index];
	},
	oneditprepare() {
		type.showDefaults(this);
		numbers.show();
		const rank = input("rank");
		const hint = (name: string, key: string) =>
			part(`${name}-hint`).text(
				key && this._(`solar-yield-window.hint.${key}`),
			);
		rank
			.on("change", () => {
				const isCost = rank.val() === "cost";
				hint("rank", isCost ? "prices" : "");
				hint("loadW", isCost ? "loadW_cost" : "loadW_sun");
			})
			.trigger("change");
		showPicture(type, this, () =>
			Object.fromEntries(
				WINDOW_SETTINGS.map((name) => {
					if (isFlag(name)) return [name, input(name).is(":checked")];
					const given = input(name).val();
					return [name, isNumber(name) ? numbers.plain(name, given) : given];
				}),
			),
		);
	},
	oneditsave() {
		numbers.save();
	},
});
