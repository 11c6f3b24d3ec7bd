import type { AddressInfo } from "node:net";
import { createServer, type Server } from "node:net";
import { connectAsync, type MqttClient } from "mqtt";

interface Handler {
	handle(stream: unknown): void;
	close(done: () => void): void;
}

/** A real MQTT broker in this process, and a client to look into it. */
export class Broker {
	#broker: Handler | undefined;
	#server: Server | undefined;
	#client: MqttClient | undefined;
	port = 0;

	async start(): Promise<void> {
		const { Aedes } = await import("aedes");
		const broker = (await Aedes.createBroker()) as unknown as Handler;
		const server = createServer((socket) => broker.handle(socket));
		this.#broker = broker;
		this.#server = server;
		await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
		this.port = (server.address() as AddressInfo).port;
		this.#client = await this.#connect();
	}

	#connect(): Promise<MqttClient> {
		return connectAsync(`mqtt://127.0.0.1:${this.port}`);
	}

	async stop(): Promise<void> {
		await this.#client?.endAsync(true);
		await new Promise<void>((done) => this.#broker?.close(done) ?? done());
		await new Promise<void>(
			(done) => this.#server?.close(() => done()) ?? done(),
		);
	}

	async publish(topic: string, payload: string, retain = false): Promise<void> {
		await this.#client?.publishAsync(topic, payload, { retain });
	}

	/** The next message that somebody sends on a topic. */
	async next(topic: string): Promise<string> {
		const client = await this.#connect();
		const arrived = new Promise<string>((done) => {
			client.on("message", (_topic, payload, { retain }) => {
				if (!retain) done(payload.toString());
			});
		});
		await client.subscribeAsync(topic);
		return arrived.finally(() => client.endAsync(true));
	}

	/** What a program that connects now is told at once, by topic. */
	async retained(): Promise<Map<string, string>> {
		const client = await this.#connect();
		const found = new Map<string, string>();
		client.on("message", (topic, payload, { retain }) => {
			if (retain) found.set(topic, payload.toString());
		});
		await client.subscribeAsync("#");
		for (let before = -1; before !== found.size; ) {
			before = found.size;
			await new Promise((done) => setTimeout(done, 300));
		}
		await client.endAsync(true);
		return found;
	}

	/** The config node of Node-RED that leads here. */
	node(id: string, more: object = {}): object {
		return {
			id,
			type: "mqtt-broker",
			name: "",
			broker: "127.0.0.1",
			port: String(this.port),
			clientid: "",
			autoConnect: true,
			usetls: false,
			protocolVersion: "4",
			keepalive: "60",
			cleansession: true,
			autoUnsubscribe: true,
			birthTopic: "",
			closeTopic: "",
			willTopic: "",
			...more,
		};
	}
}

/** Waits until something holds, for ten seconds or as long as is said. */
export async function until(
	what: string,
	holds: () => boolean | Promise<boolean>,
	seconds = 10,
): Promise<void> {
	for (let turn = 0; turn < 100 * seconds; turn += 1) {
		if (await holds()) return;
		await new Promise((done) => setTimeout(done, 10));
	}
	throw new Error(`waited in vain: ${what}`);
}
