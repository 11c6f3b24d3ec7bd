import { isBlank } from "../../../src/util/guards";
import type { V1Limits, V1Parameter } from "../../../src/v1/parameters";
import { dateFieldType } from "../../shared/editor/dates";
import type { EditorNode } from "../../shared/editor/editor-api";
import { localNumber, plainNumber } from "../../shared/editor/numbers";
import type { V1Findings, V1Table } from "../dialog-answers";
import { withUnit } from "./units";

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
 * @param params as they stand in the node
 * @param endpoint gives the one that is chosen now
 * @param onChange is called when a value was changed
 */
export function parametersForm(
	node: EditorNode,
	params: object,
	endpoint: () => string,
	onChange: () => void,
) {
	/** Every value as text, those that another endpoint takes included. */
	const texts = new Map(
		Object.entries(params)
			.filter(([, value]) => value !== null)
			.map(([name, value]) => [name, String(value)]),
	);
	let parameters: V1Table["parameters"] = [];

	const taken = () => parameters.filter((it) => limitsOn(it, endpoint()));

	function row(parameter: V1Parameter): JQuery {
		const { name } = parameter;
		const limits = limitsOn(parameter, endpoint()) as V1Limits;
		const hint = `solar-yield-v1-hint-${name}`;
		const field = fieldOf(parameter, texts.get(name) ?? "");
		field.attr("aria-describedby", hint).on("input change", () => {
			texts.set(name, String(field.val()));
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
		collect: (): Record<string, number | boolean | string> =>
			Object.fromEntries(
				taken()
					.filter(({ name }) => !isBlank(texts.get(name)))
					.map((it) => [it.name, typed(it, texts.get(it.name) ?? "")]),
			),

		/** Names of values that the chosen endpoint does not take. */
		lost(): string[] {
			const names: readonly string[] = taken().map(({ name }) => name);
			return [...texts.keys()].filter(
				(name) => !names.includes(name) && !isBlank(texts.get(name)),
			);
		},

		/** Makes the rows of the chosen endpoint; groups without values are folded. */
		render(table: V1Table): void {
			parameters = table.parameters;
			const form = part("params");
			form.empty();
			for (const group of table.groups) {
				const members = taken().filter((it) => it.group === group);
				if (members.length === 0) continue;
				const isOpen = members.some(
					({ name, limits }) =>
						!isBlank(texts.get(name)) ||
						limits.some(({ required }) => required),
				);
				$("<details>", { class: "solar-yield-v1-group" })
					.prop("open", isOpen)
					.append(
						$("<summary>").text(node._(`solar-yield-v1.group.${group}`)),
						...members.map(row),
					)
					.appendTo(form);
			}
		},

		/** Marks the fields that a check found wrong. */
		mark({ problems }: V1Findings): void {
			for (const { name } of taken()) {
				const isWrong = problems.some((it) => it.startsWith(`${name} `));
				part(`param-${name}`)
					.toggleClass("input-error", isWrong)
					.attr("aria-invalid", String(isWrong));
			}
		},
	};
}
