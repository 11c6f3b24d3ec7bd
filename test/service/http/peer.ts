import { fork } from "node:child_process";
import { once } from "node:events";
import {
	createServer,
	type IncomingHttpHeaders,
	type RequestListener,
} from "node:http";
import {
	type AddressInfo,
	connect,
	createServer as createTcp,
	type Server,
	type Socket,
} from "node:net";
import { join } from "node:path";

/** A request as a peer got it. */
interface Heard {
	readonly method: string;
	readonly url: string;
	readonly headers: IncomingHttpHeaders;
	readonly body: string;
}

/** A server on the loopback that remembers what came, and every socket. */
export class Peer {
	readonly heard: Heard[] = [];
	/** Everything that came in, byte by byte. */
	bytes = Buffer.alloc(0);
	readonly #server: Server;
	readonly #sockets = new Set<Socket>();

	private constructor(server: Server) {
		this.#server = server;
		server.on("connection", (socket: Socket) => {
			this.#sockets.add(socket);
			socket.on("error", () => {});
			socket.on("close", () => this.#sockets.delete(socket));
		});
	}

	/** An HTTP server. It never closes an idle connection: that is the caller's part. */
	static async http(answer: RequestListener): Promise<Peer> {
		const server = createServer((request, response) => {
			const chunks: Buffer[] = [];
			request.on("data", (chunk) => chunks.push(chunk));
			request.on("end", () => {
				peer.heard.push({
					method: request.method ?? "",
					url: request.url ?? "",
					headers: request.headers,
					body: Buffer.concat(chunks).toString(),
				});
				answer(request, response);
			});
		});
		server.keepAliveTimeout = 0;
		const peer = new Peer(server);
		return peer.#listen();
	}

	/** A server that is given each connection after its first bytes. */
	static async tcp(answer: (socket: Socket) => void): Promise<Peer> {
		const peer = new Peer(
			createTcp((socket) => {
				socket.once("data", () => answer(socket));
				socket.on("data", (chunk) => {
					peer.bytes = Buffer.concat([peer.bytes, chunk]);
				});
			}),
		);
		return peer.#listen();
	}

	async #listen(): Promise<this> {
		this.#server.listen(0, "127.0.0.1");
		await once(this.#server, "listening");
		return this;
	}

	get port(): number {
		return (this.#server.address() as AddressInfo).port;
	}

	get base(): string {
		return `http://127.0.0.1:${this.port}`;
	}

	/** Resolves when no connection is open: it never does when one was forgotten. */
	async idle(): Promise<void> {
		await Promise.all(
			[...this.#sockets].map((socket) => once(socket, "close")),
		);
	}

	async close(): Promise<void> {
		for (const socket of this.#sockets) socket.destroy();
		this.#server.close();
		await once(this.#server, "close");
	}
}

/**
 * Works with a server on 127.0.0.1 to which the next connection is not made for a
 * while, as on a slow line: a process does not take what waits.
 *
 * @param ms for how long; the system repeats the attempt after 1 s and after 3 s
 * @param to base URL of whoever answers, else each answer is "slow"
 */
export async function onSlowLine(
	ms: number,
	work: (port: number) => Promise<void>,
	to = "",
): Promise<void> {
	const busy = fork(join(__dirname, "busy-peer.cjs"), [to]);
	try {
		const [port] = (await once(busy, "message")) as [number];
		busy.send(ms);
		await once(busy, "message");
		const waiting = Array.from({ length: 4 }, () =>
			connect(port, "127.0.0.1").on("error", () => {}),
		);
		await Promise.all(waiting.slice(0, 2).map((it) => once(it, "connect")));
		await work(port);
		for (const socket of waiting) socket.destroy();
	} finally {
		busy.kill("SIGKILL");
	}
}
