import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer as createHttp } from "node:http";
import { createServer as createHttps } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import { join } from "node:path";
import type { Simulator } from "../../support/service/simulator";

/** An authority `ca.pem`, and a certificate by it for localhost and 127.0.0.1. */
export const CERTIFICATES = join(__dirname, "../../fixtures/certificates");

/** Serves a simulator over https on the loopback. */
export async function startHttps(simulator: Simulator) {
	const read = (name: string) => readFileSync(join(CERTIFICATES, name), "utf8");
	const server = createHttps(
		{ key: read("key.pem"), cert: read("valid.pem") },
		(request, response) => {
			const { pathname, searchParams } = new URL(
				request.url ?? "/",
				"http://x",
			);
			request.resume();
			const { status, headers, body } = simulator.handle({
				method: request.method ?? "GET",
				path: pathname,
				query: searchParams,
				headers: request.headers as Record<string, string>,
				body: "",
			});
			response.writeHead(status, headers);
			response.end(body);
		},
	);
	server.on("tlsClientError", () => {});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	return {
		port: (server.address() as AddressInfo).port,
		close: () => {
			server.closeAllConnections();
			server.close();
		},
	};
}

/**
 * An HTTP proxy that tunnels every CONNECT to one port of the loopback.
 *
 * @param credentials user and password that it wants, as `user:password`
 */
export async function startTunnel(port: number, credentials?: string) {
	/** Where tunnels were wanted to. */
	const wanted: string[] = [];
	/** All bytes that clients sent before the tunnel stood. */
	const heads: string[] = [];
	const sockets = new Set<Socket>();
	const server = createHttp((request, response) => {
		heads.push(`${request.url} ${JSON.stringify(request.headers)}`);
		response.writeHead(403).end();
	});
	server.on("connect", (request, client: Socket) => {
		wanted.push(request.url ?? "");
		heads.push(JSON.stringify(request.headers));
		const given = request.headers["proxy-authorization"]?.split(" ")[1] ?? "";
		if (
			credentials !== undefined &&
			Buffer.from(given, "base64").toString() !== credentials
		) {
			client.end("HTTP/1.1 407 Who is it?\r\nContent-Length: 0\r\n\r\n");
			return;
		}
		const service = connect(port, "127.0.0.1", () => {
			client.write("HTTP/1.1 200 Connection established\r\n\r\n");
			service.pipe(client);
			client.pipe(service);
		});
		for (const socket of [client, service]) {
			sockets.add(socket);
			socket.on("error", () => {});
		}
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		wanted,
		heads,
		close: () => {
			for (const socket of sockets) socket.destroy();
			server.close();
		},
	};
}
