import type { Node, NodeDef } from "node-red";
import type { Forecast } from "../../src/forecast/forecast";
import type { Output } from "../../src/window/output";
import type { WindowSetting } from "../../src/window/settings";
import type { WindowState } from "../../src/window/state";

/** Properties of `solar-yield-window` in a flow file: those of `WindowSettings`, as text. */
export type WindowConfig = NodeDef & Record<WindowSetting, unknown>;

/** What its messages are named by. */
export const nameOf = ({ name }: WindowConfig, { id }: Node): string =>
	typeof name === "string" && name !== "" ? name : id;

/** Node-RED's node with what the editor's picture reads; absent while its settings are invalid. */
export interface WindowNode extends Node {
	solarYield?: WindowSource;
}

/** What the picture, and tests, read of a running node. */
export interface WindowSource {
	/** Resolves when all that was decided is on disk and sent. */
	idle(): Promise<void>;
	/** Epoch ms. */
	now(): number;
	known(): Forecast | undefined;
	state(): WindowState;
	/**
	 * What would hold with other settings; nothing changes.
	 *
	 * @param properties in place of those of the node
	 */
	outputWith(properties?: Readonly<Record<string, unknown>>): Output;
}
