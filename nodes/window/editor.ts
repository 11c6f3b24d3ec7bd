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

const DECIMALS: readonly WindowSetting[] = [
	"hours",
	"minHours",
	"energyKwh",
	"minPowerW",
	"loadW",
	"minLoadW",
	"baseLoadW",
	"maxPrice",
	"minRunMinutes",
	"maxStarts",
	"maxPauseHours",
];
/** The properties that are ticked or not. */
const FLAGS: readonly WindowSetting[] = ["sunOnly", "runAnyway"];

/** A property that is judged by the runtime's own reader. */
const property = (name: WindowSetting, value: string | boolean) =>
	(DECIMALS.includes(name) ? numbers.decimal : type.property)(
		name,
		value,
		(given) => takes(() => readWindowSettings({ loadW: 1, [name]: given })),
	);

RED.nodes.registerType<Settings>("solar-yield-window", {
	...type.words,
	category: "solar yield",
	color: "#FFCC66",
	icon: "solar-yield-window.svg",
	inputs: 1,
	outputs: 2,
	defaults: {
		name: { value: "" },
		hours: property("hours", "2"),
		pieces: property("pieces", PIECES[0]),
		from: property("from", ""),
		to: property("to", ""),
		minPowerW: property("minPowerW", ""),
		loadW: property("loadW", ""),
		baseLoadW: property("baseLoadW", ""),
		rank: property("rank", RANKS[0]),
		energyKwh: property("energyKwh", ""),
		minHours: property("minHours", ""),
		minLoadW: property("minLoadW", ""),
		maxPrice: property("maxPrice", ""),
		minRunMinutes: property("minRunMinutes", ""),
		maxStarts: property("maxStarts", ""),
		maxPauseHours: property("maxPauseHours", ""),
		sunOnly: property("sunOnly", false),
		runAnyway: property("runAnyway", false),
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
		rank
			.on("change", () => {
				const isCost = rank.val() === "cost";
				part("rank-hint").text(
					isCost ? this._("solar-yield-window.hint.prices") : "",
				);
				part("loadW-hint").text(
					isCost
						? this._("solar-yield-window.hint.loadW_cost")
						: this._("solar-yield-window.hint.loadW_sun"),
				);
			})
			.trigger("change");
		showPicture(type, this, () =>
			Object.fromEntries(
				WINDOW_SETTINGS.map((name) => {
					if (FLAGS.includes(name)) return [name, input(name).is(":checked")];
					const given = input(name).val();
					return [
						name,
						DECIMALS.includes(name) ? numbers.plain(name, given) : given,
					];
				}),
			),
		);
	},
	oneditsave() {
		numbers.save();
	},
});
