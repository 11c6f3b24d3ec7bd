import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import {
	createServer as createHttp,
	type IncomingMessage,
	type Server,
	type ServerResponse,
} from "node:http";
import { createServer as createHttps } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Simulator } from "../../support/service/simulator";

/** An authority of one's own, and a certificate by it. */
interface Certificates {
	readonly folder: string;
	/** The authority's certificate, PEM. */
	readonly caFile: string;
	readonly key: string;
	readonly cert: string;
}

/** Makes both with openssl; undefined where there is none. */
export function makeCertificates(
	names: readonly string[],
): Certificates | undefined {
	const folder = mkdtempSync(join(tmpdir(), "solar-yield-tls-"));
	const at = (name: string) => join(folder, name);
	const openssl = (...parameters: string[]) =>
		execFileSync("openssl", parameters, { stdio: "ignore", cwd: folder });
	try {
		openssl("version");
	} catch {
		return undefined;
	}
	const newKey = ["-newkey", "rsa:2048", "-nodes"];
	openssl(
		"req",
		"-x509",
		...newKey,
		"-keyout",
		"ca.key",
		"-out",
		"ca.pem",
		"-days",
		"2",
		"-subj",
		"/CN=Test authority",
	);
	openssl(
		"req",
		...newKey,
		"-keyout",
		"key.pem",
		"-out",
		"request.pem",
		"-subj",
		"/CN=service",
	);
	writeFileSync(
		at("names.txt"),
		`subjectAltName=${names.map((name) => (/^[\d.]+$/.test(name) ? `IP:${name}` : `DNS:${name}`)).join(",")}\n`,
	);
	openssl(
		"x509",
		"-req",
		"-in",
		"request.pem",
		"-CA",
		"ca.pem",
		"-CAkey",
		"ca.key",
		"-CAcreateserial",
		"-out",
		"cert.pem",
		"-days",
		"2",
		"-extfile",
		"names.txt",
	);
	return {
		folder,
		caFile: at("ca.pem"),
		key: readFileSync(at("key.pem"), "utf8"),
		cert: readFileSync(at("cert.pem"), "utf8"),
	};
}

/** Answers requests as a simulator does, also those of a proxy, which name the whole address. */
const answeredBy =
	(simulator: Simulator) =>
	(request: IncomingMessage, response: ServerResponse): void => {
		const { pathname, searchParams } = new URL(request.url ?? "/", "http://x");
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
	};

async function listening(server: Server) {
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

/** Serves a simulator over https on the loopback. */
export async function startHttps(
	simulator: Simulator,
	{ key, cert }: Pick<Certificates, "key" | "cert">,
) {
	const server = createHttps({ key, cert }, answeredBy(simulator));
	server.on("tlsClientError", () => {});
	return listening(server);
}

/** An HTTP proxy before a simulator, whatever host is asked for. */
export async function startForward(simulator: Simulator) {
	/** What was asked for, and with which user and password. */
	const wanted: { url: string; credentials: string }[] = [];
	const answer = answeredBy(simulator);
	const server = createHttp((request, response) => {
		const [, basic = ""] =
			request.headers["proxy-authorization"]?.split(" ") ?? [];
		wanted.push({
			url: request.url ?? "",
			credentials: Buffer.from(basic, "base64").toString(),
		});
		answer(request, response);
	});
	return { wanted, ...(await listening(server)) };
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
