import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Broker } from "./broker";
import type { Collector } from "./collector";
import { ROOT } from "./node-red-process";

type Message = Record<string, any>;
export type FlowNode = { id: string; type: string; z?: string } & Message;

const FOLDER = join(ROOT, "examples");

/** Examples of Node-RED's own nodes and ours. */
export const EXAMPLES = readdirSync(FOLDER).filter((file) =>
	file.endsWith(".json"),
);

/** An example as it stands in its file, but that its broker is the test's. */
export function exampleNodes(file: string, broker: Broker): FlowNode[] {
	const nodes: FlowNode[] = JSON.parse(
		readFileSync(join(FOLDER, file), "utf8"),
	);
	return nodes.map((node) =>
		node.type === "mqtt-broker" ? { ...node, port: String(broker.port) } : node,
	);
}

/**
 * An example as it stands in its file, but that what goes to the debug sidebar
 * comes to the collector, tagged with the debug node's name, that what nobody
 * catches comes as "not caught", and that its broker is the test's.
 *
 * @param before put before each tag, where several examples run at once
 */
export function collectedExample(
	file: string,
	collector: Collector,
	broker: Broker,
	before = "",
): FlowNode[] {
	const nodes = exampleNodes(file, broker);
	const z = nodes.find(({ type }) => type === "tab")?.id as string;
	const changed = nodes.flatMap((node) => {
		if (node.type !== "debug") return [node];
		const tap = collector.nodes(before + node.name, z).nodes as FlowNode[];
		const [entry, post] = tap as [FlowNode, FlowNode];
		return [
			{ ...entry, id: node.id, wires: [[`${node.id}-post`]] },
			{ ...post, id: `${node.id}-post` },
		];
	});
	const caught = collector.nodes(`${before}not caught`, z);
	return [
		...changed,
		...(caught.nodes as FlowNode[]),
		{
			id: `${before}catcher`,
			type: "catch",
			z,
			scope: null,
			uncaught: true,
			wires: [[caught.entry]],
		},
	];
}
