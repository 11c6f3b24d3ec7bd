import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { installedUserDir, ROOT } from "../support/node-red-process";
import {
	type SimulatorServer,
	startSimulatorServer,
} from "../support/service/server";
import { Simulator } from "../support/service/simulator";

const KEY = "sk-script-secret";
const page = readFileSync(join(ROOT, "docs/api.md"), "utf8");
const example = /```js\n(import [\s\S]*?)```/.exec(page)?.[1] as string;

/** The page's example with `require` in place of `import`. */
const required = `(async () => {${example.replace(
	/import (\{[\s\S]*?\}) from ("[^"]+");/,
	"const $1 = require($2);",
)}})();`;

describe("a script beside the installed package", () => {
	let project: string;
	let service: SimulatorServer;
	let simulator: Simulator;

	before(async function () {
		this.timeout(180_000);
		project = installedUserDir();
		simulator = new Simulator({ now: () => Date.now() });
		simulator.addAccount({ apiKey: KEY, plan: "light" });
		simulator.addSite(KEY, {
			id: "site_barn",
			name: "Barn",
			latitude: 52.5,
			longitude: 13.4,
			strings: [{ id: "str_a", slope: 30, orientation: 180, power_kw: 5 }],
		});
		service = await startSimulatorServer(simulator);
	});
	after(() => service?.close());

	const forms = { "import.mjs": example, "require.cjs": required };
	for (const [file, text] of Object.entries(forms)) {
		it(`${file}: the example of docs/api.md asks the service, or the demo`, async () => {
			writeFileSync(join(project, file), text);
			const run = async (env: Record<string, string>) => {
				const { stdout, stderr } = await promisify(execFile)(
					process.execPath,
					[file],
					{ cwd: project, env: { ...process.env, ...env } },
				);
				return stdout + stderr;
			};
			simulator.requests.length = 0;
			const account = { SOLAR_YIELD_URL: service.url };
			assert.match(
				await run({ ...account, SOLAR_YIELD_API_KEY: KEY }),
				/^Barn: \d+\.\d kWh on \d{4}-\d\d-\d\d\n$/,
			);
			assert.equal(simulator.requests.length, 2);
			assert.match(
				await run({ ...account, SOLAR_YIELD_API_KEY: "sk-wrong" }),
				/^SOLAR_YIELD_AUTH .*; .* null\n$/,
			);
			assert.match(await run({ SOLAR_YIELD_URL: "" }), /^Demo house: /);
		}).timeout(60_000);
	}

	it("types: the example compiles, strictly and without skipLibCheck", () => {
		const types = dirname(require.resolve("@types/node/package.json"));
		writeFileSync(
			join(project, "tsconfig.json"),
			JSON.stringify({
				compilerOptions: {
					strict: true,
					noEmit: true,
					target: "ES2022",
					lib: ["ES2022"],
					module: "node16",
					moduleResolution: "node16",
					skipLibCheck: false,
					typeRoots: [dirname(types)],
					types: ["node"],
				},
				files: ["script.mts", "wrong.cts"],
			}),
		);
		const typed = example
			.replace("httpExchange(url, key)", 'httpExchange(url, key ?? "")')
			.replace("const [site] = await", "const [site] = (await")
			.replace("client.sites();", "client.sites()) as [Site];")
			.replace(
				/const \[, .*/,
				"const [, { date: from }, { date: to }] = answer.daily as [DailyRow, DailyRow, DailyRow];",
			)
			.replace("energy_kwh.toFixed", "energy_kwh?.toFixed")
			.replace("import {", "import {\n  type DailyRow,\n  type Site,");
		writeFileSync(join(project, "script.mts"), typed);
		writeFileSync(
			join(project, "wrong.cts"),
			`import { energy, type Forecast } from "@solar-yield/node-red-solar-yield";
declare const forecast: Forecast;
export const kwh: number | null = energy(forecast.values, 0, 1).energy_kwh;
// @ts-expect-error an instant is epoch ms
energy(forecast.values, new Date(), 1);
`,
		);
		const tsc = join(
			dirname(require.resolve("typescript/package.json")),
			"bin/tsc",
		);
		const { status, stdout } = spawnSync(
			process.execPath,
			[tsc, "-p", project],
			{ cwd: project, encoding: "utf8" },
		);
		assert.equal(status, 0, stdout);
	}).timeout(60_000);
});
