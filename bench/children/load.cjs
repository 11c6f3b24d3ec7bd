// What loading costs a bare Node.js process.
const { mkdtempSync, readdirSync, rmSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");

const { task } = JSON.parse(process.argv[2]);
const root = join(__dirname, "../..");
const nodes = join(root, "dist/nodes");
const HEAVY = ["axios", "zod", "luxon"];
const userDir = mkdtempSync(join(tmpdir(), "solar-yield-load-"));
process.on("exit", () => rmSync(userDir, { recursive: true, force: true }));

const types = new Map();
const RED = {
	nodes: {
		registerType: (type, make) => types.set(type, make),
		createNode(node) {
			Object.assign(node, {
				id: "node",
				credentials: { apiKey: "no-real-key" },
				on() {},
				status() {},
				warn() {},
			});
		},
		getNode: () => null,
	},
	auth: { needsPermission: () => () => {} },
	httpAdmin: { get() {}, post() {} },
	events: { on() {}, once() {}, removeListener() {} },
	settings: { userDir },
	util: {},
	_: (key) => key,
};
const loadNodes = () => {
	for (const file of readdirSync(nodes)) {
		if (/^solar-yield-.*\.js$/.test(file)) require(join(nodes, file))(RED);
	}
};
const open = (type, config) => Reflect.construct(types.get(type), [config]);
const openAccount = () =>
	open("solar-yield-account", { baseUrl: "http://127.0.0.1:9" });

const tasks = {
	nothing: () => {},
	three: () => {
		for (const name of HEAVY) require(name);
	},
	nodes: loadNodes,
	account: openAccount,
	// The first request brings the rest.
	request: () => {
		openAccount();
		require("axios");
	},
};
if (task === "account" || task === "request") loadNodes();
const before = process.memoryUsage().rss;
const start = performance.now();
tasks[task]();
const ms = performance.now() - start;
const rssMB = (process.memoryUsage().rss - before) / 1e6;
const files = Object.keys(require.cache);
const loaded = HEAVY.filter((name) =>
	files.some((file) => file.includes(join("node_modules", name))),
);
process.stdout.write(JSON.stringify({ ms, rssMB, loaded }), () =>
	process.exit(),
);
