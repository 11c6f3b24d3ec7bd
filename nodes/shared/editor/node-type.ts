import { isBlank } from "../../../src/util/guards";
import { variableOf } from "../variable";
import type { EditorNode, PropertyDefinition } from "./editor-api";
import type { Rule } from "./rules";

type Named = EditorNode<{ name?: string }>;

/**
 * What all dialogs of a type have by convention: fields are called
 * `#node-input-<property>` (of the account `#node-config-input-<property>`), all
 * other parts `#<type>-<name>`, texts `<type>.<kind>.<name>` in the type's catalogue.
 */
export function nodeType(type: string) {
	const prefix =
		type === "solar-yield-account" ? "node-config-input" : "node-input";
	const input = (name: string) => $(`#${prefix}-${name}`);
	const part = (name: string) => $(`#${type}-${name}`);
	const defaults: Record<string, unknown> = {};

	/** A validator by a rule; what a variable holds only the runtime knows. */
	const validator = (name: string, rule: Rule) =>
		function validate(
			this: EditorNode,
			value: unknown,
			_options: object,
		): true | string {
			if (variableOf(value) !== undefined) return true;
			const verdict = rule(value, this);
			if (verdict === true) return true;
			const [fault, values] =
				typeof verdict === "object" ? verdict : [verdict || undefined];
			const key = [type, "invalid", name, fault].filter(Boolean).join(".");
			return this._(`@solar-yield/node-red-solar-yield/${type}:${key}`, values);
		};

	/** A property with its default, judged by a rule. */
	function property(
		name: string,
		value: unknown,
		rule: Rule,
	): PropertyDefinition {
		defaults[name] = value;
		return { value, validate: validator(name, rule) };
	}

	/** The account that a node needs. */
	const accountProperty = (): PropertyDefinition => ({
		value: "",
		type: "solar-yield-account",
		required: true,
		label: RED._(
			`@solar-yield/node-red-solar-yield/${type}:${type}.label.account`,
		),
	});

	/**
	 * Gives a node that was just placed the account that there is, where there is
	 * but one; the demo beside one of the service does not count.
	 */
	function takeOnlyAccount(node: { account?: unknown }): void {
		if (!isBlank(node.account)) return;
		const accounts: { id: string; demo?: unknown }[] = [];
		RED.nodes.eachConfig((config) => {
			if (config.type === "solar-yield-account") accounts.push(config);
			return true;
		});
		const real = accounts.filter(({ demo }) => demo !== true);
		const [only, ...others] = real.length > 0 ? real : accounts;
		if (only && others.length === 0) node.account = only.id;
	}

	/** Chooses the defaults in lists whose properties a flow file lacks. */
	function showDefaults(node: object): void {
		for (const [name, value] of Object.entries(defaults)) {
			const given = (node as Record<string, unknown>)[name];
			if (isBlank(given) && input(name).is("select")) {
				input(name).val(value as string);
			}
		}
	}

	const textOf = (key: string) =>
		function text(this: EditorNode): string {
			return this._(`${type}.${key}`);
		};
	function label(this: Named): string {
		return this.name || this._(`${type}.title`);
	}
	function labelStyle(this: Named): string {
		return this.name ? "node_label_italic" : "";
	}

	return {
		input,
		part,
		validator,
		property,
		accountProperty,
		takeOnlyAccount,
		showDefaults,
		textOf,
		labelStyle,
		/** Words that the definitions of most types take from the same places; the flow library reads the rest off the definition itself. */
		words: {
			paletteLabel: textOf("title"),
			label,
			labelStyle,
			inputLabels: textOf("input"),
			outputLabels: textOf("output"),
		},
	};
}

export type NodeType = ReturnType<typeof nodeType>;
