import type { Option } from "../../src/export/format";
import { isListUnsure, readOption } from "../../src/export/read-option";
import { isBlank } from "../../src/util/guards";
import type { EditorNode } from "../shared/editor/editor-api";
import { nodeType } from "../shared/editor/node-type";

/** Every setting that some format has. */
const OPTIONS = [
	"prefix",
	"language",
	"day",
	"curveDays",
	"value",
	"shape",
	"step",
	"rows",
	"hours",
	"rounding",
	"time",
	"measurement",
	"view",
	"past",
	"days",
	"separator",
	"decimal",
	"times",
] as const;

type OptionName = (typeof OPTIONS)[number];
type Settings = { readonly format: string } & Readonly<
	Record<OptionName, unknown>
>;

const type = nodeType("solar-yield-export");
const { input, part, property } = type;

/** The formats and their options, as the runtime hands them over. */
const formats = () =>
	(RED.settings?.solarYieldExportFormats ?? []) as readonly {
		name: string;
		options: readonly Option[];
	}[];

const optionOf = (format: unknown, name: string) =>
	formats()
		.find((known) => known.name === format)
		?.options.find((option) => option.name === name);

/** The format as it stands in the open dialog, else in the node. */
function formatOf(node: EditorNode<{ format?: unknown }>): unknown {
	const field = input("format");
	return field.length > 0 ? field.val() : node.format;
}

/** A property that is an option of some formats, judged by the chosen one. */
const formatOption = (name: OptionName, value: string | boolean = "") =>
	property(name, value, (value, node) => {
		const option = optionOf(formatOf(node), name);
		return (
			!option ||
			isBlank(value) ||
			readOption(option, value) !== undefined || ["", option]
		);
	});

RED.nodes.registerType<Settings>("solar-yield-export", {
	paletteLabel: type.textOf("title"),
	labelStyle: type.labelStyle,
	inputLabels: type.textOf("input"),
	outputLabels: type.textOf("output"),
	category: "solar yield",
	color: "#FFCC66",
	icon: "solar-yield-export.svg",
	inputs: 1,
	outputs: 1,
	defaults: {
		name: { value: "" },
		format: property(
			"format",
			"home-assistant",
			(value) =>
				formats().length === 0 || formats().some(({ name }) => name === value),
		),
		prefix: formatOption("prefix"),
		language: formatOption("language"),
		day: formatOption("day"),
		curveDays: formatOption("curveDays"),
		value: formatOption("value"),
		shape: formatOption("shape"),
		step: formatOption("step"),
		rows: formatOption("rows"),
		hours: formatOption("hours"),
		rounding: formatOption("rounding"),
		time: formatOption("time"),
		measurement: formatOption("measurement"),
		view: formatOption("view"),
		past: formatOption("past", false),
		days: formatOption("days"),
		separator: formatOption("separator"),
		decimal: formatOption("decimal"),
		times: formatOption("times"),
	},
	label() {
		return (
			this.name ||
			(this.format
				? this._(`solar-yield-export.format.${this.format}`)
				: this._("solar-yield-export.title"))
		);
	},
	oneditprepare() {
		const format = input("format");
		for (const { name } of formats()) {
			$("<option>", { value: name })
				.text(this._(`solar-yield-export.format.${name}`))
				.appendTo(format);
		}
		format.val(this.format);

		let shown: unknown;
		const show = (settings: Partial<Settings>) => {
			const name = String(format.val() ?? "");
			shown = name;
			part("help").text(name && this._(`solar-yield-export.help.${name}`));
			part("label").text(name && this._(`solar-yield-export.times.${name}`));
			for (const option of OPTIONS) {
				showOption(name, option, settings[option], this);
			}
			warn();
		};
		const warn = () => {
			const isUnsure =
				shown === "emhass" &&
				isListUnsure({
					shape: input("shape").val(),
					rounding: input("rounding").val(),
				});
			part("warning").text(
				isUnsure ? this._("solar-yield-export.warning.emhass") : "",
			);
		};
		show(this);
		for (const name of ["shape", "rounding"]) input(name).on("change", warn);
		format.on("change", () => {
			// What was set for another format says nothing about this one.
			if (String(format.val() ?? "") !== shown) show({});
		});
	},
});

/** Shows the field of an option, or empties it where the format has none of that name. */
function showOption(
	format: string,
	name: OptionName,
	value: unknown,
	node: EditorNode,
): void {
	const option = optionOf(format, name);
	const field = input(name);
	part(`${name}-row`).toggle(option !== undefined);
	part(`${name}-hint`).text(
		option ? node._(`solar-yield-export.option.${format}.${name}`) : "",
	);
	if (field.is("select")) showChoices(field, format, option, value, node);
	else if (field.is(":checkbox")) {
		field.prop("checked", option ? String(value) === "true" : false);
	} else {
		field
			.val(String((option && value) ?? ""))
			.attr("placeholder", String(option?.default ?? ""));
	}
	field.trigger("change");
}

/** Fills the list of an option; what was blank and means the default stays blank. */
function showChoices(
	field: JQuery,
	format: string,
	option: Option | undefined,
	value: unknown,
	node: EditorNode,
): void {
	const stored = (choice: unknown) =>
		isBlank(value) && choice === option?.default ? "" : String(choice);
	const choices = option?.kind === "choice" ? option.values : [""];
	const words = (choice: string | number) => {
		if (!option) return "";
		if (option.name === "language") {
			const names = new Intl.DisplayNames(RED.i18n.lang(), {
				type: "language",
			});
			return names.of(String(choice)) ?? String(choice);
		}
		return typeof choice === "number"
			? node._("solar-yield-export.choice.minutes", { count: choice })
			: node._(`solar-yield-export.choice.${format}.${option.name}.${choice}`);
	};
	field.empty();
	for (const choice of choices) {
		$("<option>", { value: stored(choice) })
			.text(words(choice))
			.appendTo(field);
	}
	const isKnown = choices.some((choice) => String(choice) === String(value));
	field.val(stored(option && isKnown ? value : (option?.default ?? "")));
}
