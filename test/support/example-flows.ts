import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import type { Broker } from "./broker";
import type { Collector } from "./collector";
import { ROOT } from "./node-red-process";

type Message = Record<string, any>;
export type FlowNode = { id: string; type: string; z?: string } & Message;

const FOLDER = join(ROOT, "examples");

/** Every example, `/` before the name of one in a folder. */
export const ALL_EXAMPLES = readdirSync(FOLDER, {
	recursive: true,
	encoding: "utf8",
})
	.filter((file) => file.endsWith(".json"))
	.map((file) => file.replaceAll(sep, "/"))
	.sort();

/** Examples of Node-RED's own nodes and ours. */
export const EXAMPLES = ALL_EXAMPLES.filter((file) => !file.includes("/"));

/** The package that the examples of a folder need besides. */
export const FOREIGN: Readonly<Record<string, string>> = {
	"01 - Dashboard 2": "@flowfuse/node-red-dashboard",
	"19 - InfluxDB": "node-red-contrib-influxdb",
	"26 - Inverters by Modbus": "node-red-contrib-modbus",
	"31 - Home Assistant without a broker":
		"node-red-contrib-home-assistant-websocket",
};

/** The package that an example needs besides; undefined for none. */
export const foreignOf = (file: string): string | undefined =>
	FOREIGN[file.split("/")[0] as string];

/** An example as it stands in its file. */
export const exampleNodes = (file: string): FlowNode[] =>
	JSON.parse(readFileSync(join(FOLDER, file), "utf8"));

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
	const nodes = exampleNodes(file);
	const z = nodes.find(({ type }) => type === "tab")?.id as string;
	const changed = nodes.flatMap((node) => {
		if (node.type === "mqtt-broker") {
			return [{ ...node, port: String(broker.port) }];
		}
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
