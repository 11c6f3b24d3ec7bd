import { isBlank } from "../../../src/util/guards";
import type { V1Limits, V1Parameter } from "../../../src/v1/parameters";
import { dateFieldType } from "../../shared/editor/dates";
import type { EditorNode } from "../../shared/editor/editor-api";
import { localNumber, plainNumber } from "../../shared/editor/numbers";
import type { V1Table } from "../dialog-answers";

/** Units that are words, and so translated. */
const WORDS = ["degrees", "years", "days"];

/** A text with its unit behind it, where it has one. */
export function withUnit(
	text: string,
	unit: string | undefined,
	node: EditorNode,
): string {
	const shown = WORDS.includes(unit ?? "")
		? node._(`solar-yield-v1.unit.${unit}`)
		: unit;
	return [text, shown].filter(Boolean).join(" ");
}

const NUMERIC = ["number", "azimuth", "integer"];
const DECIMAL = /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i;

const part = (name: string) => $(`#solar-yield-v1-${name}`);

const limitsOn = ({ limits }: V1Parameter, endpoint: string) =>
	limits.find(({ endpoints }) => endpoints.some((name) => name === endpoint));

/** A value as it is kept: numbers and truth values typed, all else as written. */
function typed({ type }: V1Parameter, text: string): number | boolean | string {
	const plain = plainNumber(text);
	if (NUMERIC.includes(type) && DECIMAL.test(plain)) return Number(plain);
	if (type === "boolean" && ["true", "false"].includes(text)) {
		return text === "true";
	}
	return text;
}

/** Bounds and unit of a parameter, and what a blank field means. */
function hintOf(
	{ unit, format }: V1Parameter,
	limits: V1Limits,
	node: EditorNode,
): string {
	const bounds =
		limits.min === undefined
			? ""
			: limits.max === undefined
				? `≥ ${localNumber(limits.min)}`
				: `${localNumber(limits.min)} … ${localNumber(limits.max)}`;
	const blank = limits.required
		? node._("solar-yield-v1.hint.required")
		: limits.default === undefined || limits.default === ""
			? ""
			: node._("solar-yield-v1.hint.default", {
					value: localNumber(limits.default),
				});
	return [withUnit(bounds, unit, node), format, blank]
		.filter(Boolean)
		.join(" · ");
}

/** The field of one parameter: a list where there is a choice, else a line of text. */
function fieldOf(
	{ name, type, values, format }: V1Parameter,
	text: string,
): JQuery {
	const id = `solar-yield-v1-param-${name}`;
	const choices = type === "boolean" ? ["true", "false"] : values;
	if (!choices) {
		return $("<input>", {
			type: type === "date" ? dateFieldType(text) : "text",
			id,
			spellcheck: "false",
			placeholder: format ?? "",
			...(NUMERIC.includes(type) && { inputmode: "decimal" }),
		}).val(NUMERIC.includes(type) ? localNumber(text) : text);
	}
	const field = $("<select>", { id });
	// What stands there otherwise, such as a ${VARIABLE}, can be kept.
	for (const choice of new Set(["", ...choices, text])) {
		field.append($("<option>", { value: choice }).text(choice));
	}
	return field.val(text);
}

/**
 * The form of the parameters that the chosen endpoint takes.
 *
 * @param endpoint gives the one that is chosen now
 * @param onChange is called when a value was changed
 */
export function parametersForm(
	node: EditorNode<{ readonly params?: object }>,
	{ groups, parameters }: V1Table,
	endpoint: () => string,
	onChange: () => void,
) {
	/** Every value as text, those that another endpoint takes included. */
	const texts = new Map(
		Object.entries(node.params ?? {})
			.filter(([, value]) => !isBlank(value))
			.map(([name, value]) => [name, String(value)]),
	);
	const taken = () => parameters.filter((it) => limitsOn(it, endpoint()));

	function row(parameter: V1Parameter): JQuery {
		const { name } = parameter;
		const limits = limitsOn(parameter, endpoint()) as V1Limits;
		const hint = `solar-yield-v1-hint-${name}`;
		const field = fieldOf(parameter, texts.get(name) ?? "");
		field.attr("aria-describedby", hint).on("input change", () => {
			const text = String(field.val());
			if (isBlank(text)) texts.delete(name);
			else texts.set(name, text);
			onChange();
		});
		return $("<div>", { class: "solar-yield-v1-row" }).append(
			$("<label>", { for: field.attr("id") })
				.text(node._(`solar-yield-v1.parameter.${name}`))
				.append($("<span>", { class: "solar-yield-v1-small" }).text(name)),
			$("<span>", { class: "solar-yield-v1-value" }).append(
				field,
				$("<span>", { class: "solar-yield-v1-small", id: hint }).text(
					hintOf(parameter, limits, node),
				),
			),
		);
	}

	return {
		/** What the dialog would save. */
		collect: () =>
			Object.fromEntries(
				taken().flatMap((it) => {
					const text = texts.get(it.name);
					return text === undefined ? [] : [[it.name, typed(it, text)]];
				}),
			),

		/** Names of values that the chosen endpoint does not take. */
		lost(): string[] {
			const names = taken().map(({ name }) => name);
			return [...texts.keys()].filter((name) => !names.includes(name));
		},

		/** Makes the rows of the chosen endpoint; groups without values are folded. */
		render(): void {
			part("params").empty();
			for (const group of groups) {
				const members = taken().filter((it) => it.group === group);
				if (members.length === 0) continue;
				const isOpen = members.some(
					({ name, limits }) =>
						texts.has(name) || limits.some(({ required }) => required),
				);
				$("<details>", { class: "solar-yield-v1-group" })
					.prop("open", isOpen)
					.append(
						$("<summary>").text(node._(`solar-yield-v1.group.${group}`)),
						...members.map(row),
					)
					.appendTo(part("params"));
			}
		},

		/** Marks the fields that a check found wrong. */
		mark(problems: readonly string[]): void {
			for (const { name } of taken()) {
				const isWrong = problems.some((it) => it.startsWith(`${name} `));
				part(`param-${name}`)
					.toggleClass("input-error", isWrong)
					.attr("aria-invalid", String(isWrong));
			}
		},
	};
}
