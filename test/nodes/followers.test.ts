import assert from "node:assert/strict";
import {
	existsSync,
	mkdirSync,
	readdirSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import helper from "node-red-node-test-helper";
import { openBattery } from "../../nodes/battery/node";
import { openExport } from "../../nodes/export/node";
import { openLearn } from "../../nodes/learn/node";
import { openNow } from "../../nodes/now/node";
import { openSum } from "../../nodes/sum/node";
import { openWindow } from "../../nodes/window/node";
import {
	DAY_MS as DAY,
	HOUR_MS as HOUR,
	MINUTE_MS as MINUTE,
} from "../../src/util/time";
import { makeForecast } from "../export/forecasts";
import { until } from "../support/broker";
import { translator } from "../support/catalogue";
import { Flows } from "../support/flows";
import {
	batteryNode,
	learnNode,
	nowNode,
	sumNode,
	windowNode,
} from "../support/own-nodes";
import { THREE_DAYS } from "./three-days";

type Message = Record<string, any>;

/** What the nodes behind a forecast node differ in. */
interface Follower {
	readonly open: (...args: any[]) => void;
	readonly node: (more: object) => object;
	readonly outputs: number;
	/** A setting that cannot be used. */
	readonly wrong: Message;
	/** What it needs beside a forecast to be at work. */
	readonly beside?: Message;
	/** How many messages it sends with a forecast, at once. */
	readonly answers: number;
	/** Topics below the site's that a broker keeps. */
	readonly kept: readonly string[];
	/** What it makes of a second site: an error until `msg.siteId` names it, then for good or once; or something of its own. */
	readonly other: "refused" | "answered" | "added" | "own";
	/** Inputs that a sensor may give. */
	readonly sensors: readonly string[];
	/** What the name of its file begins with. */
	readonly file?: string;
}

const FOLLOWERS: Readonly<Record<string, Follower>> = {
	now: {
		open: openNow,
		node: nowNode,
		outputs: 1,
		wrong: { every: "7" },
		answers: 1,
		kept: ["now"],
		other: "refused",
		sensors: [],
	},
	sum: {
		open: openSum,
		node: sumNode,
		outputs: 1,
		wrong: { acLimitW: "-1" },
		answers: 1,
		kept: ["forecast"],
		other: "added",
		sensors: [],
	},
	export: {
		open: openExport,
		node: (more) => ({
			type: "solar-yield-export",
			z: "tab",
			name: "",
			format: "evcc",
			...more,
		}),
		outputs: 1,
		wrong: { format: "none" },
		answers: 1,
		kept: ["evcc"],
		other: "answered",
		sensors: [],
		file: "export",
	},
	battery: {
		open: openBattery,
		node: batteryNode,
		outputs: 1,
		wrong: { capacityKwh: "0" },
		beside: { soc: 50 },
		answers: 1,
		kept: [],
		other: "refused",
		sensors: ["soc", "house_w", "load", "prices", "feedIn", "targets"],
		file: "battery",
	},
	window: {
		open: openWindow,
		node: windowNode,
		outputs: 2,
		wrong: { hours: "-1" },
		answers: 1,
		kept: [],
		other: "refused",
		sensors: ["hours", "loadW", "prices", "feedIn", "run_minutes", "done"],
		file: "window",
	},
	learn: {
		open: openLearn,
		node: learnNode,
		outputs: 2,
		wrong: { unit: "MW" },
		answers: 1,
		kept: ["forecast"],
		other: "own",
		sensors: ["power_w", "energy_kwh", "payload"],
		file: "learn",
	},
};

const START = "2026-06-10T09:02:00Z";
const WORDS = ["unavailable", "unknown", " None ", "NaN"];

for (const [name, follower] of Object.entries(FOLLOWERS)) {
	describe(`solar-yield-${name}, as every node behind a forecast`, () => {
		let flows: Flows;
		let language: string;

		beforeEach(async () => {
			flows = new Flows(START);
			language = "en-US";
			flows.onClock(`solar-yield-${name}`, (RED, ...rest) => {
				// The test helper's own lookup gives keys for texts.
				const _ = translator(language);
				follower.open(Object.create(RED, { _: { value: _ } }), ...rest);
			});
			const { settle } = flows;
			flows.settle = async () => {
				await settle();
				await (helper.getNode("n") as any)?.solarYield?.idle?.();
				await settle();
			};
			await flows.start();
		});
		afterEach(() => flows.stop());

		const outs = ["n-out", "n-second"].slice(0, follower.outputs);
		const flow = (more: Message = {}): object[] => [
			follower.node({ id: "n", wires: outs.map((out) => [out]), ...more }),
			...outs.map((id) => ({ id, type: "helper", z: "tab" })),
			...Flows.catchNode,
		];
		const sent = () => outs.flatMap((out) => flows.of(out));
		const errors = () => flows.of("caught").map(({ error }) => error.message);
		/** Without its times. */
		const status = () =>
			String(flows.status("n")?.text).replace(/\d\d:\d\d/g, "…");
		/** A message as the forecast node sends it, computed now. */
		const forecast = (more: Message = {}, site = "site_a1"): Message => {
			const { body, solar } = makeForecast({
				...THREE_DAYS,
				solar: { site_id: site },
			});
			const computed_at = new Date(flows.clock.now()).toISOString();
			const facts = { ...solar, computed_at, latitude: 52.5, longitude: 13.4 };
			return {
				topic: `pv/${site}/forecast`,
				payload: { ...body, computed_at, solar: facts },
				solar: structuredClone(facts),
				retain: true,
				...structuredClone(follower.beside),
				...more,
			};
		};
		const input = async (msg: Message) => {
			flows.clear();
			await flows.input("n", msg);
			await flows.settle();
		};
		/** What a broker keeps of all that was sent since the last look. */
		const retained = new Map<string, unknown>();
		const look = (): string[] => {
			for (const { topic, payload, retain } of sent()) {
				if (retain !== true) continue;
				if (payload === "") retained.delete(topic);
				else retained.set(topic, payload);
			}
			flows.clear();
			return [...retained.keys()].sort();
		};
		const topics = (base: string) =>
			follower.kept.map((leaf) => `${base}/${leaf}`);
		const own = name === "sum" ? "sum" : "site_a1";

		it("speaks the server's language, in status and errors", async () => {
			const said = [];
			for (language of ["en-US", "de"]) {
				await flows.load(flow());
				const waits = status();
				await input({ payload: "on" });
				const [refused] = errors();
				await flows.deploy(flow(follower.wrong));
				await input(forecast());
				said.push([waits, refused, errors()[0], status()]);
				await helper.unload();
			}
			const [english = [], german = []] = said;
			for (const [index, text] of german.entries()) {
				assert.notEqual(text, english[index]);
			}
			assert.match(german[1] ?? "", /Sie/);
			assert.match(german[2] ?? "", /Sie/);
		});

		it("works from another program's forecast: a zone, and quarters of a power", async () => {
			const { timezone, computed_at, values } = forecast().payload;
			const rows = values.map(({ timestamp, pv_power }: Message) => ({
				timestamp,
				pv_power,
			}));
			await flows.load(flow());
			await input({
				payload: JSON.stringify({ timezone, computed_at, values: rows }),
				...follower.beside,
			});
			assert.deepEqual(errors(), []);
			assert.equal(sent().length, follower.answers);
		});

		for (const kind of ["nodes", "flows", "full", "restart"] as const) {
			it(`${kind}: it goes on after a deploy, answers once, and has one timer`, async () => {
				await flows.load(flow());
				const fresh = status();
				await input(forecast());
				assert.equal(sent().length, follower.answers);
				const known = status();
				assert.notEqual(known, fresh);
				if (kind === "restart") {
					await helper.unload();
					await flows.load(flow({ x: 1 }));
				} else await flows.deploy(flow({ x: 1 }), kind);
				await flows.settle();
				const isKept = kind === "nodes" || kind === "flows";
				if (isKept) assert.equal(status(), known);
				assert.ok(flows.clock.timers <= 1, `${flows.clock.timers} timers`);
				await flows.runFor(MINUTE);
				await input(forecast());
				assert.deepEqual(errors(), []);
				assert.equal(status(), known);
				assert.ok(sent().length <= follower.answers);
				assert.ok(flows.clock.timers <= 1, `${flows.clock.timers} timers`);
			});
		}

		it("leaves no timer and no listener behind, and knows nothing when it comes back", async () => {
			const { _events } = helper as any;
			const listeners = () => _events.listenerCount("flows:started");
			const others = flow().slice(1);
			await flows.load(others);
			const before = listeners();
			await flows.deploy(flow());
			const fresh = status();
			await input(forecast());
			for (const type of ["nodes", "full"] as const) {
				await flows.deploy(others, type);
				await flows.settle();
				assert.equal(flows.clock.timers, 0);
				assert.ok(listeners() <= before);
				await flows.deploy(flow(), type);
				if (!follower.file) assert.equal(status(), fresh);
			}
		});

		it("forgets a site that is no more, and takes it off a broker", async () => {
			await flows.load(flow());
			const fresh = status();
			const removals: Message[] = [
				{ operation: "remove", siteId: "site_a1" },
				{ operation: "remove" },
				{ topic: "pv/site_a1/forecast", payload: Buffer.alloc(0) },
				{ topic: "pv/site_a1/forecast", payload: "" },
			];
			for (const removal of removals) {
				flows.clear();
				await flows.input("n", forecast());
				const known = status();
				assert.deepEqual(look(), topics(`pv/${own}`));
				await input({ operation: "remove", siteId: "another" });
				assert.deepEqual([sent(), errors(), status()], [[], [], known]);
				await input({ ...removal });
				assert.deepEqual(errors(), []);
				assert.deepEqual(look(), []);
				if (follower.kept.length === 0) assert.equal(status(), known);
				else if (name === "now" || name === "sum") {
					assert.equal(status(), name === "now" ? fresh : status());
					await flows.runFor(20 * MINUTE);
					assert.deepEqual(look(), []);
				}
			}
		});

		it("takes back what it published under another prefix", async () => {
			await flows.load(flow());
			await flows.input("n", forecast());
			assert.deepEqual(look(), topics(`pv/${own}`));
			await flows.runFor(MINUTE);
			await flows.input("n", forecast({ topic: "roof/site_a1/forecast" }));
			assert.deepEqual(look(), topics(`roof/${own}`));
		});

		it(`another site's forecast is ${follower.other}`, async () => {
			await flows.load(flow());
			await flows.input("n", forecast());
			const other = () => {
				const msg = forecast({}, "site_b");
				for (const name of Object.keys(follower.beside ?? {})) delete msg[name];
				return msg;
			};
			await input(other());
			if (follower.other === "added") {
				assert.deepEqual(sent()[0]?.solar.sum_of, ["site_a1", "site_b"]);
				return;
			}
			assert.match(String(errors()[0]), /site_b.*site_a1/);
			assert.deepEqual(sent(), []);
			if (follower.other === "own") return;
			await input({ ...other(), siteId: "site_b" });
			assert.deepEqual(errors(), []);
			await flows.runFor(MINUTE);
			await input(other());
			assert.equal(errors().length, follower.other === "answered" ? 1 : 0);
			await input({ operation: "remove" });
			flows.clear();
			await input(forecast());
			assert.deepEqual(errors(), []);
		});

		it("takes what a sensor says in place of a value for none", async () => {
			await flows.load(flow());
			await flows.input("n", forecast());
			for (const sensor of follower.sensors) {
				for (const word of WORDS) {
					await input({ [sensor]: word });
					assert.deepEqual([sent(), errors()], [[], []], `${sensor} ${word}`);
				}
			}
		});

		it("gives objects of its own, and keeps none that others have", async () => {
			const spoil = (value: any) => {
				if (typeof value !== "object" || value === null) return;
				for (const key of Object.keys(value)) {
					spoil(value[key]);
					if (!["req", "res"].includes(key)) value[key] = 7;
				}
			};
			const twin = outs.map((out) => `twin-${out}`);
			await flows.load([
				...flow({ name: "same" }),
				follower.node({
					id: "m",
					name: "same",
					wires: twin.map((out) => [out]),
				}),
				...twin.map((id) => ({ id, type: "helper", z: "tab" })),
			]);
			const brought = forecast();
			await flows.input("m", structuredClone(brought));
			await input(brought);
			for (const each of [brought, ...sent()]) spoil(each);
			flows.clear();
			await flows.runFor(16 * MINUTE);
			for (const id of ["m", "n"]) {
				await flows.input(id, forecast({ hours: 3, _msgid: "same" }));
			}
			const pure = twin.flatMap((out) => flows.of(out));
			assert.ok(pure.length > 0);
			for (const each of [...sent(), ...pure]) delete each._msgid;
			assert.deepEqual(sent(), pure);
		});

		it("keeps what the message brought beside, and answers an HTTP request that fails", async () => {
			await flows.load(flow());
			await input(forecast({ house: "north", _msgid: "m1" }));
			const [first] = sent();
			assert.deepEqual([first?.house, first?._msgid], ["north", "m1"]);
			await input({ payload: "on", req: {}, res: {}, _msgid: "m2" });
			const [caught] = flows.of("caught");
			assert.equal(caught?.statusCode, 400);
			assert.equal(caught?._msgid, "m2");
		});

		const { file: kind } = follower;
		if (!kind) return;
		describe("on disk", () => {
			const folder = () => join(flows.userDir, "solar-yield");
			const file = () => join(folder(), `${kind}-n.json`);
			const warned = (part: string | RegExp) =>
				((helper.getNode("n") as any)?.warn.args ?? []).filter(
					([text]: [string]) => text?.match(part),
				);
			const written = () => until("the file", () => existsSync(file()));

			it("a damaged file is set aside, said once, and replaced", async () => {
				mkdirSync(folder(), { recursive: true });
				writeFileSync(file(), '{"version":1');
				await flows.load(flow());
				await until("a warning", () => warned(/damaged/).length > 0);
				assert.ok(existsSync(`${file()}.damaged`));
				await flows.input("n", forecast());
				await flows.deploy(flow({ x: 1 }), "full");
				await written();
				assert.equal(warned(/damaged/).length, 1);
			});

			it("a folder that cannot be written is said once, and memory does", async () => {
				writeFileSync(folder(), "no folder");
				await flows.load(flow());
				for (let time = 0; time < 3; time += 1) {
					await flows.runFor(HOUR);
					await input(forecast());
					assert.ok(sent().length > 0 || time > 0);
				}
				await flows.deploy(flow({ x: 1 }), "full");
				await flows.quiet();
				assert.equal(warned(folder()).length, 1);
			});

			it("outlives its node for 30 days, and is taken up by one of the same id", async () => {
				const names = () =>
					readdirSync(folder()).filter((it) => it.startsWith(`${kind}-`));
				await flows.load(flow());
				await flows.input("n", forecast());
				await flows.deploy(flow({ d: true }), "nodes");
				await written();
				await flows.deploy(flow(), "nodes");
				for (const type of ["full", "nodes"] as const) {
					await flows.deploy([], type);
					await until("no file", () => !existsSync(file()));
					await flows.deploy(flow(), type);
					await until("the file", () => existsSync(file()));
					assert.deepEqual(names(), [`${kind}-n.json`]);
				}
				await flows.deploy([], "full");
				await until("no file", () => !existsSync(file()));
				assert.equal(names().length, 1);
				const long = new Date(Date.now() - 31 * DAY);
				for (const it of names()) utimesSync(join(folder(), it), long, long);
				await flows.deploy(flow(), "full");
				await until("nothing", () => names().length === 0);
			});
		});
	});
}
