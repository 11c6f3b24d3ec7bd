import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../support/broker";
import { NodeRed } from "../support/node-red-process";
import { PLANS } from "../support/service/plans";
import { assertNoKey, filesText } from "./harness/leaks";
import {
	account,
	catcher,
	collectedSuite,
	forecast,
	KEY,
	placed,
	remove,
	SITE,
	startService,
	TAB,
	userDirectory,
	writeFlows,
} from "./harness/nodes";
import {
	makeCertificates,
	startForward,
	startHttps,
	startTunnel,
} from "./harness/tls";

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

	it("behind a CONNECT proxy, with a private authority, and past the proxy where NO_PROXY says so", async function () {
		const certificates = makeCertificates(["service.test", "localhost"]);
		const foreign = makeCertificates(["localhost"]);
		if (!certificates || !foreign) return this.skip();
		undo.push(
			() => remove(certificates.folder),
			() => remove(foreign.folder),
		);
		const { simulator } = await service("plus", [SITE, "site_direct"]);
		const https = await startHttps(simulator, certificates);
		const untrusted = await startHttps(simulator, foreign);
		const tunnel = await startTunnel(https.port, "me@house:p@ss/w%rd");
		undo.push(https.close, untrusted.close, tunnel.close);
		const proxy = tunnel.url.replace("//", "//me%40house:p%40ss%2Fw%25rd@");
		const red = nodeRed(place(), {
			HTTPS_PROXY: proxy,
			https_proxy: proxy,
			NO_PROXY: "localhost,127.0.0.1",
			no_proxy: "localhost,127.0.0.1",
			NODE_EXTRA_CA_CERTS: certificates.caFile,
		});
		const through = collected("through");
		const straight = collected("straight");
		const caught = collected("caught");
		writeFlows(
			red.userDir,
			[
				TAB,
				account("https://service.test"),
				account(`https://localhost:${https.port}`, {
					id: "direct",
					siteId: "site_direct",
				}),
				account(`https://localhost:${untrusted.port}`, { id: "untrusted" }),
				forecast("a", [through.entry]),
				forecast("b", [straight.entry], { account: "direct" }),
				forecast("c", [], { account: "untrusted", poll: "manual" }),
				{
					id: "press",
					type: "inject",
					z: "tab",
					props: [],
					once: true,
					onceDelay: 0.1,
					wires: [["c"]],
				},
				catcher([caught.entry]),
				...through.nodes,
				...straight.nodes,
				...caught.nodes,
			],
			Object.fromEntries(
				["acc", "direct", "untrusted"].map((id) => [id, { apiKey: KEY }]),
			),
		);
		await red.start();
		const [first] = await collector.wait("through");
		assert.equal(first?.solar.site_id, SITE);
		const [second] = await collector.wait("straight");
		assert.equal(second?.solar.site_id, "site_direct");
		assert.ok(tunnel.wanted.length >= 1);
		for (const target of tunnel.wanted)
			assert.equal(target, "service.test:443");
		const [error] = await collector.wait("caught");
		assert.equal(error?.error.code, "SOLAR_YIELD_NETWORK");
		assert.match(error?.error.message, /NODE_EXTRA_CA_CERTS/);
		assertClean(red, tunnel.heads.join("\n"), await exported(red));
	}).timeout(90_000);

	it("behind an HTTP proxy that small letters name, with a password in percent-encoding, and past it by NO_PROXY with a port", async () => {
		const { simulator, server } = await service("plus", [SITE, "site_direct"]);
		const proxy = await startForward(simulator);
		undo.push(proxy.close);
		const red = nodeRed(place(), {
			HTTP_PROXY: "",
			http_proxy: `http://me%40house:p%40ss%2Fw%25rd@127.0.0.1:${proxy.port}`,
			NO_PROXY: [server.url, collector.url]
				.map((url) => new URL(url).host)
				.join(),
		});
		const through = collected("through");
		const straight = collected("straight");
		writeFlows(
			red.userDir,
			[
				TAB,
				account("http://service.test"),
				account(server.url, { id: "direct", siteId: "site_direct" }),
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
		assert.ok(proxy.wanted.length >= 1);
		for (const { url, credentials } of proxy.wanted) {
			assert.match(url, /^http:\/\/service\.test\/v2\//);
			assert.equal(credentials, "me@house:p@ss/w%rd");
		}
		assertClean(red, await exported(red));
	}).timeout(90_000);

	it("on a user directory that cannot be written", async function () {
		if (process.platform !== "linux" || process.getuid?.() !== 0)
			return this.skip();
		const userDir = place();
		const settings = mkdtempSync(join(tmpdir(), "solar-yield-settings-"));
		try {
			execFileSync("mount", ["--bind", userDir, userDir], { stdio: "ignore" });
		} catch {
			return this.skip();
		}
		undo.push(
			() => remove(settings),
			() => execFileSync("umount", [userDir]),
		);
		// What Node-RED itself needs there.
		const before = nodeRed(userDir);
		await before.start([]);
		await before.stop();
		const { server, forecasts } = await service();
		const got = collected("got");
		writeFlows(userDir, [
			TAB,
			account(server.url),
			forecast("a", [got.entry]),
			...got.nodes,
		]);
		execFileSync("mount", ["-o", "remount,bind,ro", userDir]);
		const red = nodeRed(userDir);
		red.settingsFolder = settings;
		await red.start();
		const [msg] = await collector.wait("got");
		assert.ok(msg?.payload.values.length > 90);
		assert.equal(forecasts(), 1);
		const said = red.log.match(/solar-yield cannot be used \(/g);
		assert.equal(said?.length, 1, "said once");
		assert.ok(!existsSync(join(userDir, "solar-yield")));
		assertClean(red);
	}).timeout(90_000);

	it("on a user directory that is gone after each stop", async () => {
		const { server, forecasts } = await service();
		for (let life = 1; life <= 2; life += 1) {
			const got = collected(`life${life}`);
			const red = nodeRed(place());
			writeFlows(red.userDir, [
				TAB,
				account(server.url),
				forecast("a", [got.entry]),
				...got.nodes,
			]);
			await red.start();
			const [msg] = await collector.wait(`life${life}`);
			assert.equal(msg?.solar.cached, false);
			assert.equal(forecasts(), life, "one request for each life");
			assertClean(red);
			await red.stop();
			remove(red.userDir);
		}
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

	it("twice on one account, with hardly any quota: it is not overdrawn", async () => {
		const { server, simulator } = await service({
			...PLANS.light,
			forecastRequests: 4,
		});
		const reds: NodeRed[] = [];
		for (const tag of ["one", "two"]) {
			const got = collected(tag);
			const caught = collected(`${tag}-caught`);
			const red = nodeRed(place());
			writeFlows(red.userDir, [
				TAB,
				account(server.url, { reserve: "0" }),
				forecast("a", [got.entry], { poll: "manual" }),
				...[1, 2, 3].map((days) => ({
					id: `press${days}`,
					type: "inject",
					z: "tab",
					props: [
						{ p: "refresh", v: "true", vt: "bool" },
						{ p: "pastDays", v: String(days), vt: "num" },
					],
					wires: [["a"]],
				})),
				catcher([caught.entry]),
				...got.nodes,
				...caught.nodes,
			]);
			reds.push(red);
		}
		for (const red of reds) await red.start();
		// One after another they use up what there is, and learn of each other by the headers.
		for (const days of [1, 2, 3]) {
			for (const [index, red] of reds.entries()) {
				await red.inject(`press${days}`);
				const tag = index === 0 ? "one" : "two";
				await until(
					"an end of each",
					() =>
						collector.of(tag).length + collector.of(`${tag}-caught`).length >=
						days,
				);
			}
		}
		const asked = simulator.requests.filter(({ path }) =>
			path.startsWith("/v2/forecast/"),
		);
		assert.ok(asked.filter(({ status }) => status === 200).length <= 4);
		// The last request of another one can be known by a 429 alone: once at most each.
		assert.ok(asked.filter(({ status }) => status === 429).length <= 2);
		for (const tag of ["one", "two"]) {
			for (const { error } of collector.of(`${tag}-caught`)) {
				assert.equal(error.code, "SOLAR_YIELD_QUOTA");
				assert.ok(error.cause.retry_at);
			}
		}
		for (const red of reds) assertClean(red);
	}).timeout(90_000);

	it("with variables of tabs, groups and subflows, two instances of one, and accounts that are off or gone", async () => {
		const { server, forecasts, simulator } = await service("plus", [
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
		const caught = collected("caught");
		const instance = (id: string, site: string) => ({
			id,
			type: "subflow:sub",
			z: "tab",
			name: "",
			env: [env("SITE", site), env("PLACE", server.url)],
			wires: [[all.sub?.entry]],
		});
		const press = (target: string) => ({
			id: `press-${target}`,
			type: "inject",
			z: "tab",
			props: [],
			once: true,
			onceDelay: 0.2,
			wires: [[target]],
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
			account(server.url, { id: "off", d: true }),
			forecast("tabbed-fc", [all.tabbed?.entry as string]),
			forecast("grouped-fc", [all.grouped?.entry as string], {
				g: "group",
				siteId: "${GROUP_SITE}",
			}),
			forecast("sub-fc", [], { z: "sub", account: "sub-acc" }),
			instance("sub1", "site_sub_1"),
			instance("sub2", "site_sub_2"),
			forecast("off-fc", [], { account: "off" }),
			forecast("gone-fc", [], { account: "was-deleted" }),
			press("off-fc"),
			press("gone-fc"),
			catcher([caught.entry]),
			...Object.values(all).flatMap(({ nodes }) => nodes),
			...caught.nodes,
		];
		const red = nodeRed(place(), { SOLAR_YIELD_KEY: KEY });
		writeFlows(red.userDir, flows, {
			acc: { apiKey: "${SOLAR_YIELD_KEY}" },
			"sub-acc": { apiKey: "${SOLAR_YIELD_KEY}" },
			off: { apiKey: KEY },
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
		const errors = await collector.wait("caught", 2);
		for (const { error } of errors) {
			assert.equal(error.code, "SOLAR_YIELD_INPUT");
		}
		const said = errors.map(({ error }) => error.message).join("\n");
		assert.match(said, /account is disabled/);
		assert.match(said, /no account/);
		// The account is switched off in the running Node-RED: what it served says so, and asks no more.
		collector.clear();
		const before = simulator.requests.length;
		await red.deploy(
			placed(
				flows
					.map((it) => (it.id === "acc" ? { ...it, d: true } : it))
					.concat([press("tabbed-fc")]),
			),
			{},
			"nodes",
		);
		const again = await collector.wait(
			"caught",
			1,
			({ error }) => error.source.id === "tabbed-fc",
		);
		assert.match(again[0]?.error.message, /disabled/);
		assert.equal(simulator.requests.length, before);
		// And deleted, with its nodes left behind.
		await red.deploy(
			placed(flows.filter(({ id }) => id !== "acc")),
			{},
			"nodes",
		);
		assert.ok(red.running);
		assertClean(red, await exported(red));
	}).timeout(90_000);
});
