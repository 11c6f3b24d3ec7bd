import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { until } from "../support/broker";
import { Collector } from "../support/collector";
import {
	ALL_EXAMPLES,
	collectedExample,
	FOREIGN,
} from "../support/example-flows";
import { needs } from "../support/needs";
import { installedUserDir, NodeRed, ROOT } from "../support/node-red-process";
import { linkPackage, packageFolder } from "../support/packages";

type Loose = any;

const [FOLDER, PACKAGE] = Object.entries(FOREIGN).find(([name]) =>
	name.endsWith("Home Assistant without a broker"),
) as [string, string];
const FILES = ALL_EXAMPLES.filter((file) => file.startsWith(FOLDER));
const SOC = "sensor.battery_state_of_charge";

const PLAN = {
	now: { mode: "discharge", charge_limit_w: 5000, grid_charge_w: 0 },
	plan: [{ battery_w: -1000.4 }],
};

/** As much of Home Assistant as its nodes ask for: WebSocket with entities and actions, and states over HTTP. */
class House {
	readonly #server: Server;
	readonly #sockets = new Set<Loose>();
	/** Bodies that were sent, by entity. */
	readonly states = new Map<string, Loose>();
	readonly actions: Loose[] = [];

	constructor(folder: string) {
		this.#server = createServer((request, response) => {
			const chunks: Buffer[] = [];
			request.on("data", (chunk) => chunks.push(chunk));
			request.on("end", () => {
				const isKnown = request.headers.authorization === "Bearer long-lived";
				const entity = /^\/api\/states\/(.+)$/.exec(request.url ?? "")?.[1];
				const body = Buffer.concat(chunks).toString();
				if (isKnown && entity) this.states.set(entity, JSON.parse(body));
				response.writeHead(isKnown && entity ? 201 : 401, {
					"content-type": "application/json",
				});
				response.end(isKnown ? body : "{}");
			});
		});
		const ws = require(require.resolve("ws", { paths: [folder] }));
		new ws.WebSocketServer({ server: this.#server }).on(
			"connection",
			(socket: Loose) => this.#welcome(socket),
		);
	}

	async start(): Promise<string> {
		await new Promise<void>((done) =>
			this.#server.listen(0, "127.0.0.1", done),
		);
		return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
	}

	/** Loses what was set from outside, and its connections, as in a restart. */
	restart(): void {
		this.states.clear();
		for (const socket of this.#sockets) socket.terminate();
	}

	stop(): void {
		this.restart();
		this.#server.close();
	}

	#welcome(socket: Loose): void {
		const send = (message: object) => socket.send(JSON.stringify(message));
		this.#sockets.add(socket);
		socket.on("close", () => this.#sockets.delete(socket));
		const soc = { s: "55", a: {}, c: "", lc: 1, lu: 1 };
		const answers: Record<string, unknown> = {
			get_config: { state: "RUNNING", version: "2026.2.3", components: [] },
			"auth/current_user": { is_admin: true },
			get_services: { script: { solar_yield_battery: { fields: {} } } },
		};
		socket.on("message", (data: unknown) => {
			for (const command of [JSON.parse(String(data))].flat()) {
				const { id, type } = command;
				if (type === "auth") {
					const isKnown = command.access_token === "long-lived";
					const ha_version = "2026.2.3";
					send({ type: isKnown ? "auth_ok" : "auth_invalid", ha_version });
				} else if (type.startsWith("nodered/")) {
					const error = { code: "unknown_command", message: "" };
					send({ id, type: "result", success: false, error });
				} else {
					const isList = /_list$|\/list/.test(type);
					const result = answers[type] ?? (isList ? [] : null);
					if (type === "call_service") this.actions.push(command);
					send({ id, type: "result", success: true, result });
					if (type === "subscribe_entities")
						send({ id, type: "event", event: { a: { [SOC]: soc } } });
				}
			}
		});
		send({ type: "auth_required", ha_version: "2026.2.3" });
	}
}

describe("Home Assistant without a broker", () => {
	const collector = new Collector();
	let house: House;
	let red: NodeRed | undefined;

	before(async function () {
		this.timeout(180_000);
		const folder = packageFolder(PACKAGE) ?? "";
		needs(this, folder ? "" : `${PACKAGE} is not installed`);
		house = new House(folder);
		const host = await house.start();
		await collector.start();
		const userDir = installedUserDir();
		linkPackage(userDir, PACKAGE, folder);
		red = new NodeRed(userDir);
		await red.start([]);
		const nodes = new Map(
			FILES.flatMap((file) =>
				collectedExample(file, collector, undefined as never, `${file} `),
			).map((node) => [node.id, node]),
		);
		const credentials = { host, access_token: "long-lived" };
		await red.deploy([
			...[...nodes.values()].map((node) =>
				node.type === "server" ? { ...node, credentials } : node,
			),
			{
				id: "planned",
				type: "inject",
				z: "syhw-tab",
				props: [{ p: "payload", v: JSON.stringify(PLAN), vt: "json" }],
				wires: [["syhw-switch"]],
			},
		]);
	});
	after(async () => {
		await red?.stop();
		house?.stop();
		await collector.stop();
	});

	it("has all values that the sensors of the file read, and the curve, after its restart too", async () => {
		const names = [
			"sensor.solar_yield_now",
			"sensor.solar_yield_forecast",
		] as const;
		for (const when of ["at once", "after a restart"]) {
			if (when !== "at once") house.restart();
			// Its nodes take five seconds before each connection.
			const isThere = () => names.every((name) => house.states.has(name));
			await until(when, isThere, 30);
			const { attributes } = house.states.get(names[0]);
			const yaml = readFileSync(
				join(ROOT, "docs/home-assistant/without-broker.yaml"),
				"utf8",
			);
			const read = [
				...yaml.matchAll(/state_attr\('(sensor\.\w+)', '(\w+)'\)/g),
			];
			assert.ok(read.length > 6);
			for (const [, entity, name = ""] of read) {
				assert.equal(entity, names[0]);
				assert.ok(name in attributes, name);
			}
			assert.equal(attributes.demo, true);
			assert.ok(Math.abs(Date.parse(attributes.sent_at) - Date.now()) < 60_000);
			const { forecast } = house.states.get(names[1]).attributes;
			assert.ok(forecast.length > 90);
		}
	}).timeout(60_000);

	it("gives the battery its state of charge, and calls the script with a plan's limits, of demo data with none", async () => {
		collector.clear();
		await red?.inject("syhw-read");
		const [planned] = await collector.wait(`${FILES[0]} plan`);
		assert.equal(planned?.payload.now.mode, "demo");
		assert.equal(house.actions.length, 0);
		await red?.inject("planned");
		await until("an action", () => house.actions.length > 0);
		const { domain, service, service_data } = house.actions.at(-1);
		assert.equal(`${domain}.${service}`, "script.solar_yield_battery");
		assert.deepEqual(service_data, { ...PLAN.now, battery_w: -1000 });
		for (const file of FILES) {
			assert.deepEqual(collector.of(`${file} errors`), []);
		}
	}).timeout(60_000);
});
