import assert from "node:assert/strict";
import { Flows, SITE } from "../support/flows";
import {
	batteryNode,
	forecastNode,
	historyNode,
	siteNode,
	sumNode,
	windowNode,
} from "../support/own-nodes";

/** Nodes whose every property is a variable, and what these hold. */
function withVariables(node: Record<string, unknown>, own: object) {
	const values = { ...node, ...own } as Record<string, unknown>;
	const env: Record<string, string> = {};
	for (const [name, value] of Object.entries(values)) {
		if (["id", "type", "z", "wires", "account"].includes(name)) continue;
		const variable = `SOLAR_YIELD_${node.id}_${name}`.toUpperCase();
		env[variable] = String(value);
		values[name] = `\${${variable}}`;
	}
	return { node: values, env };
}

describe("environment variables in place of properties", () => {
	let flows: Flows;
	const set: string[] = [];

	beforeEach(async () => {
		flows = new Flows("2026-06-10T09:01:00Z");
		await flows.start();
	});
	afterEach(async () => {
		for (const name of set.splice(0)) delete process.env[name];
		await flows.stop();
	});
	const setAll = (env: Record<string, string>) => {
		Object.assign(process.env, env);
		set.push(...Object.keys(env));
	};

	it("are resolved in each of them", async () => {
		const account = withVariables(flows.account() as Record<string, unknown>, {
			budget: "500",
			reserve: "0",
		});
		const nodes = [
			withVariables(forecastNode({ id: "f" }), {
				pastDays: "1",
				forecastDays: "1",
			}),
			withVariables(historyNode({ id: "h" }), { siteId: SITE }),
			withVariables(siteNode({ id: "s" }), { operation: "list" }),
			withVariables(windowNode({ id: "w" }), {
				hours: "1.5",
				from: "08:00",
				to: "16:00",
			}),
			withVariables(batteryNode({ id: "b" }), { capacityKwh: "7.5" }),
			withVariables(sumNode({ id: "u" }), { acLimitW: "5000" }),
		];
		for (const { env } of [account, ...nodes]) setAll(env);
		const wired = nodes.map(({ node }) =>
			node.id === "f" ? { ...node, wires: [["out"], [], []] } : node,
		);
		await flows.load([
			account.node,
			...wired,
			{ id: "out", type: "helper", z: "tab" },
			...Flows.catchNode,
		]);
		const [msg] = flows.of("out");
		assert.equal(msg?.topic, `solar-yield/${SITE}/forecast`);
		assert.equal(msg?.payload.daily.length, 3, "yesterday, today, tomorrow");
		for (const { node } of nodes) {
			const { text = "", fill } = flows.status(String(node.id)) ?? {};
			assert.notEqual(fill, "red", text);
			assert.doesNotMatch(text, /setup|kind\./, `${node.id}`);
		}
		for (const id of ["h", "s"]) {
			assert.equal((await flows.call(id)).error, undefined, id);
		}
	});

	it("choose the demo, too", async () => {
		setAll({ SOLAR_YIELD_DEMO: "true" });
		await flows.load([
			flows.account({ demo: "${SOLAR_YIELD_DEMO}" }),
			...flows.forecast("f"),
		]);
		assert.equal(flows.of("f-1")[0]?.solar.demo, true);
	});
});
