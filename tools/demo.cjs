// `npm run demo`: Node-RED with the first example flow on the demo account.
// `npm run demo -- --once`: prints the first forecast and ends.
const {
	mkdirSync,
	mkdtempSync,
	rmSync,
	symlinkSync,
	copyFileSync,
	existsSync,
} = require("node:fs");
const { createServer } = require("node:http");
const { tmpdir } = require("node:os");
const { dirname, join } = require("node:path");
const { root, install } = require("./setup.cjs");

const once = process.argv.includes("--once");
const PORT = Number(process.env.PORT ?? 1880);
const FIRST_EXAMPLE = join(root, "examples/04 - First forecast.json");

/** A user directory that holds this package, linked, and the flow. */
function makeUserDir() {
	const { name } = require("../package.json");
	const userDir = once
		? mkdtempSync(join(tmpdir(), "solar-yield-demo-"))
		: join(root, ".demo");
	const link = join(userDir, "node_modules", name);
	mkdirSync(dirname(link), { recursive: true });
	rmSync(link, { force: true, recursive: true });
	symlinkSync(root, link, "junction");
	const flow = join(userDir, "flows.json");
	if (!existsSync(flow)) copyFileSync(FIRST_EXAMPLE, flow);
	return userDir;
}

/** The first forecast on output 1 of any forecast node. */
function firstForecast(RED) {
	return new Promise((resolve) => {
		RED.hooks.add("onSend.demo", (sends) => {
			const sent = sends.find(({ msg }) => msg.topic?.endsWith("/forecast"));
			if (sent) {
				RED.hooks.remove("*.demo");
				resolve(sent.msg);
			}
		});
	});
}

function print({ payload, solar, quota }) {
	const lines = [
		`site     ${solar.site_name} (${solar.site_id}), ${solar.timezone}${solar.demo ? ", demo data" : ""}`,
		`computed ${solar.computed_at}`,
		...payload.daily.map(
			({ date, pv_energy_kwh }) =>
				`day      ${date}  ${pv_energy_kwh.toFixed(1).padStart(6)} kWh`,
		),
		...solar.strings.map(
			({ string_id, slope, orientation, power_kw }) =>
				`string   ${string_id}: ${power_kw} kW, slope ${slope}°, orientation ${orientation}°`,
		),
		`quota    ${quota.used} of ${quota.limit ?? "unmetered"} requests used, back to 0 at ${quota.reset}`,
		`next     ${solar.next_request_at}: ${solar.reason}`,
	];
	console.log(lines.join("\n"));
}

async function main() {
	if (!Number.isInteger(PORT) || PORT < 1 || PORT > 65_535) {
		throw new Error(
			`PORT is ${process.env.PORT}; give a number from 1 to 65535: PORT=1881 npm run demo`,
		);
	}
	install();
	require("./build.cjs");
	const RED = require("node-red");
	const userDir = makeUserDir();
	const server = createServer((request, response) => app(request, response));
	const app = require(
		require.resolve("express", { paths: [require.resolve("node-red")] }),
	)();
	RED.init(server, {
		userDir,
		flowFile: "flows.json",
		httpAdminRoot: once ? false : "/",
		httpNodeRoot: "/api",
		credentialSecret: false,
		editorTheme: { tours: false, projects: { enabled: false } },
		logging: { console: { level: once ? "fatal" : "info" } },
	});
	if (!once) {
		app.use("/", RED.httpAdmin);
		await new Promise((resolve, reject) => {
			server.once("error", ({ code, message }) =>
				reject(
					new Error(
						`Port ${PORT} cannot be had (${code ?? message}); choose another: PORT=${PORT + 1} npm run demo`,
					),
				),
			);
			server.listen(PORT, "127.0.0.1", resolve);
		});
	}
	const forecast = firstForecast(RED);
	await RED.start();
	const message = await forecast;
	print(message);
	if (once) {
		// What is remembered is written a moment later.
		process.once("exit", () =>
			rmSync(userDir, { recursive: true, force: true }),
		);
		await RED.stop();
	} else {
		console.log(`\nOpen http://127.0.0.1:${PORT}/ and end with Ctrl+C.`);
	}
}

main().catch((error) => {
	console.error(error.message);
	process.exitCode = 1;
});
