import { Agent as HttpAgent, request as httpRequest } from "node:http";
import {
	type AgentOptions,
	Agent as HttpsAgent,
	request as httpsRequest,
} from "node:https";
import type { Duplex } from "node:stream";
import { type ConnectionOptions, connect } from "node:tls";
import { SolarYieldError } from "../errors/solar-yield-error";
import type { ProxyAddress } from "./proxy";

/** The error for a proxy that does not let a connection through. */
function refusal(status: number): SolarYieldError {
	return new SolarYieldError(
		"NETWORK",
		status === 407 ? "proxy.wants_name" : "proxy.refuses",
		{ status },
		{ status },
	);
}

/**
 * Connections to an https service through a proxy (RFC 9110 section 9.3.6): what the
 * proxy sees is the service's name. One for each request, since it ends with the
 * request: a proxy that is silent holds no socket of ours.
 */
export class Tunnel extends HttpsAgent {
	readonly #proxy: ProxyAddress;
	readonly #signal: AbortSignal;
	readonly #options: AgentOptions;

	constructor(proxy: ProxyAddress, signal: AbortSignal, options: AgentOptions) {
		super(options);
		this.#proxy = proxy;
		this.#signal = signal;
		this.#options = options;
	}

	/** Called by Node.js for each connection; it waits for `done`. */
	override createConnection(
		target: ConnectionOptions,
		done: (error: Error | null, stream: Duplex) => void = () => {},
	): undefined {
		// With an error there is no stream, though the type wants one.
		const fail = (error: Error) => done(error, undefined as never);
		const { protocol, host, port, auth } = this.#proxy;
		const isTls = protocol === "https";
		const name = target.host?.includes(":") ? `[${target.host}]` : target.host;
		const asked = (isTls ? httpsRequest : httpRequest)({
			host,
			port,
			method: "CONNECT",
			path: `${name}:${target.port}`,
			headers: {
				Host: `${name}:${target.port}`,
				...(auth && {
					"Proxy-Authorization": `Basic ${Buffer.from(`${auth.username}:${auth.password}`).toString("base64")}`,
				}),
			},
			agent: new (isTls ? HttpsAgent : HttpAgent)(this.#options),
			signal: this.#signal,
		});
		asked.once("connect", ({ statusCode = 0 }, socket) => {
			if (statusCode < 200 || statusCode > 299) {
				socket.destroy();
				fail(refusal(statusCode));
				return;
			}
			const { path, ...options } = target;
			done(null, connect({ ...options, socket }));
		});
		asked.once("error", fail);
		asked.end();
		return undefined;
	}
}
