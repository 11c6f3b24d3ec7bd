import type { PropertyDefinition } from "./editor-api";
import type { NodeType } from "./node-type";
import { hasThousands, localNumber, plainNumber, plainPower } from "./numbers";
import type { Rule } from "./rules";
import { say } from "./words";

/** Whether a property is a power in W, by its name. */
const isPower = (name: string) => name.endsWith("W");

/** The properties of a dialog that are numbers with decimals: in the dialog as the editor's language writes them, in the flow with a point. */
export function decimals({ input, property, validator }: NodeType) {
	const names: string[] = [];

	/** A number that was typed, as flows hold it. */
	const plain = (name: string, typed: unknown): string =>
		isPower(name) ? plainPower(typed) : plainNumber(typed);

	function decimal(
		name: string,
		value: unknown,
		rule: Rule,
	): PropertyDefinition {
		names.push(name);
		const isOpen = () => input(name).length > 0;
		const validate = validator(name, (given, node) =>
			rule(isOpen() ? plain(name, given) : given, node),
		);
		return {
			...property(name, value, rule),
			validate(typed, options) {
				return isOpen() && !isPower(name) && hasThousands(typed)
					? say("common.number.thousands", {
							typed: String(typed).trim(),
							decimal: localNumber(String(Number(typed))),
							whole: plainPower(typed),
						})
					: validate.call(this, typed, options);
			},
		};
	}

	/** Puts all fields, where the dialog has no other in place of one, into another form. */
	const rewrite = (form: (name: string, number: unknown) => string) => {
		for (const name of names) {
			const field = input(name);
			if (field.length > 0) field.val(form(name, field.val()));
		}
	};
	return {
		plain,
		decimal,
		/** Writes numbers as people do. */
		show: () => rewrite((_name, number) => localNumber(number)),
		/** Puts numbers into the form that flows hold; without it a dialog that was only looked at would have changed. */
		save: () => rewrite(plain),
	};
}
