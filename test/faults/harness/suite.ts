import { HOUR } from "../../support/house";
import { isLong } from "../../support/long";
import { wireCases } from "../cases/wire";
import { clockJumps, hostClocks } from "./clock";
import { damagedBytes, diskErrors } from "./disk";
import { callFields, forecastFields } from "./fields";
import { lines } from "./lines";
import type { Attempt } from "./table";
import { survivesWire } from "./wire";
import { World } from "./world";

/** Bytes of the body that the wire cases spoil. */
async function bodySize(): Promise<number> {
	const world = await World.start();
	try {
		let size = 0;
		world.spoil({
			steps: ({ body }) => {
				size = body.length;
				return ["end"];
			},
		});
		await world.house.runFor(HOUR);
		return size;
	} finally {
		await world.close();
	}
}

async function* wire(hours: number): AsyncGenerator<Attempt> {
	for (const test of wireCases(await bodySize())) {
		const { kind, name, heavy = false } = test;
		yield { kind, name, heavy, run: () => survivesWire(test, hours) };
	}
}

/** A part of the suite: its attempts, and of how many the quick form takes one. */
interface Part {
	readonly attempts: () => AsyncIterable<Attempt> | Iterable<Attempt>;
	readonly every: number;
}

const PARTS: Readonly<Record<string, Part>> = {
	wire: { attempts: () => wire(isLong ? 3 : 1), every: 17 },
	proxies: { attempts: lines, every: 3 },
	clock: { attempts: clockJumps, every: 5 },
	"host's clock": { attempts: hostClocks, every: 1 },
	"disk that refuses": { attempts: diskErrors, every: 13 },
	"damaged files": { attempts: damagedBytes, every: 997 },
	"answers to calls": { attempts: callFields, every: 131 },
	"the forecast's fields": { attempts: forecastFields, every: 251 },
};

/**
 * What there is to try: all of it in the full form; in the quick one an even
 * selection, in which each kind of a part has at least its first.
 */
export async function* attemptsOf(part: string): AsyncGenerator<Attempt> {
	const { attempts, every } = PARTS[part] as Part;
	const kinds = new Set<string>();
	let count = 0;
	for await (const attempt of attempts()) {
		const isFirst = !kinds.has(attempt.kind) && !attempt.heavy;
		const isDue = isFirst || (count % every === 0 && !attempt.heavy);
		count += 1;
		if (isFirst) kinds.add(attempt.kind);
		if (isLong || isDue) yield attempt;
	}
}

export const PART_NAMES = Object.keys(PARTS);
