import assert from "node:assert/strict";
import { execFile, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import {
	createServer as createHttp,
	type RequestListener,
	type Server,
} from "node:http";
import { createServer as createHttps } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";

const CERTIFICATES = join(__dirname, "../../fixtures/certificates");
const file = (name: string) => readFileSync(join(CERTIFICATES, name), "utf8");
const KEY = "sk-live-0123456789-canary";
const PASSWORD = "me@house:p@ss/w%rd#ü";
const WRITTEN = "me%40house:p%40ss%2Fw%25rd%23%C3%BC";

/** What came of a request that another process made by way of a proxy in a third one. */
async function ask(service: string, credentials: string, written: string) {
	const proxy = fork(join(__dirname, "proxy-process.cjs"), [credentials]);
	const told: { heard?: string; passed?: string }[] = [];
	try {
		const [{ port }] = (await once(proxy, "message")) as [{ port: number }];
		proxy.on("message", (message) => told.push(message as never));
		const url = `http://${written && `${written}@`}127.0.0.1:${port}`;
		const { stdout } = await promisify(execFile)(
			process.execPath,
			["--require", "tsx/cjs", join(__dirname, "ask.ts"), service, KEY],
			{
				env: {
					PATH: process.env.PATH,
					HTTP_PROXY: url,
					HTTPS_PROXY: url,
					NODE_EXTRA_CA_CERTS: join(CERTIFICATES, "ca.pem"),
				},
			},
		);
		return { ...JSON.parse(stdout), told };
	} finally {
		proxy.kill();
	}
}

describe("a proxy in a process of its own", () => {
	let seen: string[] = [];
	const answer: RequestListener = ({ headers }, response) => {
		seen.push(String(headers.authorization));
		assert.equal(headers["proxy-authorization"], undefined);
		response.end("served");
	};
	const servers: Server[] = [
		createHttp(answer),
		createHttps({ key: file("key.pem"), cert: file("valid.pem") }, answer),
	];
	const base = (server: Server, scheme: string) =>
		`${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;

	before(async () => {
		for (const server of servers) {
			server.listen(0, "127.0.0.1");
			await once(server, "listening");
		}
	});
	after(() => {
		for (const server of servers) server.close();
	});

	for (const [index, scheme] of ["http", "https"].entries()) {
		for (const [what, credentials, written] of [
			["without a password", "", ""],
			["with a password", PASSWORD, WRITTEN],
		] as const) {
			it(`leads to an ${scheme} service ${what}`, async () => {
				seen = [];
				const service = base(servers[index] as Server, scheme);
				const { status, body, told } = await ask(service, credentials, written);
				assert.deepEqual([status, body], [200, "served"]);
				assert.deepEqual(seen, [`Bearer ${KEY}`]);
				assert.equal(
					told[0].heard,
					scheme === "http"
						? `GET ${service}/v2/sites/`
						: `CONNECT ${service.slice("https://".length)}`,
				);
				const passed = told.map((it: { passed?: string }) => it.passed).join();
				assert.ok(!passed.includes(KEY));
			});
		}

		it(`refuses who has no password for an ${scheme} service, and says so`, async () => {
			seen = [];
			const service = base(servers[index] as Server, scheme);
			const { status, kind, message } = await ask(service, PASSWORD, "");
			if (scheme === "http") assert.equal(status, 407);
			else {
				assert.equal(kind, "NETWORK");
				assert.match(message, /name and a password \(407\); /);
			}
			assert.deepEqual(seen, []);
		});
	}
});
