import assert from "node:assert/strict";
import { needs } from "../support/needs";
import { type Installation, installedNodeRed } from "../support/node-reds";
import { runCell } from "./matrix-cell";

/** Each supported Node-RED on each Node.js that it runs on. */
const CELLS = [
	["4.0", "20"],
	["4.0", "22"],
	["4.0", "24"],
	["4.1", "20"],
	["4.1", "22"],
	["4.1", "24"],
	["5", "22"],
	["5", "24"],
] as const;

/** As many as two cores bear. */
const AT_ONCE = 2;

describe("matrix: installed by Node-RED itself, all examples run", () => {
	const cells = CELLS.map(([nodeRed, node]) => {
		const installation = installedNodeRed(nodeRed, node);
		let settle: (failure?: unknown) => void = () => {};
		const done = new Promise<unknown>((resolve) => {
			settle = resolve;
		});
		return { nodeRed, node, installation, done, settle };
	});

	before(() => {
		const waiting = cells.filter(({ installation }) => installation);
		const next = async (): Promise<void> => {
			const cell = waiting.shift();
			if (!cell) return;
			await runCell(cell.installation as Installation).then(
				() => cell.settle(),
				cell.settle,
			);
			return next();
		};
		for (let lane = 0; lane < AT_ONCE; lane += 1) void next();
	});

	for (const { nodeRed, node, installation, done } of cells) {
		it(`Node-RED ${nodeRed} on Node.js ${node}`, async function () {
			needs(
				this,
				installation
					? ""
					: `node-red@${nodeRed} and node@${node} are not in SOLAR_YIELD_NODE_REDS`,
			);
			assert.ifError(await done);
		}).timeout(240_000);
	}
});
