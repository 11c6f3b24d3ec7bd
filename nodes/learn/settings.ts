import type { Node, NodeDef } from "node-red";
import type { Text } from "../../src/texts/texts";
import type { LearnView } from "./dialog-answers";

/** Properties of `solar-yield-learn` in a flow file (behaviour: Messages). */
export interface LearnConfig extends NodeDef {
	unit: string;
}

/** The node, with what its dialog asks for. */
export interface LearnNode extends Node {
	/** Undefined where the settings are invalid. */
	solarYieldLearn?: () => LearnView<Text>;
}
