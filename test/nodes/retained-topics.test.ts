import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openExport } from "../../nodes/export/node";
import { openLearn } from "../../nodes/learn/node";
import { openNow } from "../../nodes/now/node";
import { openSum } from "../../nodes/sum/node";
import { HOUR_MS as HOUR } from "../../src/util/time";
import { until } from "../support/broker";
import { Flows, KEY, SITE } from "../support/flows";
import { learnNode } from "../support/own-nodes";

type Message = Record<string, any>;

const OTHER = "site_potsdam";

/** Topics of the list in docs/messages.md, as patterns. */
function documented(): { topic: string; pattern: RegExp }[] {
	const page = readFileSync(join(__dirname, "../../docs/messages.md"), "utf8");
	const [, rest] = page.split("## What stays on a broker\n") as [
		string,
		string,
	];
	const [section] = rest.split(/^## /m) as [string];
	const listed = [...section.matchAll(/^- `([^`]+)`:/gm)];
	// The last is the broker node's.
	return listed.slice(0, -1).map(([, topic = ""]) => ({
		topic,
		pattern: new RegExp(
			`^${topic
				.replace("<prefix>", "solar-yield")
				.replaceAll("<site>", "(?:site_berlin|site_potsdam|sum)")
				.replace("<n>", "[0-7]")
				.replace("<string>", "(?!strings/)[\\w.]+")
				.replace("<day>", "(?:today|tomorrow|d[3-8])")
				.replace("<format>", "(?:evcc|apexcharts)")
				.replace("<field>", "(?:[a-z\\d]+_[a-z\\d_]+|gaps|stale)")}$`,
		),
	}));
}

describe("what stays on a broker", () => {
	let flows: Flows;
	/** Retained messages by topic, as a broker keeps them. */
	let retained: Map<string, unknown>;
	const held = () => {
		for (const { topic, payload, retain } of flows.of("broker").splice(0)) {
			assert.equal(retain, true, topic);
			if (payload === "") retained.delete(topic);
			else retained.set(topic, payload);
		}
		return retained;
	};
	const topics = (part = "") =>
		[...held().keys()].filter((topic) => topic.includes(part)).sort();

	beforeEach(async () => {
		retained = new Map();
		flows = new Flows("2026-06-10T09:02:00Z", "plus");
		flows.onClock("solar-yield-now", openNow);
		flows.onClock("solar-yield-export", openExport);
		flows.onClock("solar-yield-sum", openSum);
		flows.onClock("solar-yield-learn", openLearn);
		flows.simulator.addSite(KEY, {
			id: OTHER,
			name: "Potsdam",
			latitude: 52.4,
			longitude: 13.06,
			strings: [{ id: "roof", slope: 30, orientation: 180, power_kw: 3 }],
		});
		await flows.start();
	});
	afterEach(() => flows.stop());

	const exporter = (id: string, config: object) => ({
		id,
		type: "solar-yield-export",
		z: "tab",
		name: "",
		wires: [["broker"]],
		...config,
	});
	const flow = (topic = "solar-yield") => {
		const exports = ["to-ha", "to-solcast", "to-values"];
		const behind = (now: string, learn: string) => [
			...["broker", now, "sum", learn],
			...exports,
		];
		return [
			flows.account(),
			...[
				[SITE, "f"],
				[OTHER, "g"],
			].flatMap(([siteId, id]) => [
				...flows.forecast(id as string, {
					siteId,
					topic,
					include: ["default", "strings"],
					wires: [behind(`${id}-now`, `${id}-learn`), ["broker"], ["broker"]],
				}),
				{
					id: `${id}-now`,
					type: "solar-yield-now",
					z: "tab",
					name: "",
					every: "15",
					wires: [["broker", "to-values"]],
				},
				// An export that is told of a removal through it alone.
				learnNode({
					id: `${id}-learn`,
					wires: [["broker", "to-apexcharts"], ["broker"]],
				}),
			]),
			{
				id: "sum",
				type: "solar-yield-sum",
				z: "tab",
				name: "House",
				sites: `${SITE}\n${OTHER}`,
				sumId: "",
				acLimitW: "",
				wires: [["broker", "to-evcc"]],
			},
			exporter("to-ha", { format: "home-assistant" }),
			exporter("to-solcast", { format: "solcast" }),
			exporter("to-values", { format: "values" }),
			exporter("to-apexcharts", { format: "apexcharts" }),
			exporter("to-evcc", { format: "evcc" }),
			{
				id: "s",
				type: "solar-yield-site",
				z: "tab",
				name: "",
				account: "acc",
				siteId: "",
				operation: "",
				wires: [[]],
			},
			{ id: "broker", type: "helper", z: "tab" },
			...Flows.catchNode,
		];
	};

	it("after three days is the list of the docs, and after a removal nothing", async () => {
		await flows.load(flow());
		await flows.quiet();
		for (const learn of ["f-learn", "g-learn"]) {
			await flows.input(learn, { power_w: 900 });
			await flows.input(learn, { operation: "report" });
		}
		const list = documented();
		assert.ok(list.length >= 10, String(list.length));
		const check = () => {
			const found = topics();
			for (const topic of found) {
				const of = list.filter(({ pattern }) => pattern.test(topic));
				assert.equal(of.length, 1, `${topic}: ${JSON.stringify(of)}`);
			}
			for (const { topic, pattern } of list) {
				assert.ok(
					found.some((it) => pattern.test(it)),
					`nothing at ${topic}`,
				);
			}
		};
		check();
		// Three days, of which the last midnight is a quarter of an hour ago.
		for (const day of ["11", "12", "13"]) {
			const midnight = Date.parse(`2026-06-${day}T00:00:00+02:00`);
			flows.clock.sleep(midnight - HOUR - flows.clock.time);
			await flows.clock.runTo(
				new Date(midnight + 15 * 60_000).toISOString(),
				flows.settle,
			);
			await flows.quiet();
			await until("the new day", () => {
				const today = held().get(`solar-yield/${SITE}/daily/0`) as Message;
				return today?.date === `2026-06-${day}`;
			});
			await flows.quiet();
			check();
		}
		// The forecast of before midnight lost its first day, and nothing beyond its last stays.
		const { daily } = held().get(`solar-yield/${SITE}/forecast`) as Message;
		const left = daily
			.map(({ date }: Message) => date)
			.filter((date: string) => date >= "2026-06-13");
		assert.deepEqual(
			topics(`/${SITE}/daily/`),
			left.map((_: string, n: number) => `solar-yield/${SITE}/daily/${n}`),
		);
		for (const part of ["home-assistant/day/", "solcast/"]) {
			assert.equal(topics(`/${SITE}/${part}`).length, left.length, part);
		}

		held();
		// The site is deleted: all that was made of it goes, and of the sum that needs it.
		await flows.call("s", { operation: "delete", siteId: OTHER });
		await flows.runFor(60_000);
		await until("nothing of the site", () => topics(OTHER).length === 0);
		await until("nothing of the sum", () => topics("/sum/").length === 0);
		assert.ok(topics(SITE).length > 40);
		const before = topics();
		await flows.runFor(16 * 60_000);
		assert.deepEqual(topics(), before);
		// A restart brings nothing back.
		await flows.deploy(flow());
		await flows.runFor(16 * 60_000);
		await flows.quiet();
		assert.deepEqual(topics(), before);

		await flows.input("f", { operation: "remove" });
		assert.deepEqual(topics(), []);
		await flows.runFor(6 * 60_000);
		assert.deepEqual(topics(), []);
	}).timeout(120_000);

	it("an export alone removes what it alone published", async () => {
		await flows.load(flow());
		await flows.quiet();
		const before = topics();
		const own = topics("/solcast/");
		assert.ok(own.length > 2);
		await flows.input("to-solcast", { operation: "remove" });
		assert.deepEqual(
			topics(),
			before.filter((topic) => !own.includes(topic)),
		);
	});

	for (const type of ["nodes", "full"] as const) {
		it(`${type}: is under the new prefix alone once a forecast node has another`, async () => {
			await flows.load(flow());
			const own = () =>
				topics().filter((topic) => !topic.startsWith("homeassistant/"));
			const before = own();
			assert.ok(before.length > 50);
			await flows.deploy(flow("pv/house"), type);
			await flows.runFor(HOUR / 2);
			assert.deepEqual(
				own(),
				before.map((topic) => topic.replace("solar-yield", "pv/house")).sort(),
			);
			assert.deepEqual(flows.of("caught"), []);
		});
	}
});
