import {
	type AddressInfo,
	createServer,
	type Server,
	type Socket,
} from "node:net";

const READ = 3;
const READ_INPUT = 4;
const WRITE_ONE = 6;
const WRITE = 16;

/** A device that speaks Modbus TCP, as an inverter does; its input and holding registers are the same. */
export class ModbusDevice {
	/** By address on the wire, which counts from 0. */
	readonly registers: Map<number, number>;
	/** First register of each write, the latest last. */
	readonly written: number[] = [];
	readonly #unit: number;
	readonly #server: Server;
	readonly #sockets = new Set<Socket>();

	/** @param unit what it answers to; another unit gets no answer */
	constructor(unit: number, registers: Record<number, number> = {}) {
		this.#unit = unit;
		this.registers = new Map(
			Object.entries(registers).map(([at, value]) => [Number(at), value]),
		);
		this.#server = createServer((socket) => {
			this.#sockets.add(socket);
			let rest = Buffer.alloc(0);
			socket.on("error", () => {});
			socket.on("data", (chunk) => {
				rest = Buffer.concat([rest, chunk]);
				while (rest.length >= 6 && rest.length >= 6 + rest.readUInt16BE(4)) {
					const end = 6 + rest.readUInt16BE(4);
					const answer = this.#answer(rest.subarray(0, end));
					if (answer) socket.write(answer);
					rest = rest.subarray(end);
				}
			});
		});
	}

	get port(): number {
		return (this.#server.address() as AddressInfo).port;
	}

	async start(port = 0): Promise<void> {
		await new Promise<void>((done) =>
			this.#server.listen(port, "127.0.0.1", done),
		);
	}

	async stop(): Promise<void> {
		for (const socket of this.#sockets) socket.destroy();
		await new Promise((done) => this.#server.close(done));
	}

	/** Registers as a number: high word first, or the low one first. */
	number(address: number, type: "s16" | "u16" | "u32" | "f32 low first") {
		const [one = 0, two = 0] = [0, 1].map(
			(more) => this.registers.get(address + more) ?? 0,
		);
		const bytes = Buffer.alloc(4);
		const isLowFirst = type === "f32 low first";
		bytes.writeUInt16BE(isLowFirst ? two : one, 0);
		bytes.writeUInt16BE(isLowFirst ? one : two, 2);
		if (isLowFirst) return bytes.readFloatBE();
		if (type === "u32") return bytes.readUInt32BE();
		return type === "s16" ? bytes.readInt16BE() : bytes.readUInt16BE();
	}

	#answer(request: Buffer): Buffer | undefined {
		if (request[6] !== this.#unit) return undefined;
		const code = request[7] as number;
		const address = request.readUInt16BE(8);
		const body = this.#act(code, address, request);
		const header = Buffer.from(request.subarray(0, 7));
		header.writeUInt16BE(2 + body.length, 4);
		const isKnown = [READ, READ_INPUT, WRITE_ONE, WRITE].includes(code);
		return Buffer.concat([
			header,
			Buffer.of(isKnown ? code : code | 0x80),
			body,
		]);
	}

	#act(code: number, address: number, request: Buffer): Buffer {
		if (code === READ || code === READ_INPUT) {
			const words = Buffer.alloc(2 * request.readUInt16BE(10));
			for (let at = 0; at < words.length; at += 2) {
				words.writeUInt16BE(this.registers.get(address + at / 2) ?? 0, at);
			}
			return Buffer.concat([Buffer.of(words.length), words]);
		}
		if (code !== WRITE && code !== WRITE_ONE) return Buffer.of(1);
		const words = request.subarray(code === WRITE ? 13 : 10);
		for (let at = 0; at < words.length; at += 2) {
			this.registers.set(address + at / 2, words.readUInt16BE(at));
		}
		this.written.push(address);
		return request.subarray(8, 12);
	}
}
