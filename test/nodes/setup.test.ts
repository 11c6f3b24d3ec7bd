import assert from "node:assert/strict";
import { Flows } from "../support/flows";
import { historyNode, siteNode } from "../support/own-nodes";

describe("a node that cannot work yet", () => {
	let flows: Flows;

	beforeEach(async () => {
		flows = new Flows("2026-06-10T09:01:00Z");
		await flows.start();
	});
	afterEach(() => flows.stop());

	/** What the account or the node lacks, and what status and error say. */
	const cases: readonly {
		readonly what: string;
		readonly key?: null;
		readonly account?: object | null;
		readonly node?: object;
		readonly status: RegExp;
		readonly message: RegExp;
	}[] = [
		{
			what: "no account",
			node: { account: "" },
			status: /setup\.no_account$/,
			message: /^The node has no account; choose one in its dialog/,
		},
		{
			what: "an account that was deleted",
			account: null,
			status: /setup\.no_account$/,
			message: /^The node has no account;/,
		},
		{
			what: "a disabled account",
			account: { d: true },
			status: /setup\.account_disabled$/,
			message: /^The node's account is disabled; enable it/,
		},
		{
			what: "an account with a wrong setting",
			account: { budget: "many" },
			status: /setup\.account$/,
			message: /^budget is "many"; enter a whole number/,
		},
		{
			what: "no site",
			account: { siteId: "" },
			status: /setup\.no_site$/,
			message: /^siteId is blank here and in the account; choose a site/,
		},
		{
			what: "a wrong setting of its own",
			node: { pastDays: "99" },
			status: /kind\.INPUT$/,
			message: /^pastDays is "99";/,
		},
		{
			what: "a variable in the account's place that nobody has set",
			node: { account: "${NO_SUCH_ACCOUNT}" },
			status: /setup\.no_account$/,
			message: /variable NO_SUCH_ACCOUNT, which names none; choose an account/,
		},
		{
			what: "no key",
			key: null,
			status: /kind\.AUTH$/,
			message: /API key/,
		},
		{
			what: "an address that is none",
			account: { baseUrl: "ftp://x" },
			status: /setup\.account$/,
			message: /^The base URL is no web address; /,
		},
		{
			what: "a system that is no JSON",
			node: { source: "inline", inline: "{" },
			status: /kind\.INPUT$/,
			message: /^inline is no JSON/,
		},
	];

	for (const { what, key, account = {}, node, status, message } of cases) {
		it(`says that it has ${what}`, async () => {
			const flow = [
				...(account ? [flows.account(account)] : []),
				...flows.forecast("f", node),
				...Flows.catchNode,
			];
			await flows.load(flow, key);
			const shown = flows.status("f");
			assert.match(shown?.text ?? "", status);
			assert.deepEqual([shown?.fill, shown?.shape], ["red", "dot"]);
			await flows.input("f", {});
			assert.match(flows.of("caught")[0]?.error.message, message);
			const code = key === null ? "AUTH" : "INPUT";
			assert.equal(flows.of("caught")[0]?.error.code, `SOLAR_YIELD_${code}`);
			assert.equal(flows.simulator.requests.length, 0);
		});
	}

	it("says so with a message where messages may bring the site", async () => {
		await flows.load([
			flows.account({ siteId: "" }),
			historyNode({ id: "h" }),
			siteNode({ id: "s" }),
			...Flows.catchNode,
		]);
		for (const [id, msg] of [
			["h", {}],
			["s", { operation: "get" }],
			["s", { operation: "delete" }],
		] as const) {
			await flows.call(id, msg);
			assert.match(flows.status(id)?.text, /setup\.no_site$/);
		}
		await flows.call("s", { operation: "list" });
		assert.doesNotMatch(flows.status("s")?.text, /setup/);
	});
});
