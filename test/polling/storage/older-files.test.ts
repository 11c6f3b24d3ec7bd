import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
	existsSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { AccountFiles } from "../../../src/polling/storage/account-files";
import { readSite } from "../../../src/service/v2/sites/site";
import { textIn } from "../../../src/texts/texts";
import {
	DAY,
	HOUR,
	House,
	household,
	KEY,
	MINUTE,
	SECOND,
	SITE,
	shortPlan,
} from "../../support/house";

const URL = "https://service.example";
const START = "2026-06-01T10:05:00Z";
const PLAN = shortPlan(24, { forecastRequests: 3000 });

type Json = Record<string, any>;
const hash = (text: string, length: number) =>
	createHash("sha256").update(text).digest("hex").slice(0, length);

/** The text of a file behind its digest; that of a forecast is packed. */
function textOf(file: string): string {
	const content = readFileSync(file);
	const begin = content.indexOf("\n") + 1;
	assert.equal(begin, 33);
	const rest = content.subarray(begin);
	return String(rest[0] === 0x1f ? gunzipSync(rest) : rest);
}

describe("files on disk", () => {
	let folder: string;
	const made: string[] = [];
	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), "solar-yield-files-"));
		made.push(folder);
	});
	after(() => {
		for (const each of made) rmSync(each, { recursive: true, force: true });
	});
	const named = (kind: string) =>
		readdirSync(folder)
			.filter((name) => name.startsWith(`${kind}-`) && name.endsWith(".json"))
			.map((name) => join(folder, name));

	/** A house that has polled two sites for some hours, with its memory on disk. */
	async function lived() {
		const parts = household(START, PLAN);
		const { service, clock } = parts;
		service.addSite("site-2");
		const reports: string[] = [];
		const boot = async () => {
			const store = new AccountFiles(folder, URL, KEY, (text) =>
				reports.push(textIn(text)),
			);
			const house = new House(service.exchange, clock, store);
			await house.account();
			const listeners = [SITE, "site-2"].map((id) => house.listen(id));
			await house.start();
			return { house, listeners };
		};
		const first = await boot();
		await first.house.runFor(4 * HOUR);
		first.house.kill();
		return { ...parts, boot, reports, before: first.house };
	}

	/** Turns what is on disk into the files of the first release. */
	function age(): void {
		const parsed = (file: string): [Json] => [JSON.parse(textOf(file))];
		const sites: Json = {};
		for (const file of named("site")) {
			const [{ key, version, stopped, ...site }] = parsed(file);
			if (site.gate) delete site.gate.lifts;
			sites[key] = site;
			rmSync(file);
		}
		const [file] = named("account") as [string];
		const [{ version, lifts, dateRefuted, ...account }] = parsed(file);
		writeFileSync(file, JSON.stringify({ version: 1, ...account, sites }));
		for (const each of named("forecast")) {
			const [headText, ...rest] = textOf(each).split("\n");
			const { settled, ...head } = JSON.parse(headText as string);
			const body = rest.join("\n");
			const digest = hash(body, 32);
			const first = { ...head, version: 1, settled: settled.end, digest };
			writeFileSync(each, `${JSON.stringify(first)}\n${body}`);
		}
	}

	it("of the first release are taken over without a request, and nothing is lost", async () => {
		const { service, before, boot, reports } = await lived();
		const known = [SITE, "site-2"].map((id) => before.state(id));
		const asked = service.forecasts.length;
		age();
		for (let start = 0; start < 3; start += 1) {
			const { house, listeners } = await boot();
			for (const [index, id] of [SITE, "site-2"].entries()) {
				const { plan, own, quota, settled, head } = house.state(id);
				assert.equal(plan.at, known[index]?.plan.at);
				assert.equal(own, known[index]?.own);
				assert.deepEqual(quota, known[index]?.quota);
				assert.deepEqual(settled, known[index]?.settled);
				assert.equal(head?.answeredAt, known[index]?.head?.answeredAt);
				assert.equal(listeners[index]?.forecasts.length, 1);
				assert.equal(listeners[index]?.forecasts[0]?.cached, true);
			}
			await house.runFor(MINUTE);
			house.kill();
		}
		assert.equal(service.forecasts.length, asked);
		assert.equal(named("site").length, 2);
		const { house } = await boot();
		await house.runFor(5 * HOUR);
		assert.equal(service.forecasts.length, asked + 2 * 5);
		assert.deepEqual(reports, []);
	});

	it("of the first release are taken over after a start that was cut short, too", async () => {
		const { service, boot, reports } = await lived();
		const asked = service.forecasts.length;
		age();
		const [file] = named("account") as [string];
		const old = readFileSync(file);
		const first = await boot();
		first.house.kill();
		// Of the sites one was written, the account was not.
		writeFileSync(file, old);
		rmSync(named("site")[0] as string);
		const { house } = await boot();
		await house.runFor(MINUTE);
		assert.equal(service.forecasts.length, asked);
		assert.equal(named("site").length, 2);
		assert.deepEqual(reports, []);
	});

	it("of the first release keep what stops a site", async () => {
		const { service, boot } = await lived();
		service.simulator.setPlan(KEY, { ...PLAN, forecastAccess: false });
		const { house } = await boot();
		await house.runFor(2 * HOUR);
		const { failure, plan } = house.state();
		assert.equal(plan.reason, "plan");
		house.kill();
		age();
		const asked = service.forecasts.length;
		const next = await boot();
		assert.deepEqual(next.house.state().failure, failure);
		assert.equal(next.house.state().plan.at, plan.at);
		await next.house.runFor(20 * HOUR);
		assert.equal(service.forecasts.length, asked);
	});

	it("of the first release are set aside where a number cannot be", async () => {
		const { service, boot, reports } = await lived();
		const asked = service.forecasts.length;
		age();
		const [file] = named("account") as [string];
		const account = JSON.parse(readFileSync(file, "utf8"));
		writeFileSync(file, JSON.stringify({ ...account, skew: 1e15 }));
		const { house, listeners } = await boot();
		await house.runFor(MINUTE);
		assert.equal(service.forecasts.length, asked);
		assert.equal(reports.length, 1);
		assert.equal(listeners[0]?.forecasts[0]?.cached, true);
		assert.ok(Math.abs(house.state().now - house.clock.time) < 2 * SECOND);
		const kept = JSON.parse(readFileSync(`${file}.damaged`, "utf8"));
		assert.equal(kept.skew, 1e15);
	});

	/** All leaves of a document, each with what sets it to another value. */
	function* leaves(value: Json): Generator<[string, (to: unknown) => void]> {
		for (const [name, inner] of Object.entries(value)) {
			if (inner !== null && typeof inner === "object") {
				for (const [path, set] of leaves(inner)) yield [`${name}.${path}`, set];
			} else {
				yield [
					name,
					(to) => {
						value[name] = to;
					},
				];
			}
		}
	}

	it("of which any field was edited are set aside, whole, and cost no request", async () => {
		const { service, boot, reports } = await lived();
		const asked = service.forecasts.length;
		let edits = 0;
		for (const kind of ["account", "site", "forecast"]) {
			const [file] = named(kind) as [string];
			const digest = readFileSync(file, "latin1").slice(0, 32);
			const [first, ...rest] = textOf(file).split("\n");
			const isPacked = kind === "forecast";
			const names = [...leaves(JSON.parse(first as string))].map(
				([path]) => path,
			);
			for (const [index, path] of names.entries()) {
				// The record of a site alone has dozens of fields.
				if (path.startsWith("record.") && index % 5 !== 0) continue;
				const document = JSON.parse(first as string);
				const set = [...leaves(document)][index]?.[1];
				set?.(index % 2 === 0 ? 1e15 : null);
				const text = JSON.stringify(document);
				if (text === first) continue;
				const whole = [text, ...rest].join("\n");
				const altered = Buffer.concat([
					Buffer.from(`${digest}\n`),
					isPacked ? gzipSync(whole) : Buffer.from(whole),
				]);
				const good = new Map(
					readdirSync(folder).map((name) => [
						name,
						readFileSync(join(folder, name)),
					]),
				);
				writeFileSync(file, altered);
				const { house, listeners } = await boot();
				assert.equal(reports.length, 1, `${kind} ${path}`);
				assert.match(reports.pop() ?? "", /damaged/);
				assert.deepEqual(readFileSync(`${file}.damaged`), altered);
				if (kind !== "forecast") {
					await house.runFor(SECOND);
					assert.equal(service.forecasts.length, asked, `${kind} ${path}`);
					for (const { forecasts } of listeners) {
						assert.equal(forecasts.length, 1);
						assert.equal(forecasts[0]?.cached, true);
					}
					assert.ok(Math.abs(house.state().now - house.clock.time) < DAY);
				}
				house.kill();
				edits += 1;
				for (const name of readdirSync(folder)) rmSync(join(folder, name));
				for (const [name, content] of good) {
					writeFileSync(join(folder, name), content);
				}
				if (kind === "forecast") break;
			}
		}
		assert.ok(edits > 40, `${edits} edits`);
		const { house } = await boot();
		await house.runFor(HOUR);
		assert.deepEqual(reports, []);
	}).timeout(60_000);

	it("are read by people: what is remembered of a site stands in JSON behind the digest", async () => {
		await lived();
		assert.equal(named("account").length, 1);
		assert.equal(named("site").length, 2);
		assert.equal(named("forecast").length, 2);
		const keys = named("site").map((file) => {
			const [digest, text] = readFileSync(file, "utf8").split("\n");
			assert.equal(digest, hash(text as string, 32));
			const { key, answeredAt, record } = JSON.parse(text as string);
			assert.equal(readSite(record, key).site_id, key);
			assert.ok(answeredAt > Date.parse(START));
			return key;
		});
		assert.deepEqual(keys.sort(), [SITE, "site-2"]);
		assert.ok(existsSync(join(folder, "salt")));
	});

	it("of one site alone are written when that site is asked", async () => {
		const { boot } = await lived();
		const { house } = await boot();
		const contents = () =>
			new Map(
				[...named("site"), ...named("forecast")].map((file) => [
					file,
					readFileSync(file, "utf8"),
				]),
			);
		const before = contents();
		await house.ask(SITE, {}, true);
		await house.settle();
		const changed = [...contents()].filter(
			([file, text]) => text !== before.get(file),
		);
		assert.equal(changed.length, 2);
		for (const [file] of changed) assert.ok(textOf(file).includes(SITE));
	});

	it("of forecasts are packed, and read as well where they are not", async () => {
		const { service, boot, reports } = await lived();
		const asked = service.forecasts.length;
		for (const file of named("forecast")) {
			const text = textOf(file);
			assert.ok(readFileSync(file).length < text.length / 3);
			writeFileSync(file, `${hash(text, 32)}\n${text}`);
		}
		const { house, listeners } = await boot();
		await house.runFor(MINUTE);
		for (const { forecasts } of listeners) {
			assert.equal(forecasts[0]?.cached, true);
		}
		assert.equal(service.forecasts.length, asked);
		assert.deepEqual(reports, []);
	});
});
