import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { NodeRed } from "../support/node-red-process";
import { assertNoKey, filesText } from "./harness/leaks";
import {
	account,
	catcher,
	collectedSuite,
	forecast,
	KEY,
	remove,
	SITE,
	startService,
	TAB,
	userDirectory,
	writeFlows,
} from "./harness/nodes";
import { CERTIFICATES, startHttps, startTunnel } from "./harness/tls";

type Message = Record<string, any>;

describe("installations", () => {
	const { collector, undo } = collectedSuite();

	async function service(...parameters: Parameters<typeof startService>) {
		const it = await startService(...parameters);
		undo.push(() => it.server.close());
		return it;
	}
	function place(): string {
		const userDir = userDirectory();
		undo.push(() => remove(userDir));
		return userDir;
	}
	function nodeRed(userDir: string, env: Record<string, string> = {}): NodeRed {
		const red = new NodeRed(userDir, env);
		undo.push(() => red.stop());
		return red;
	}
	/** Nodes that collect what is wired to `entry`. */
	const collected = (tag: string) => collector.nodes(tag, "tab");
	const assertClean = (red: NodeRed, ...more: string[]) => {
		assertNoKey(KEY, red.log, "the log");
		assertNoKey(KEY, JSON.stringify(collector.messages), "a message");
		const isCredentials = (name: string) =>
			/^(\.?flows_cred\.json|node_modules)/.test(name);
		assertNoKey(KEY, filesText(red.userDir, isCredentials), "a file");
		for (const text of more) assertNoKey(KEY, text, "elsewhere");
	};
	const exported = async (red: NodeRed) =>
		(await fetch(`${red.url}/flows`)).text();

	it("behind a CONNECT proxy, with a private authority, and past the proxy where NO_PROXY says so", async () => {
		const { simulator } = await service("plus", [SITE, "site_direct"]);
		const https = await startHttps(simulator);
		const tunnel = await startTunnel(https.port, "me@house:p@ss/w%rd");
		undo.push(https.close, tunnel.close);
		const red = nodeRed(place(), {
			https_proxy: tunnel.url.replace("//", "//me%40house:p%40ss%2Fw%25rd@"),
			NO_PROXY: `localhost:${https.port}`,
			NODE_EXTRA_CA_CERTS: join(CERTIFICATES, "ca.pem"),
		});
		const through = collected("through");
		const straight = collected("straight");
		writeFlows(
			red.userDir,
			[
				TAB,
				account("https://127.0.0.1"),
				account(`https://localhost:${https.port}`, {
					id: "direct",
					siteId: "site_direct",
				}),
				forecast("a", [through.entry]),
				forecast("b", [straight.entry], { account: "direct" }),
				...through.nodes,
				...straight.nodes,
			],
			{ acc: { apiKey: KEY }, direct: { apiKey: KEY } },
		);
		await red.start();
		const [first] = await collector.wait("through");
		assert.equal(first?.solar.site_id, SITE);
		const [second] = await collector.wait("straight");
		assert.equal(second?.solar.site_id, "site_direct");
		assert.ok(tunnel.wanted.length >= 1);
		for (const target of tunnel.wanted) assert.equal(target, "127.0.0.1:443");
		assertClean(red, tunnel.heads.join("\n"), await exported(red));
	}).timeout(90_000);

	it("twice on one user directory: one request, nothing damaged", async () => {
		const { server, forecasts, simulator } = await service();
		const got = collected("got");
		const caught = collected("caught");
		const userDir = place();
		writeFlows(userDir, [
			TAB,
			account(server.url),
			forecast("a", [got.entry]),
			{
				id: "press",
				type: "inject",
				z: "tab",
				props: [{ p: "refresh", v: "true", vt: "bool" }],
				wires: [["a"]],
			},
			catcher([caught.entry]),
			...got.nodes,
			...caught.nodes,
		]);
		const first = nodeRed(userDir);
		const second = nodeRed(userDir);
		await first.start();
		await second.start();
		await collector.wait("got", 2);
		assert.equal(forecasts(), 1, "the second uses the answer of the first");
		for (let times = 0; times < 3; times += 1) {
			await Promise.all([first.inject("press"), second.inject("press")]);
		}
		await collector.wait("got", 8);
		assert.ok(forecasts() <= 2, `${forecasts()} requests`);
		assert.ok(simulator.requests.every(({ status }) => status !== 429));
		assert.deepEqual(collector.of("caught"), []);
		assert.ok(first.running && second.running);
		await first.stop("SIGKILL");
		await second.stop();
		const names = readdirSync(join(userDir, "solar-yield"));
		assert.ok(!names.some((name) => name.endsWith(".damaged")), names.join());
		// And the next start finds it all.
		const third = nodeRed(userDir);
		collector.clear();
		await third.start();
		const [msg] = await collector.wait("got");
		assert.equal(msg?.solar.cached, true);
		assert.ok(forecasts() <= 2);
		assertClean(third);
	}).timeout(90_000);

	it("with variables of tabs, groups and subflows, and two instances of one", async () => {
		const { server, forecasts } = await service("plus", [
			SITE,
			"site_group",
			"site_sub_1",
			"site_sub_2",
		]);
		const env = (name: string, value: string, type = "str") => ({
			name,
			value,
			type,
		});
		const tags = ["tabbed", "grouped", "sub"] as const;
		const all = Object.fromEntries(tags.map((tag) => [tag, collected(tag)]));
		const instance = (id: string, site: string) => ({
			id,
			type: "subflow:sub",
			z: "tab",
			name: "",
			env: [env("SITE", site), env("PLACE", server.url)],
			wires: [[all.sub?.entry]],
		});
		const flows: Message[] = [
			{
				...TAB,
				env: [env("PLACE", server.url), env("TAB_SITE", SITE)],
			},
			{
				id: "group",
				type: "group",
				z: "tab",
				name: "",
				nodes: ["grouped-fc"],
				env: [env("GROUP_SITE", "site_group")],
			},
			{
				id: "sub",
				type: "subflow",
				name: "sub",
				in: [],
				out: [{ wires: [{ id: "sub-fc", port: 0 }] }],
				env: [env("SITE", ""), env("PLACE", "")],
			},
			account("${PLACE}", { id: "acc", z: "tab", siteId: "${TAB_SITE}" }),
			account("${PLACE}", {
				id: "sub-acc",
				z: "sub",
				siteId: "${SITE}",
			}),
			forecast("tabbed-fc", [all.tabbed?.entry as string]),
			forecast("grouped-fc", [all.grouped?.entry as string], {
				g: "group",
				siteId: "${GROUP_SITE}",
			}),
			forecast("sub-fc", [], { z: "sub", account: "sub-acc" }),
			instance("sub1", "site_sub_1"),
			instance("sub2", "site_sub_2"),
			...Object.values(all).flatMap(({ nodes }) => nodes),
		];
		const red = nodeRed(place(), { SOLAR_YIELD_KEY: KEY });
		writeFlows(red.userDir, flows, {
			acc: { apiKey: "${SOLAR_YIELD_KEY}" },
			"sub-acc": { apiKey: "${SOLAR_YIELD_KEY}" },
		});
		await red.start();
		const [tabbed] = await collector.wait("tabbed");
		assert.equal(tabbed?.solar.site_id, SITE);
		const [grouped] = await collector.wait("grouped");
		assert.equal(grouped?.solar.site_id, "site_group");
		const subs = await collector.wait("sub", 2);
		assert.deepEqual(subs.map(({ solar }) => solar.site_id).sort(), [
			"site_sub_1",
			"site_sub_2",
		]);
		assert.equal(forecasts(), 4, "one request for each site");
		assertClean(red, await exported(red));
	}).timeout(90_000);
});
