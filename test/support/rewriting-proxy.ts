import { createServer, request, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";

/** A reverse proxy that serves what lies below one path of a server below another of its own. */
export class RewritingProxy {
	readonly #server: Server;
	readonly #prefix: string;
	/** Paths that were asked for outside the prefix. */
	readonly strays: string[] = [];

	/** `prefix` and `path` begin and end with a slash. */
	constructor(prefix: string, port: number, path: string) {
		this.#prefix = prefix;
		const rewritten = (url = "/") => path + url.slice(prefix.length);
		this.#server = createServer((incoming, outgoing) => {
			const { url, method, headers } = incoming;
			if (!url?.startsWith(prefix)) {
				this.strays.push(url ?? "");
				outgoing.writeHead(404).end();
				return;
			}
			const onward = request(
				{ host: "127.0.0.1", port, path: rewritten(url), method, headers },
				(answer) => {
					outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
					answer.pipe(outgoing);
				},
			);
			onward.on("error", () => outgoing.destroy());
			incoming.pipe(onward);
		});
		// The editor's web socket.
		this.#server.on("upgrade", ({ url, headers }, socket, head) => {
			const onward = connect(port, "127.0.0.1", () => {
				const lines = Object.entries(headers).map(
					([name, value]) => `${name}: ${value}`,
				);
				onward.write(
					`GET ${rewritten(url)} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`,
				);
				onward.write(head);
				onward.pipe(socket).pipe(onward);
			});
			onward.on("error", () => socket.destroy());
			socket.on("error", () => onward.destroy());
		});
	}

	async start(): Promise<void> {
		await new Promise<void>((done) =>
			this.#server.listen(0, "127.0.0.1", done),
		);
	}

	get url(): string {
		const { port } = this.#server.address() as AddressInfo;
		return `http://127.0.0.1:${port}${this.#prefix}`;
	}

	async stop(): Promise<void> {
		await new Promise<void>((done) => {
			this.#server.close(() => done());
			this.#server.closeAllConnections();
		});
	}
}
