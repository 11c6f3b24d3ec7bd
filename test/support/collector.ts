import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

interface Collected {
	readonly tag: string;
	readonly msg: Record<string, any>;
}

/** Receives what flows of another process post, and lets a test wait for it. */
export class Collector {
	readonly messages: Collected[] = [];
	readonly #waiting = new Set<() => void>();
	readonly #server: Server;
	url = "";

	constructor() {
		this.#server = createServer((request, response) => {
			const chunks: Buffer[] = [];
			request.on("data", (chunk) => chunks.push(chunk));
			request.on("end", () => {
				response.end();
				this.messages.push(JSON.parse(Buffer.concat(chunks).toString()));
				for (const check of [...this.#waiting]) check();
			});
		});
	}

	async start(): Promise<void> {
		await new Promise<void>((done) =>
			this.#server.listen(0, "127.0.0.1", done),
		);
		this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
	}

	of(tag: string): Record<string, any>[] {
		return this.messages.filter((m) => m.tag === tag).map((m) => m.msg);
	}

	/** Resolves with the messages of a tag once there are enough that fit. */
	wait(
		tag: string,
		count = 1,
		fits: (msg: Record<string, any>) => boolean = () => true,
	): Promise<Record<string, any>[]> {
		return new Promise((resolve, reject) => {
			const check = () => {
				const found = this.of(tag).filter(fits);
				if (found.length < count) return;
				clearTimeout(timer);
				this.#waiting.delete(check);
				resolve(found);
			};
			const timer = setTimeout(() => {
				this.#waiting.delete(check);
				reject(
					new Error(
						`no ${count} × ${tag}; got ${JSON.stringify(this.messages.map((m) => [m.tag, m.msg.topic ?? m.msg.error ?? m.msg.status])).slice(0, 2000)}`,
					),
				);
			}, 15_000);
			this.#waiting.add(check);
			check();
		});
	}

	clear(): void {
		this.messages.length = 0;
	}

	async stop(): Promise<void> {
		this.#server.closeAllConnections();
		await new Promise((done) => this.#server.close(done));
	}

	/** Nodes that post every message of a wire to this collector under a tag. */
	nodes(tag: string, z: string): { entry: string; nodes: object[] } {
		return {
			entry: `${tag}-fn`,
			nodes: [
				{
					id: `${tag}-fn`,
					type: "function",
					z,
					func: `const {req, res, ...rest} = msg; return {payload: {tag: ${JSON.stringify(tag)}, msg: rest}};`,
					outputs: 1,
					wires: [[`${tag}-http`]],
				},
				{
					id: `${tag}-http`,
					type: "http request",
					z,
					method: "POST",
					ret: "txt",
					url: this.url,
					senderr: true,
					wires: [[]],
				},
			],
		};
	}
}
