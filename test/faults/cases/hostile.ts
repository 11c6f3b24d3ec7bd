import fc from "fast-check";

const thrower = (): never => {
	throw new TypeError("a getter of the message");
};
/** Throws what is no error, and what cannot even be shown. */
const weirdThrower = (): never => {
	throw Object.create(null);
};

function cyclic(): object {
	const it: Record<string, unknown> = { name: "cyclic" };
	it.list = [it];
	return it;
}

const withGetter = (name: string, get: () => never): object =>
	Object.defineProperty({ other: 1 }, name, { get, enumerable: true });

function deep(depth: number): unknown {
	let it: unknown = 1;
	for (let level = 0; level < depth; level += 1) it = { it };
	return it;
}

/** Values that no flow should send and some will; each is made anew. */
const SPECIAL: (() => unknown)[] = [
	...[undefined, null, "", " ", " 3 ", "1e3", "NaN", "null", "{}"],
	...['{"__proto__":{"polluted":1}}', "[".repeat(10_000), "${HOME}"],
	...["__proto__", "x".repeat(300_000), "\ud800", "../../etc/passwd"],
	...[Number.NaN, Number.POSITIVE_INFINITY, -0, -1e308, 2 ** 53, 10n ** 40n],
	Symbol("s"),
]
	.map((value) => () => value as unknown)
	.concat(
		() => () => 1,
		() => class Thing {},
		() => new Date(Number.NaN),
		() => new Map([["a", 1]]),
		() => Buffer.from([0xff, 0xfe, 0]),
		() => new Float64Array(8),
		() => new Array(1000),
		() => Array.from({ length: 20_000 }, (_, index) => index),
		() => [cyclic()],
		() => deep(20_000),
		() => Object.create(null),
		() => Object.freeze({ a: 1 }),
		() => JSON.parse('{"__proto__":{"polluted":1},"constructor":1}'),
		() => ({ values: [null] }),
		() => ({ values: [{ timestamp: "2026-06-10T10:00:00Z", pv_power: 1n }] }),
		() => ({ from: cyclic(), to: 8.64e15 }),
		() => ({ toString: thrower }),
		() => ({ toJSON: thrower }),
		() => ({ [Symbol.iterator]: thrower, length: -1 }),
		// biome-ignore lint/suspicious/noThenProperty: what looks like a promise is what is tried
		() => ({ then: thrower }),
		() => withGetter("values", thrower),
		() => withGetter("timestamp", weirdThrower),
		() => new Proxy({}, { get: thrower, has: thrower, ownKeys: thrower }),
		() => Object.assign(new Error("not thrown"), { cause: cyclic() }),
	);

type Make = () => unknown;

/** How a value is made: fast-check looks into values, and some of these throw. */
const special: fc.Arbitrary<Make> = fc.constantFrom(...SPECIAL);
const anything: fc.Arbitrary<Make> = fc
	.oneof(
		fc.anything({
			...{ withBigInt: true, withDate: true, withMap: true, maxDepth: 3 },
		}),
		fc.double(),
		fc.integer({ min: -3, max: 40 }).map(String),
	)
	.map((value) => () => value);

/** Values as a flow file may hold them. */
export const jsonValue: fc.Arbitrary<unknown> = fc
	.oneof({ arbitrary: special, weight: 3 }, anything)
	.map((make) => {
		try {
			return JSON.parse(JSON.stringify(make()) ?? "null");
		} catch {
			return null;
		}
	});

/**
 * Makes messages of properties, each with values that fit now and then, so that
 * others are reached; one of them may throw when it is read.
 */
export const messageOf = (
	properties: Readonly<Record<string, readonly unknown[]>>,
): fc.Arbitrary<() => Record<string, any>> =>
	fc
		.tuple(
			fc.record(
				Object.fromEntries(
					Object.entries(properties).map(([name, good]) => [
						name,
						fc.oneof(
							{ arbitrary: special, weight: 3 },
							anything,
							...good.map((value) => ({
								arbitrary: fc.constant((): unknown => value),
								weight: Math.ceil(6 / good.length),
							})),
						),
					]),
				),
				{ requiredKeys: [] },
			),
			fc.option(fc.constantFrom(...Object.keys(properties)), { freq: 12 }),
		)
		.map(([makes, secret]) => () => {
			const msg: Record<string, unknown> = {};
			for (const [name, make] of Object.entries(makes)) msg[name] = make?.();
			if (secret !== null) {
				Object.defineProperty(msg, secret, {
					...{ get: thrower, enumerable: true, configurable: true },
				});
			}
			return msg;
		});
