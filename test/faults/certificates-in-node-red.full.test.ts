import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MINUTE_MS } from "../../src/util/time";
import { Collector } from "../support/collector";
import { NodeRed } from "../support/node-red-process";
import {
	account,
	catcher,
	forecast,
	KEY,
	remove,
	removeInstalled,
	startService,
	TAB,
	userDirectory,
	writeFlows,
} from "./harness/nodes";
import { startHttps } from "./harness/tls";

/**
 * One authority and one key, with certificates of fixed dates: `valid` from 2001 to
 * 2098, `expired` until 2002, `early` from 2090 on.
 */
const FILES = join(__dirname, "../fixtures/certificates");
const file = (name: string) => readFileSync(join(FILES, `${name}.pem`), "utf8");

describe("a service's certificate, as a Node-RED sees it", () => {
	it("is trusted; before and after its time this machine's clock is named first", async () => {
		const collector = new Collector();
		await collector.start();
		const { simulator, server } = await startService();
		const userDir = userDirectory();
		const red = new NodeRed(userDir, {
			NODE_EXTRA_CA_CERTS: join(FILES, "ca.pem"),
		});
		const services = await Promise.all(
			["valid", "expired", "early"].map(async (name) => ({
				name,
				...(await startHttps(simulator, {
					key: file("key"),
					cert: file(name),
				})),
			})),
		);
		try {
			const got = collector.nodes("got", "tab");
			const caught = collector.nodes("caught", "tab");
			writeFlows(
				userDir,
				[
					TAB,
					...services.flatMap(({ name, port }) => [
						account(`https://127.0.0.1:${port}`, { id: `acc-${name}` }),
						forecast(name, [got.entry], {
							account: `acc-${name}`,
							poll: "manual",
						}),
						{
							id: `ask-${name}`,
							type: "inject",
							z: "tab",
							props: [],
							wires: [[name]],
						},
					]),
					catcher([caught.entry]),
					...got.nodes,
					...caught.nodes,
				],
				Object.fromEntries(
					services.map(({ name }) => [`acc-${name}`, { apiKey: KEY }]),
				),
			);
			await red.start();
			const before = Date.now();
			await red.inject("ask-valid");
			await collector.wait("got");
			for (const [name, code] of [
				["expired", "CERT_HAS_EXPIRED"],
				["early", "CERT_NOT_YET_VALID"],
			] as const) {
				collector.clear();
				await red.inject(`ask-${name}`);
				const [{ error } = { error: undefined }] =
					await collector.wait("caught");
				assert.equal(error.code, "SOLAR_YIELD_NETWORK");
				assert.equal(error.cause.detail, code);
				const [, time, advice] =
					/has a certificate that is not valid at this machine's time, (.+?) \(\w+\); (.*)$/.exec(
						error.message,
					) ?? [];
				// To the minute.
				assert.ok(Date.parse(time ?? "") > before - MINUTE_MS, error.message);
				assert.match(advice ?? "", /^check this machine's clock first/);
			}
		} finally {
			await red.stop();
			for (const { close } of services) close();
			await server.close();
			await collector.stop();
			remove(userDir);
			removeInstalled();
		}
	}).timeout(120_000);
});
