import assert from "node:assert/strict";
import { Collector } from "../support/collector";
import { installedUserDir, NodeRed } from "../support/node-red-process";
import { accountNode, forecastNode, windowNode } from "../support/own-nodes";
import { type ShiftedClock, shiftedClock } from "../support/shifted-clock";
import { MINUTE } from "../support/time";

type Message = Record<string, any>;

/** The afternoon of a summer's day at the demo's site: the best of what is left begins at once. */
const AFTERNOON = Date.parse("2026-06-10T13:31:00Z");

describe("the best time in a Node-RED that is killed", () => {
	const collector = new Collector();
	let userDir = "";
	let red: NodeRed | undefined;
	let clock: ShiftedClock;
	/** Of the run, epoch ms. */
	let start = 0;
	let end = 0;

	before(async function () {
		this.timeout(180_000);
		await collector.start();
		userDir = installedUserDir();
	});
	after(async () => {
		await red?.stop();
		await collector.stop();
	});

	const flow = () => {
		const [toSwitch, toPlan] = ["switch", "plan"].map((tag) =>
			collector.nodes(tag, "tab"),
		);
		return [
			{ id: "tab", type: "tab", label: "tab" },
			accountNode({ demo: true }),
			forecastNode({ wires: [["win"], [], []] }),
			windowNode({
				name: "boiler",
				hours: "1",
				wires: [[toSwitch?.entry], [toPlan?.entry]],
			}),
			...(toSwitch?.nodes ?? []),
			...(toPlan?.nodes ?? []),
		];
	};
	/** Starts Node-RED at a time of its clock. */
	async function startAt(time: number): Promise<void> {
		collector.clear();
		clock = shiftedClock(time - Date.now());
		red = new NodeRed(userDir, clock.env);
		await red.start(flow());
	}
	const kill = () => red?.stop("SIGKILL");
	const switched = () => collector.of("switch").map(({ payload }) => payload);
	/** The first windows that a forecast after the start made. */
	const planned = async () =>
		(await collector.wait("plan"))[0]?.payload as Message[];

	it("begins a run", async () => {
		await startAt(AFTERNOON);
		const [on] = await collector.wait("switch", 1, ({ payload }) => payload);
		start = Date.parse(on?.window.start);
		end = Date.parse(on?.window.end);
		assert.equal(end - start, 60 * MINUTE);
		// At once, without another word.
		await kill();
	}).timeout(60_000);

	for (const minute of [1, 14, 45, 58]) {
		it(`goes on after ${minute} min, with the same end`, async () => {
			await startAt(start + minute * MINUTE);
			const [window] = await planned();
			assert.equal(Date.parse(window?.end), end);
			assert.deepEqual(switched(), [true]);
			assert.equal(Date.parse(collector.of("switch")[0]?.window.end), end);
			await kill();
		}).timeout(60_000);
	}

	it("ends it on time", async () => {
		await startAt(end - 40_000);
		assert.deepEqual(
			(await collector.wait("switch")).map(({ payload }) => payload),
			[true],
		);
		while (clock.now() < end) {
			assert.deepEqual(switched(), [true]);
			await new Promise((done) => setTimeout(done, 200));
		}
		await collector.wait("switch", 2);
		assert.deepEqual(switched(), [true, false]);
		await kill();
	}).timeout(120_000);

	it("begins no other that day", async () => {
		await startAt(end + 10 * MINUTE);
		const [next] = await planned();
		assert.ok(Date.parse(next?.start) > end + 6 * 60 * MINUTE);
		assert.deepEqual(switched(), [false]);
		assert.match(
			collector.of("switch")[0]?.window.reason,
			/^no forecast has come in/,
		);
	}).timeout(60_000);
});
