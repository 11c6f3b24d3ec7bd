import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import { Broker, until } from "../support/broker";
import { Collector } from "../support/collector";
import {
	collectedExample,
	EXAMPLES,
	type FlowNode,
} from "../support/example-flows";
import { NodeRed, packedTarball, ROOT } from "../support/node-red-process";
import type { Installation } from "../support/node-reds";
import { temporaryFolder } from "../support/temporary";

const { "node-red": nodeRed } = JSON.parse(
	readFileSync(join(ROOT, "package.json"), "utf8"),
);
const TYPES = Object.keys(nodeRed.nodes);

/** Installs the tarball as "Manage palette" does when a file is uploaded. */
async function upload(red: NodeRed): Promise<void> {
	const tarball = packedTarball();
	const form = new FormData();
	form.set(
		"tarball",
		new Blob([readFileSync(tarball)], { type: "application/gzip" }),
		basename(tarball),
	);
	const response = await fetch(`${red.url}/nodes`, {
		method: "POST",
		body: form,
	});
	const text = await response.text();
	assert.equal(response.status, 200, `${text}\n${red.log}`);
	const { nodes } = JSON.parse(text) as {
		nodes: { types: string[]; err?: unknown }[];
	};
	assert.deepEqual(
		nodes.flatMap(({ err }) => err ?? []),
		[],
	);
	assert.deepEqual(
		nodes.flatMap(({ types }) => types).sort(),
		[...TYPES].sort(),
	);
}

/** Each node once: examples share the demo account and the broker. */
const once = (nodes: FlowNode[]) => [
	...new Map(nodes.map((node) => [node.id, node])).values(),
];

/** The first button of every flow, then the second of every flow that has two, and so on. */
function rounds(nodes: FlowNode[]): FlowNode[][] {
	const turns: FlowNode[][] = [];
	const pressed = new Map<string | undefined, number>();
	for (const node of nodes.filter(({ type }) => type === "inject")) {
		const turn = pressed.get(node.z) ?? 0;
		pressed.set(node.z, turn + 1);
		turns[turn] = [...(turns[turn] ?? []), node];
	}
	return turns;
}

/**
 * One cell of the matrix: a Node-RED with an empty user directory, the package
 * installed from its tarball by Node-RED itself, all examples deployed and each
 * of their buttons pressed.
 *
 * @throws AssertionError with what went wrong and Node-RED's log
 */
export async function runCell(installation: Installation): Promise<void> {
	const userDir = temporaryFolder("matrix");
	writeFileSync(
		join(userDir, "package.json"),
		JSON.stringify({ name: "user-dir", version: "0.0.1", private: true }),
	);
	const broker = new Broker();
	const collector = new Collector();
	const red = new NodeRed(
		userDir,
		{
			// The npm that Node-RED calls runs on the same Node.js, which --engine-strict judges.
			PATH: [dirname(installation.node), process.env.PATH].join(delimiter),
			npm_config_prefer_offline: "true",
		},
		{},
		installation,
	);
	try {
		await broker.start();
		await collector.start();
		await red.start([]);
		await upload(red);
		const nodes = once(
			EXAMPLES.flatMap((file) =>
				collectedExample(file, collector, broker, `${file}: `),
			),
		);
		await red.deploy(nodes);
		// A person needs a moment before each click: what came before has arrived.
		const pause = () => new Promise((done) => setTimeout(done, 1000));
		await pause();
		for (const buttons of rounds(nodes)) {
			for (const { id } of buttons) await red.inject(id);
			await pause();
		}
		for (const file of EXAMPLES) {
			await until(`a message of ${file}`, () =>
				collector.messages.some(({ tag }) => tag.startsWith(`${file}: `)),
			);
		}
		const errors = collector.messages.filter(({ tag }) =>
			/: (errors|not caught)$/.test(tag),
		);
		assert.deepEqual(
			errors.map(({ tag, msg }) => `${tag}: ${msg.error.message}`),
			[],
		);
		assert.equal(red.running, true);
	} catch (error) {
		(error as Error).message += `\n${red.log}`;
		throw error;
	} finally {
		await red.stop();
		await collector.stop();
		await broker.stop();
	}
}
