import { readSumSettings } from "../../src/sum/sum-settings";
import { decimals } from "../shared/editor/decimals";
import { nodeType } from "../shared/editor/node-type";
import { chosen, takes } from "../shared/editor/rules";

interface Settings {
	readonly sites: string;
	readonly sumId: string;
	readonly acLimitW: string;
}

const type = nodeType("solar-yield-sum");
const numbers = decimals(type);

RED.nodes.registerType<Settings>("solar-yield-sum", {
	...type.words,
	category: "solar yield",
	color: "#FFCC66",
	icon: "solar-yield-sum.svg",
	inputs: 1,
	outputs: 1,
	defaults: {
		name: { value: "" },
		sites: type.property("sites", "", (sites) =>
			takes(() => readSumSettings({ sites })),
		),
		sumId: type.property("sumId", "", (sumId, node) => {
			if (!takes(() => readSumSettings({ sumId }))) return "malformed";
			const sites = chosen(node, "sites");
			const isAlone = !takes(() => readSumSettings({ sites }));
			return (
				isAlone || takes(() => readSumSettings({ sumId, sites })) || "site"
			);
		}),
		acLimitW: numbers.decimal("acLimitW", "", (acLimitW) =>
			takes(() => readSumSettings({ acLimitW })),
		),
	},
	oneditprepare() {
		type.showDefaults(this);
		numbers.show();
	},
	oneditsave() {
		numbers.save();
	},
});
