import { SITE_BOUNDS } from "../../../src/service/v2/sites/site-bounds";
import { isBlank, isObject } from "../../../src/util/guards";
import type { NodeType } from "./node-type";
import { localNumber, markNumber, numberOf } from "./numbers";
import { systemFault } from "./site-rules";
import { stringsList } from "./strings-list";
import { makeTabs } from "./tabs";
import { note, say } from "./words";

type System = Readonly<Record<string, unknown>>;

/** A system as the form can show it, undefined where a text is none. */
function readable(text: string): System | undefined {
	if (isBlank(text)) return {};
	let system: unknown;
	try {
		system = JSON.parse(text);
	} catch {
		return undefined;
	}
	if (!isObject(system)) return undefined;
	const { strings } = system;
	return strings == null || (Array.isArray(strings) && strings.every(isObject))
		? system
		: undefined;
}

/**
 * Readies the two views of a system's JSON text, which is the property: a form, and
 * the text itself. The form changes only what it shows; a text that it cannot show
 * stays as it is.
 *
 * @param field the text
 * @param isSite whether it is a site to be created: it has a name, and strings may be
 * left out
 * @param isOptional whether all of it may be left out
 */
export function prepareSystem(
	{ part }: NodeType,
	field: JQuery,
	{
		isSite = false,
		isOptional = false,
	}: { readonly isSite?: boolean; readonly isOptional?: boolean },
) {
	const pane = part("form");
	const form = $("<div>").appendTo(pane);
	/** A row like those of the dialog's own form. */
	const addField = (name: string, icon: string, attributes: object) => {
		const id = `${pane.attr("id")}-${name}`;
		const input = $("<input>", { type: "text", id, ...attributes });
		$("<div>", { class: "form-row" })
			.append(
				$("<label>", { for: id }).append(
					$("<i>", { class: `fa ${icon}` }),
					` ${say(`common.system.label.${name}`)}`,
				),
				" ",
				input,
			)
			.appendTo(form);
		return input;
	};
	const addPlace = (name: keyof typeof SITE_BOUNDS, icon: string) => {
		const hint = `${pane.attr("id")}-${name}-hint`;
		const input = addField(name, icon, {
			class: "solar-yield-short",
			inputmode: "decimal",
			"aria-describedby": hint,
		});
		$("<span>", { class: "solar-yield-beside", id: hint })
			.text(say(`common.system.hint.${name}`))
			.insertAfter(input);
		return { name, input };
	};
	const nameField = isSite ? addField("name", "fa-home", {}) : undefined;
	const places = [
		addPlace("latitude", "fa-arrows-v"),
		addPlace("longitude", "fa-arrows-h"),
	];
	const listField = $("<ol>").appendTo(
		$("<div>", { class: "form-row solar-yield-strings" }).appendTo(form),
	);
	const list = stringsList(listField, () => write());
	const fault = $("<span>", { class: "solar-yield-note", role: "status" });
	const faultRow = $("<div>", {
		class: "form-row solar-yield-field solar-yield-full",
	})
		.append(fault)
		.appendTo(pane);
	const tell = (text: string, isError: boolean) => {
		note(fault, text, isError);
		faultRow.toggle(text !== "");
	};

	/** What is on show. */
	let system: System = {};
	let isWriting = false;

	const wanted = () => !isOptional || !isBlank(field.val());
	/** Marks what is wrong, and says the first of it. */
	function check(): void {
		const strings = list.fault();
		const isWrong = places.filter(({ name, input }) =>
			markNumber(input, SITE_BOUNDS[name], !wanted()),
		);
		const faults = [
			...isWrong.map(({ name }) => say(`common.system.fault.${name}`)),
			strings,
			!isSite && list.strings().length === 0
				? say("common.system.fault.strings")
				: "",
			systemFault(field.val(), isSite) === true
				? ""
				: say("common.system.fault.json"),
		];
		const text = wanted() && faults.find(Boolean);
		const isDefault = isSite && list.strings().length === 0;
		tell(
			text || (isDefault ? say("common.system.default_string") : ""),
			Boolean(text),
		);
	}
	function show(): void {
		const text = String(field.val());
		const shown = readable(text);
		form.toggle(shown !== undefined);
		if (!shown) {
			tell(say("common.system.fault.unreadable"), true);
			return;
		}
		system = shown;
		nameField?.val(String(shown.name ?? ""));
		for (const { name, input } of places) input.val(localNumber(shown[name]));
		const strings = (shown.strings ?? []) as readonly object[];
		// One to begin with.
		list.show(isBlank(text) && !isOptional ? [{}] : strings);
		check();
	}
	/** Puts what the form holds into the text. */
	function write(): void {
		const { name, latitude, longitude, strings, ...rest } = system;
		const rows = list.strings();
		const values = places.map(({ name, input }) => [
			name,
			numberOf(String(input.val())),
		]);
		const label = nameField ? String(nameField.val()).trim() : name;
		system = {
			...(!isBlank(label) && { name: label }),
			...Object.fromEntries(values.filter(([, value]) => value !== "")),
			...(rows.length > 0 && { strings: rows }),
			...rest,
		};
		isWriting = true;
		field
			.val(
				Object.keys(system).length === 0
					? ""
					: JSON.stringify(system, null, "  "),
			)
			.trigger("change");
		isWriting = false;
		check();
	}
	for (const { input } of places) input.on("input", write);
	nameField?.on("input", write);
	field.on("input change", () => {
		if (!isWriting) show();
	});

	const tabs = makeTabs(part("tabs"), [
		{ pane, label: say("common.system.tab.form") },
		{ pane: part("json"), label: say("common.system.tab.json") },
	]);
	show();
	if (!readable(String(field.val()))) tabs.open(1);
	return tabs;
}
