import { isBlank } from "../../src/util/guards";
import { nodeType } from "../shared/editor/node-type";
import { oneOf } from "../shared/editor/rules";
import { DEFAULT_EVERY, EVERY } from "./minutes";

interface Settings {
	readonly every: string;
}

const type = nodeType("solar-yield-now");
const isEvery = oneOf(...EVERY.map(String));

RED.nodes.registerType<Settings>("solar-yield-now", {
	...type.words,
	category: "solar yield",
	color: "#FFCC66",
	icon: "solar-yield-now.svg",
	inputs: 1,
	outputs: 1,
	defaults: {
		name: { value: "" },
		every: type.property("every", "5", (value, node) =>
			isEvery(String(value ?? ""), node),
		),
	},
	oneditprepare() {
		const every = type.input("every");
		if (isBlank(every.val())) every.val(String(DEFAULT_EVERY));
	},
});
