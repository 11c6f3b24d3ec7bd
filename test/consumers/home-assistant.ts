import assert from "node:assert/strict";
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { messagesAfter } from "../../nodes/export/answer";
import {
	type ExportMessage,
	openExporter,
	readExportOptions,
} from "../../src/export";
import { nowValues } from "../../src/forecast/now";
import { makeForecast, type Plan } from "../export/forecasts";
import { Broker, until as untilTenSeconds } from "../support/broker";
import { ROOT } from "../support/node-red-process";
import {
	answers,
	CACHE,
	freePort,
	install,
	Missing,
	Program,
	type Report,
} from "./support";

type Loose = any;

/** What a house without a broker puts into its configuration. */
const WITHOUT_BROKER = join(ROOT, "docs/home-assistant/without-broker.yaml");

/** The newest that Debian 13's Python runs. */
const VERSION = "2026.2.3";
const DEBIAN = "trixie";
/** On a busy machine Home Assistant takes its time, for a start above all. */
const until = (what: string, holds: () => boolean | Promise<boolean>) =>
	untilTenSeconds(what, holds, 120);
const USER = { username: "owner", password: "a-password-of-the-test" };

/** Debian 13 in a folder, with Home Assistant from PyPI in it. */
function installed(): string {
	const root = join(CACHE, `debian-${DEBIAN}`);
	if (process.getuid?.() !== 0) {
		throw new Missing("Debian 13 is installed into a folder as root only");
	}
	const inside = (...command: string[]) =>
		install("Home Assistant", "chroot", [root, ...command], {
			env: { ...process.env, HOME: "/root", DEBIAN_FRONTEND: "noninteractive" },
		});
	if (!existsSync(join(root, "usr/bin/python3"))) {
		mkdirSync(CACHE, { recursive: true });
		install("Debian 13", "debootstrap", [
			"--variant=minbase",
			"--include=python3,python3-venv,python3-dev,ca-certificates,gcc,g++,libffi-dev",
			DEBIAN,
			root,
		]);
	}
	for (const file of [
		"/etc/resolv.conf",
		"/etc/ssl/certs/ca-certificates.crt",
	]) {
		if (existsSync(file)) copyFileSync(file, join(root, file));
	}
	if (!existsSync(join(root, "opt/ha/bin/hass"))) {
		inside("python3", "-m", "venv", "/opt/ha");
		const pip = ["/opt/ha/bin/python", "-m", "pip"];
		const wanted = `homeassistant==${VERSION}`;
		// The versions that this release was tested with come in the package itself.
		inside(...pip, "download", "-q", "--no-deps", "-d", "/tmp/ha", wanted);
		inside(
			"/opt/ha/bin/python",
			"-c",
			"import glob, zipfile; zipfile.ZipFile(glob.glob('/tmp/ha/*.whl')[0]).extract('homeassistant/package_constraints.txt', '/tmp/ha')",
		);
		const constraints = "/tmp/ha/homeassistant/package_constraints.txt";
		inside(
			...pip,
			...["install", "-q", "--prefer-binary", "-c", constraints],
			...[wanted, "paho-mqtt"],
		);
	}
	return root;
}

/** A Home Assistant of its own, over its REST interface. */
class House {
	readonly #root: string;
	readonly #folder: string;
	readonly #port: number;
	#program: Program | undefined;
	#token = "";

	constructor(root: string, port: number) {
		this.#root = root;
		this.#port = port;
		const folder = mkdtempSync(join(root, "root/house-"));
		this.#folder = folder;
		writeFileSync(
			join(folder, "configuration.yaml"),
			`homeassistant:
  time_zone: Europe/Berlin
  unit_system: metric
http:
  server_host: 127.0.0.1
  server_port: ${port}
api:
config:
logger:
  default: warning
${readFileSync(WITHOUT_BROKER, "utf8")}`,
		);
		const { username, password } = USER;
		install("Home Assistant", "chroot", [
			...[root, "/opt/ha/bin/hass", "--script", "auth"],
			...["-c", this.#inside, "add", username, password],
		]);
	}

	get #inside(): string {
		return this.#folder.slice(this.#root.length);
	}

	get log(): string {
		const files = ["home-assistant.log", "output.log"];
		return files
			.map((file) => join(this.#folder, file))
			.filter((file) => existsSync(file))
			.map((file) => readFileSync(file, "utf8"))
			.join("\n");
	}

	async start(): Promise<void> {
		this.#program = new Program(
			"chroot",
			[this.#root, "/opt/ha/bin/hass", "-c", this.#inside],
			{
				cwd: this.#folder,
				log: join(this.#folder, "output.log"),
				env: { ...process.env, HOME: "/root" },
			},
		);
		await answers(`http://127.0.0.1:${this.#port}/manifest.json`, 240);
		await this.#login();
		await until("Home Assistant to have started", async () => {
			const { state } = await this.get("config");
			return state === "RUNNING";
		});
	}

	async stop(): Promise<void> {
		await this.#program?.stop();
	}

	/** Deletes its configuration and database. */
	delete(): void {
		rmSync(this.#folder, { recursive: true, force: true });
	}

	async #login(): Promise<void> {
		const client_id = `http://127.0.0.1:${this.#port}/`;
		const flow = await this.#post("/auth/login_flow", {
			client_id,
			handler: ["homeassistant", null],
			redirect_uri: client_id,
		});
		const { result } = await this.#post(`/auth/login_flow/${flow.flow_id}`, {
			...USER,
			client_id,
		});
		const answer = await fetch(`http://127.0.0.1:${this.#port}/auth/token`, {
			method: "POST",
			body: new URLSearchParams({
				grant_type: "authorization_code",
				code: result,
				client_id,
			}),
		});
		this.#token = ((await answer.json()) as Loose).access_token;
	}

	async #post(path: string, body: object): Promise<Loose> {
		const answer = await fetch(`http://127.0.0.1:${this.#port}${path}`, {
			method: "POST",
			headers: {
				"content-type": "application/json",
				...(this.#token && { authorization: `Bearer ${this.#token}` }),
			},
			body: JSON.stringify(body),
		});
		const text = await answer.text();
		assert.ok(answer.ok, `${path}: ${answer.status} ${text}`);
		return JSON.parse(text);
	}

	async get(path: string): Promise<Loose> {
		const answer = await fetch(`http://127.0.0.1:${this.#port}/api/${path}`, {
			headers: { authorization: `Bearer ${this.#token}` },
		});
		assert.ok(answer.ok, `${path}: ${answer.status}`);
		return answer.json();
	}

	/** Sets the MQTT integration up, as a person does in its dialog. */
	async addMqtt(port: number): Promise<void> {
		const flows = "/api/config/config_entries/flow";
		const { flow_id } = await this.#post(flows, {
			handler: "mqtt",
			show_advanced_options: false,
		});
		const done = await this.#post(`${flows}/${flow_id}`, {
			broker: "127.0.0.1",
			port,
		});
		assert.equal(done.type, "create_entry", JSON.stringify(done));
	}

	/** Presses a button entity. */
	async press(entity_id: string): Promise<void> {
		await this.#post("/api/services/button/press", { entity_id });
	}

	/** Sets a state, as the node API of Node-RED does. */
	async set(entity_id: string, state: object): Promise<void> {
		await this.#post(`/api/states/${entity_id}`, state);
	}

	/** All states, by entity id. */
	async states(): Promise<Map<string, Loose>> {
		const states: Loose[] = await this.get("states");
		return new Map(states.map((state) => [state.entity_id, state]));
	}
}

const SITES = [
	{ id: "site_a1", name: "Barn", slug: "barn" },
	{ id: "site_b2", name: "Große Straße", slug: "grosse_strasse" },
] as const;

/** An export whose messages go to the broker, retained; with German names, whose ids are those of the English ones. */
class Sender {
	readonly #broker: Broker;
	readonly #exporter = openExporter(
		"home-assistant",
		readExportOptions("home-assistant", { language: "de" }),
	);

	constructor(broker: Broker) {
		this.#broker = broker;
	}

	async #send(messages: readonly ExportMessage[]): Promise<void> {
		for (const { topic, payload, retain } of messages) {
			const text =
				typeof payload === "string" ? payload : JSON.stringify(payload);
			await this.#broker.publish(topic, text, retain);
		}
	}

	/** @param nowMs when Node-RED sends it */
	async forecasts(
		changed: Partial<Plan> = {},
		nowMs = Date.now(),
	): Promise<void> {
		for (const { id, name } of SITES) {
			const { body, solar } = makeForecast({
				zone: "Europe/Berlin",
				date: new Date().toLocaleDateString("sv", {
					timeZone: "Europe/Berlin",
				}),
				days: 4,
				peaks: [6000, 4000],
				strings: [6, 4],
				bandHours: 40,
				solar: { site_id: id, site_name: name },
				...changed,
			});
			const topic = `solar-yield/${id}/forecast`;
			const msg = { _msgid: "", topic, payload: body, solar, quota: QUOTA };
			await this.#send(messagesAfter(this.#exporter, msg, nowMs));
		}
	}

	birth(): Promise<void> {
		const topic = "homeassistant/status";
		const msg = { _msgid: "", topic, payload: "online" };
		return this.#send(messagesAfter(this.#exporter, msg, Date.now()));
	}

	remove(): Promise<void> {
		return this.#send(this.#exporter.remove(undefined));
	}
}

/** Home Assistant finds every entity on our broker, shows it right, and complains of nothing. */
export async function homeAssistant(): Promise<Report> {
	const root = installed();
	const broker = new Broker();
	await broker.start();
	const house = new House(root, await freePort());
	const report: Report = [`Home Assistant ${VERSION}, Debian 13's Python`];
	try {
		const sender = new Sender(broker);
		await sender.forecasts();
		await house.start();
		await house.addMqtt(broker.port);
		report.push(await checkEntities(house, broker));
		report.push(await checkWithoutBroker(house));

		const pressed = broker.next("solar-yield/site_a1/refresh");
		let press: string | undefined;
		void pressed.then((payload) => {
			press = payload;
		});
		await until("the press of a button", async () => {
			await house.press("button.barn_pv_refresh");
			return press !== undefined;
		});
		assert.equal(await pressed, "PRESS");
		report.push("the button's press arrives at solar-yield/site_a1/refresh");

		await sender.forecasts({ strings: [10], days: 3 });
		await until("entities to go", async () => {
			const states = await house.states();
			return (
				!states.has("sensor.barn_pv_string_str_1_energy_today") &&
				!states.has("sensor.barn_pv_energy_day_4")
			);
		});
		report.push("a string and a day that are gone are gone in Home Assistant");
		await sender.forecasts();
		await checkEntities(house, broker);

		// Node-RED died two hours ago; what it left is delivered at each start.
		await sender.forecasts({}, Date.now() - 2 * 3_600_000);
		for (const when of ["before", "after"]) {
			await until(`all to be unavailable ${when} a restart`, async () => {
				const states = await ourStates(house);
				return (
					states.length > 60 &&
					states.every(({ state }) => state === "unavailable")
				);
			});
			if (when === "after") break;
			await house.stop();
			await house.start();
		}
		const dead = (await ourStates(house)).length;
		report.push(
			`two hours after the last message and a restart all ${dead} live entities of both sites are unavailable`,
		);
		await sender.forecasts();
		report.push(`with a new message: ${await checkEntities(house, broker)}`);

		await house.stop();
		const born = broker.next("homeassistant/status");
		await house.start();
		assert.equal(await born, "online");
		await sender.birth();
		report.push(
			`after a restart, its birth message answered: ${await checkEntities(house, broker)}`,
		);

		assert.deepEqual(complaintsOf(house), []);
		// The log is the right place to look: there a wrong entity is complained of.
		await broker.publish(
			"homeassistant/sensor/solar_yield_wrong/config",
			JSON.stringify({
				unique_id: "solar_yield_wrong",
				name: "Wrong",
				state_topic: "solar-yield/wrong",
				device_class: "power",
				unit_of_measurement: "kWp",
			}),
		);
		await until("a complaint", () => complaintsOf(house).length > 0);
		report.push(
			"its log holds no complaint, but of an entity made wrong for it",
		);
		await sender.remove();
		await until(
			"our entities to go",
			async () => (await ourStates(house)).length === 0,
		);
		const another = "of/somebody/else";
		await broker.publish(another, "1", true);
		await until("our topics to go", async () => {
			const left = [...(await broker.retained()).keys()];
			return left.join() === another;
		});
		// It clears what is cleared already, and says so of itself.
		const known = /solar_yield_wrong|No device components to cleanup/;
		assert.deepEqual(
			complaintsOf(house).filter((line) => !known.test(line)),
			[],
		);
		report.push("after a removal nothing is left, there and on the broker");
	} catch (error) {
		console.log(house.log.slice(-6000));
		throw error;
	} finally {
		await house.stop();
		house.delete();
		await broker.stop();
	}
	return report;
}

/** The sensors of the file show what the example without a broker sends, and nothing of a sender that is dead. */
async function checkWithoutBroker(house: House): Promise<string> {
	const { forecast, solar } = makeForecast({
		zone: "Europe/Berlin",
		date: new Date().toISOString().slice(0, 10),
		days: 4,
		peaks: [6000],
	});
	const values = nowValues(forecast, solar, Date.now());
	const expected: Record<string, unknown> = {
		"sensor.pv_power_now": values.power_now_w,
		"sensor.pv_energy_today": values.energy_today_kwh,
		"sensor.pv_energy_remaining_today": values.energy_remaining_today_kwh,
		"sensor.pv_energy_tomorrow": values.energy_tomorrow_kwh,
		"sensor.pv_energy_day_3": values.days[2]?.pv_energy_kwh,
		"sensor.pv_peak_time_today": values.peak_time_today,
		"binary_sensor.pv_forecast_stale": values.stale ? "on" : "off",
	};
	const send = (ageMs: number) => {
		const sent_at = new Date(Date.now() - ageMs).toISOString();
		const attributes = { ...values, sent_at };
		return house.set("sensor.solar_yield_now", { state: sent_at, attributes });
	};
	const shown = async (wanted: (id: string) => unknown) => {
		const states = await house.states();
		const same = (state: string, value: unknown) =>
			state === String(value ?? "unknown") ||
			(typeof value === "number" && Math.abs(Number(state) - value) < 1e-9) ||
			Date.parse(state) === Date.parse(String(value));
		return Object.keys(expected).every((id) =>
			same(states.get(id)?.state, wanted(id)),
		);
	};
	await send(0);
	await until("sensors without a broker", () => shown((id) => expected[id]));
	await send(2 * 3_600_000);
	await until("none of a dead sender", () => shown(() => "unavailable"));
	return `${Object.keys(expected).length} sensors without a broker, unavailable two hours after the last message`;
}

/** What both sites' sensors and binary sensors show. */
const ourStates = async (house: House): Promise<Loose[]> =>
	[...(await house.states()).values()].filter(({ entity_id }) =>
		SITES.some(({ slug }) =>
			new RegExp(`^(?:binary_)?sensor\\.${slug}_pv_`).test(entity_id),
		),
	);

/** Lines of the log that speak of MQTT or of us, and of trouble. */
const complaintsOf = (house: House) =>
	house.log
		.split("\n")
		.filter((line) => /WARNING|ERROR|CRITICAL|Traceback/.test(line))
		.filter((line) => /mqtt|barn|solar/i.test(line));

const QUOTA = {
	limit: 3000,
	unmetered: false,
	used: 120,
	remaining: 2880,
	reset: "2026-12-01T00:00:00Z",
	as_of: new Date().toISOString(),
	own: 60,
};

/** Home Assistant comes to show what the discovery messages and states on the broker say. */
async function checkEntities(house: House, broker: Broker): Promise<string> {
	let seen = "";
	let fault: unknown;
	await until("all entities", async () => {
		try {
			// Both anew each time: it may still show what it was told before.
			seen = compareEntities(await broker.retained(), await house.states());
			return true;
		} catch (error) {
			fault = error;
			return false;
		}
	}).catch(() => {
		throw fault;
	});
	return seen;
}

/**
 * Compares each entity of the discovery messages with what Home Assistant shows.
 *
 * @param retained payloads on the broker by topic
 * @param states by entity id
 */
function compareEntities(
	retained: ReadonlyMap<string, string>,
	states: ReadonlyMap<string, Loose>,
): string {
	const text = (topic: string) => JSON.parse(retained.get(topic) as string);
	// What is off by default is not there until somebody wants it.
	const expected = SITES.flatMap(({ id }) => {
		const config = text(`homeassistant/device/solar_yield_${id}/config`);
		return Object.values<Loose>(config.components)
			.filter(({ unique_id }) => unique_id)
			.map((component) => ({ ...component, device: config.device.name }));
	}).filter(({ enabled_by_default: on }) => on !== false);
	const missing = expected
		.map(({ default_entity_id: id }) => id)
		.filter((id) => !states.has(id));
	assert.deepEqual(missing, []);
	let unknown = 0;
	for (const component of expected) {
		const { default_entity_id: id, state_topic, value_template } = component;
		const { state, attributes } = states.get(id);
		// A button has no state before it is pressed.
		if (component.platform !== "button") assert.notEqual(state, "unavailable");
		const { device, name } = component;
		assert.equal(attributes.friendly_name, `${device} ${name}`, id);
		for (const field of [
			"device_class",
			"unit_of_measurement",
			"state_class",
		]) {
			assert.equal(attributes[field], component[field], `${id} ${field}`);
		}
		const field = /value_json\.(\w+)/.exec(value_template ?? "")?.[1];
		if (state_topic === undefined || field === undefined) continue;
		const value = text(state_topic)[field];
		if (component.platform === "binary_sensor") {
			assert.equal(state, value ? "on" : "off", id);
		} else if (value === null) {
			assert.equal(state, "unknown", id);
			unknown += 1;
		} else if (component.device_class === "timestamp") {
			const seconds = (time: string) => Math.floor(Date.parse(time) / 1000);
			assert.equal(seconds(state), seconds(value), id);
		} else if (typeof value === "number") {
			assert.ok(Math.abs(Number(state) - value) < 1e-9, `${id} is ${state}`);
		} else assert.equal(state, String(value), id);
		const topic = component.json_attributes_topic;
		if (topic) assert.deepEqual(attributes.forecast, text(topic).forecast, id);
	}
	return `${expected.length} entities of two sites with the right name, state, unit and class (${unknown} unknown)`;
}
