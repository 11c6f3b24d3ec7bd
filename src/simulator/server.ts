import {
	createServer,
	type IncomingMessage,
	type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import type { Simulator } from "./simulator";

export interface SimulatorServerOptions {
	/** 0 or absent = any free port. */
	readonly port?: number;
	/** Loopback unless given. */
	readonly host?: string;
	/**
	 * Sees each request first: it may answer, delay, cut or ignore it, and calls
	 * `next` to let the simulator answer. The body is still unread.
	 */
	readonly intercept?: (
		request: IncomingMessage,
		response: ServerResponse,
		next: () => void,
	) => void;
}

export interface SimulatorServer {
	/** Base URL without a trailing slash. */
	readonly url: string;
	/** Stops listening and destroys what is open. */
	close(): Promise<void>;
}

/** A request body over this is answered with 413. */
const MAX_BODY_BYTES = 10_000_000;

/** Serves a simulator over HTTP; rejects when it cannot listen. */
export async function startSimulatorServer(
	simulator: Simulator,
	options: SimulatorServerOptions = {},
): Promise<SimulatorServer> {
	const { port = 0, host = "127.0.0.1", intercept } = options;
	const server = createServer((request, response) => {
		const next = (): void => {
			serve(simulator, request, response);
		};
		if (intercept) intercept(request, response, next);
		else next();
	});
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject);
		server.listen(port, host, () => {
			server.off("error", reject);
			resolve();
		});
	});
	const address = server.address() as AddressInfo;
	const name = address.family === "IPv6" ? `[${host}]` : host;
	return {
		url: `http://${name}:${address.port}`,
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

function serve(
	simulator: Simulator,
	request: IncomingMessage,
	response: ServerResponse,
): void {
	const chunks: Buffer[] = [];
	let size = 0;
	request.on("error", () => response.destroy());
	request.on("data", (chunk: Buffer) => {
		size += chunk.length;
		if (size <= MAX_BODY_BYTES) chunks.push(chunk);
	});
	request.on("end", () => {
		if (size > MAX_BODY_BYTES) {
			response.writeHead(413).end();
			return;
		}
		const [path = "/", ...rest] = (request.url ?? "/").split("?");
		const answer = simulator.handle({
			method: request.method ?? "GET",
			path,
			query: new URLSearchParams(rest.join("?")),
			headers: headerTexts(request),
			body: Buffer.concat(chunks).toString("utf8"),
		});
		const body = Buffer.from(answer.body);
		// 204 carries no body and must not announce one.
		response.writeHead(
			answer.status,
			answer.status === 204
				? answer.headers
				: { ...answer.headers, "content-length": body.length },
		);
		response.end(body);
	});
}

function headerTexts(request: IncomingMessage): Record<string, string> {
	return Object.fromEntries(
		Object.entries(request.headers).map(([name, value]) => [
			name,
			Array.isArray(value) ? value.join(", ") : (value ?? ""),
		]),
	);
}
