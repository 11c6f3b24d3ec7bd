import type { Request } from "express";
import type { NodeAPI } from "node-red";

/** What a dialog asks, below `solar-yield/` relative to the editor's own address. */
export interface Route<Code> {
	readonly method: "get" | "post";
	readonly path: string;
	readonly needs: "read" | "write";
	/** Whether only a dialog of ours may ask: it asks the service, reads a variable or changes something. */
	readonly isGuarded: boolean;
	/** The answer; undefined for what is not there. */
	readonly work: (code: Code, RED: NodeAPI, request: Request) => unknown;
}

export type Open = (RED: NodeAPI, node: never, config: never) => void;

/**
 * A type of nodes, as it is registered.
 *
 * @typeParam Code what it takes of `nodes/node.ts`, which is loaded with the first node
 */
export interface RegisteredType<Code> {
	/** Wires a node. */
	readonly open: (code: Code) => Open;
	readonly routes?: readonly Route<Code>[];
	/** Credentials and settings, as `registerType` takes them. */
	readonly more?: object;
}

export const get = <Code>(
	path: string,
	work: Route<Code>["work"],
	isGuarded = false,
): Route<Code> => ({ method: "get", path, needs: "read", isGuarded, work });

export const post = <Code>(
	path: string,
	work: Route<Code>["work"],
	needs: Route<Code>["needs"] = "write",
): Route<Code> => ({ method: "post", path, needs, isGuarded: true, work });
