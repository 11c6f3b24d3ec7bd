import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";

/**
 * One authority and one key, with certificates of fixed dates: `valid` from 2001 to
 * 2098, `expired` until 2002, `early` from 2090 on.
 */
const FILES = join(__dirname, "../fixtures/certificates");
const file = (name: string) => readFileSync(join(FILES, `${name}.pem`), "utf8");

describe("a service's certificate", () => {
	for (const [name, code] of [
		["valid", undefined],
		["expired", "CERT_HAS_EXPIRED"],
		["early", "CERT_NOT_YET_VALID"],
	] as const) {
		it(`(${name}) of an authority in NODE_EXTRA_CA_CERTS ${code ? "names this machine's clock first" : "is trusted"}`, async () => {
			const server = createServer(
				{ key: file("key"), cert: file(name) },
				(_request, response) => response.end("served"),
			).on("tlsClientError", () => {});
			server.listen(0, "127.0.0.1");
			await once(server, "listening");
			try {
				const { port } = server.address() as AddressInfo;
				const { stdout } = await promisify(execFile)(
					process.execPath,
					[
						"--require",
						"tsx/cjs",
						join(__dirname, "../service/http/ask.ts"),
						`https://127.0.0.1:${port}`,
						"key",
					],
					{
						env: {
							PATH: process.env.PATH,
							NODE_EXTRA_CA_CERTS: join(FILES, "ca.pem"),
						},
					},
				);
				const { kind, message, body } = JSON.parse(stdout);
				if (code === undefined) return assert.equal(body, "served");
				assert.equal(kind, "NETWORK");
				assert.match(
					message,
					/not valid at this machine's time, .+ \(\w+\); check this machine's clock first/,
				);
				assert.ok(message.includes(code), message);
			} finally {
				server.close();
			}
		});
	}
});
