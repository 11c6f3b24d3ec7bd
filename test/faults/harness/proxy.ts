import { once } from "node:events";
import {
	type AddressInfo,
	connect,
	createServer,
	type Server,
	type Socket,
} from "node:net";

/** What a proxy does to a connection, one after another. */
export type Step =
	| { readonly send: Buffer }
	/** Sends bytes in pieces of a size, so many ms apart. */
	| { readonly drip: Buffer; readonly size: number; readonly everyMs: number }
	/** Leaves the connection open and silent until the client gives up. */
	| "stall"
	/** Closes with a reset (RST). */
	| "reset"
	/** Closes in order (FIN). */
	| "end";

/** A whole answer of the service behind, as it came over the wire. */
export interface Answer {
	readonly status: number;
	/** Name as sent, and value. */
	readonly headers: readonly (readonly [string, string])[];
	readonly body: Buffer;
}

/** What a fault makes of an answer. Before the answer, `early` acts on the bare connection. */
export interface Fault {
	readonly early?: "reset" | "stall" | "end";
	readonly steps?: (answer: Answer) => readonly Step[];
	/** Requests that stand where else one would be; 1 unless given. */
	readonly hops?: number;
}

const HEAD_END = "\r\n\r\n";

/** An answer as bytes, with the right length unless the headers given say another. */
export function answerBytes(
	answer: Answer,
	change: {
		readonly status?: number | string;
		/** Replaces headers of the same name; null takes one out. */
		readonly headers?: Readonly<Record<string, string | null>>;
		readonly body?: Buffer | string;
	} = {},
): Buffer {
	const body = Buffer.from(change.body ?? answer.body);
	const changed: Record<string, string | null> = {
		"content-length": String(body.length),
		...change.headers,
	};
	const names = new Set(Object.keys(changed).map((name) => name.toLowerCase()));
	const kept = answer.headers.filter(
		([name]) => !names.has(name.toLowerCase()),
	);
	const added = Object.entries(changed).filter(
		(entry): entry is [string, string] => entry[1] !== null,
	);
	const head = [
		`HTTP/1.1 ${change.status ?? answer.status} ${typeof change.status === "string" ? "" : "Text"}`.trimEnd(),
		...[...kept, ...added].map(([name, value]) => `${name}: ${value}`),
	].join("\r\n");
	return Buffer.concat([Buffer.from(`${head}${HEAD_END}`, "latin1"), body]);
}

/**
 * Stands between a client and an HTTP service on the loopback, and spoils
 * answers byte by byte. One request per connection, as our transport sends.
 */
export class FaultProxy {
	/** Spoils the requests it is for, while set. */
	fault: Fault | undefined;
	/** Which requests the fault is for; all unless told. */
	isFor: (path: string) => boolean = () => true;
	/** Told of each request that is spoilt. */
	onSpoil: (path: string) => void = () => {};
	readonly #server: Server;
	readonly #sockets = new Set<Socket>();
	readonly #upstream: number;

	private constructor(upstream: number) {
		this.#upstream = upstream;
		this.#server = createServer((socket) => {
			this.#sockets.add(socket);
			socket.on("close", () => this.#sockets.delete(socket));
			socket.on("error", () => {});
			this.#serve(socket).catch(() => socket.destroy());
		});
	}

	/** @param upstream port of the service on the loopback */
	static async start(upstream: number): Promise<FaultProxy> {
		const proxy = new FaultProxy(upstream);
		proxy.#server.listen(0, "127.0.0.1");
		await once(proxy.#server, "listening");
		return proxy;
	}

	get url(): string {
		return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
	}

	/** Connections that are open: a client that gave up has closed its own. */
	get open(): number {
		return this.#sockets.size;
	}

	async close(): Promise<void> {
		for (const socket of this.#sockets) socket.destroy();
		this.#server.close();
		await once(this.#server, "close");
	}

	async #serve(client: Socket): Promise<void> {
		const request = await readRequest(client);
		const path = request.toString("latin1").split(" ", 2)[1] ?? "";
		const fault = this.isFor(path) ? this.fault : undefined;
		if (fault) this.onSpoil(path);
		if (fault?.early) {
			await perform(client, fault.early);
			return;
		}
		const answer = await this.#ask(request);
		const steps = fault?.steps?.(parseAnswer(answer)) ?? [
			{ send: answer },
			"end" as const,
		];
		for (const step of steps) {
			if (client.destroyed) return;
			await perform(client, step);
		}
	}

	async #ask(request: Buffer): Promise<Buffer> {
		const socket = connect(this.#upstream, "127.0.0.1");
		const chunks: Buffer[] = [];
		socket.on("data", (chunk) => chunks.push(chunk));
		socket.write(request);
		await once(socket, "close");
		return Buffer.concat(chunks);
	}
}

function readRequest(socket: Socket): Promise<Buffer> {
	return new Promise((resolve, reject) => {
		let bytes = Buffer.alloc(0);
		const take = (chunk: Buffer) => {
			bytes = Buffer.concat([bytes, chunk]);
			const end = bytes.indexOf(HEAD_END);
			if (end < 0) return;
			const head = bytes.subarray(0, end).toString("latin1");
			const length = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0);
			if (bytes.length < end + HEAD_END.length + length) return;
			socket.off("data", take);
			// Whatever comes after belongs to nobody, but has to flow.
			socket.resume();
			resolve(bytes);
		};
		socket.on("data", take);
		socket.on("close", () => reject(new Error("closed")));
	});
}

/** The service behind says the length of every body, so what follows the head is the body. */
function parseAnswer(bytes: Buffer): Answer {
	const end = bytes.indexOf(HEAD_END);
	const [first = "", ...lines] = bytes
		.subarray(0, end)
		.toString("latin1")
		.split("\r\n");
	return {
		status: Number(first.split(" ")[1]),
		headers: lines.map((line) => {
			const colon = line.indexOf(":");
			return [line.slice(0, colon), line.slice(colon + 1).trim()] as const;
		}),
		body: bytes.subarray(end + HEAD_END.length),
	};
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

async function perform(socket: Socket, step: Step): Promise<void> {
	if (step === "reset") socket.resetAndDestroy();
	else if (step === "end") socket.end();
	else if (step === "stall") {
		if (!socket.destroyed) await once(socket, "close");
	} else if ("send" in step) {
		if (!socket.write(step.send)) {
			await Promise.race([once(socket, "drain"), once(socket, "close")]);
		}
	} else {
		for (let at = 0; at < step.drip.length && !socket.destroyed; ) {
			socket.write(step.drip.subarray(at, at + step.size));
			at += step.size;
			await pause(step.everyMs);
		}
	}
}
