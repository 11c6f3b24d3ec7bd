import {
	createServer,
	type IncomingMessage,
	type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Simulator } from "./simulator";

/** A simulator over HTTP, on a free port of this machine. */
export interface SimulatorServer {
	/** Base URL without a trailing slash. */
	readonly url: string;
	/** Stops listening and cuts what is open. */
	close(): Promise<void>;
}

/**
 * Serves a simulator.
 *
 * @param intercept sees each request first: it may answer, delay, cut or ignore
 * it, and calls `next` to let the simulator answer. The body is still unread.
 */
export async function startSimulatorServer(
	simulator: Simulator,
	{
		intercept = (_request, _response, next) => next(),
	}: {
		intercept?: (
			request: IncomingMessage,
			response: ServerResponse,
			next: () => void,
		) => void;
	} = {},
): Promise<SimulatorServer> {
	const server = createServer((request, response) =>
		intercept(request, response, () => {
			void serve(simulator, request, response);
		}),
	);
	await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		close: () =>
			new Promise((done) => {
				server.close(() => done());
				server.closeAllConnections();
			}),
	};
}

async function serve(
	simulator: Simulator,
	request: IncomingMessage,
	response: ServerResponse,
): Promise<void> {
	// A client that cuts its request gets no answer.
	const sent = await text(request).catch(() => undefined);
	if (sent === undefined) return;
	const [path = "/", ...query] = (request.url ?? "/").split("?");
	const { status, headers, body } = simulator.handle({
		method: request.method ?? "GET",
		path,
		query: new URLSearchParams(query.join("?")),
		headers: { authorization: request.headers.authorization ?? "" },
		body: sent,
	});
	const length = Buffer.byteLength(body);
	// 204 carries no body and must not announce one.
	response.writeHead(status, {
		...headers,
		...(status !== 204 && { "content-length": length }),
	});
	response.end(body);
}
