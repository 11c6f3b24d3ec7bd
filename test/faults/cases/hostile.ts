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
	it.self = it;
	it.list = [it];
	return it;
}

const withGetter = (name: string, get: () => never): object =>
	Object.defineProperty({ other: 1 }, name, { get, enumerable: true });

const trapped = (get: () => never): object =>
	new Proxy(
		{},
		{
			get,
			has: get,
			ownKeys: get,
			getPrototypeOf: get,
			getOwnPropertyDescriptor: get,
		},
	);

function deep(depth: number): unknown {
	let it: unknown = 1;
	for (let level = 0; level < depth; level += 1) it = { it };
	return it;
}

/** Values that no flow should send and some will; each is made anew. */
const SPECIAL: readonly (() => unknown)[] = [
	() => undefined,
	() => null,
	() => "",
	() => " ",
	() => "12",
	() => " 3 ",
	() => "1e3",
	() => "-0",
	() => "NaN",
	() => "null",
	() => "{}",
	() => '{"__proto__":{"polluted":1}}',
	() => "[".repeat(10_000),
	() => `{"values":${"[".repeat(5_000)}${"]".repeat(5_000)}}`,
	() => "${HOME}",
	() => "__proto__",
	() => "x".repeat(300_000),
	() => "\ud800",
	() => "../../etc/passwd",
	() => "a?b#c/d+e f",
	() => Number.NaN,
	() => Number.POSITIVE_INFINITY,
	() => -0,
	() => 1e308,
	() => -1e308,
	() => 2 ** 53,
	() => 10n ** 40n,
	() => Symbol("s"),
	() => Symbol.iterator,
	() => () => 1,
	() => class Thing {},
	() => async () => {},
	() => new Date(Number.NaN),
	() => new Date(8.64e15),
	() => /x/,
	() => new Map([["a", 1]]),
	() => new Set([1]),
	() => new WeakMap(),
	() => Buffer.from("{}"),
	() => Buffer.from([0xff, 0xfe, 0]),
	() => new Float64Array(8),
	() => new Array(1000),
	() => Array.from({ length: 20_000 }, (_, index) => index),
	() => Array.from({ length: 2_000 }, () => ({ timestamp: "x" })),
	() => cyclic(),
	() => [cyclic()],
	() => deep(20_000),
	() => Object.create(null),
	() => Object.freeze({ a: 1 }),
	() => JSON.parse('{"__proto__":{"polluted":1},"constructor":1}'),
	() => ({ values: null }),
	() => ({ values: [] }),
	() => ({ values: [null] }),
	() => ({ values: [{ timestamp: "2026-06-10T10:00:00Z", pv_power: 1n }] }),
	() => ({ from: 0, to: 8.64e15 }),
	() => ({ from: cyclic(), to: Symbol("to") }),
	() => ({ toString: thrower }),
	() => ({ valueOf: thrower, toString: () => "5" }),
	() => ({ toJSON: thrower }),
	() => ({ [Symbol.toPrimitive]: thrower }),
	() => ({ [Symbol.iterator]: thrower, length: 3 }),
	// biome-ignore lint/suspicious/noThenProperty: what looks like a promise is what is tried
	() => ({ then: thrower }),
	// biome-ignore lint/suspicious/noThenProperty: and one that ends
	() => ({ then: (done: (value: unknown) => void) => done(1) }),
	() => ({ length: -1 }),
	() => withGetter("values", thrower),
	() => withGetter("from", thrower),
	() => withGetter("timestamp", weirdThrower),
	() => withGetter("site_id", thrower),
	() => trapped(thrower),
	() => trapped(weirdThrower),
	() => Object.assign(new Error("not thrown"), { cause: cyclic() }),
];

/** How a value is made: recipes can be printed and shrunk, what they make often cannot. */
type Recipe =
	| { readonly special: number }
	| { readonly good: number }
	| { readonly value: unknown };

function make(recipe: Recipe, good: readonly unknown[]): unknown {
	if ("special" in recipe) return SPECIAL[recipe.special]?.();
	return "good" in recipe ? good[recipe.good] : recipe.value;
}

const special = fc
	.nat(SPECIAL.length - 1)
	.map((at): Recipe => ({ special: at }));
const anything = fc
	.oneof(
		fc.anything({
			withBigInt: true,
			withDate: true,
			withMap: true,
			withNullPrototype: true,
			withTypedArray: true,
			withSparseArray: true,
			maxDepth: 3,
		}),
		fc.double(),
		fc.integer({ min: -3, max: 40 }).map(String),
	)
	.map((value): Recipe => ({ value }));

/** Values as a flow file may hold them. */
export const jsonValue: fc.Arbitrary<unknown> = fc
	.oneof({ arbitrary: special, weight: 3 }, { arbitrary: anything, weight: 1 })
	.map((recipe) => {
		try {
			return JSON.parse(JSON.stringify(make(recipe, [])) ?? "null");
		} catch {
			return null;
		}
	});

/** What to make a message of. */
interface MessageRecipe {
	readonly values: Readonly<Record<string, Recipe>>;
	/** A property that throws when it is read. */
	readonly secret: string | null;
	/** Whether it throws what is no error. */
	readonly isWeird: boolean;
}

/** The names of properties, each with values that fit now and then, so that others are reached. */
type Properties = Readonly<Record<string, readonly unknown[]>>;

export const messageRecipe = (
	properties: Properties,
): fc.Arbitrary<MessageRecipe> =>
	fc.record({
		values: fc.record(
			Object.fromEntries(
				Object.entries(properties).map(([name, good]) => [
					name,
					fc.oneof(
						{ arbitrary: special, weight: 3 },
						{ arbitrary: anything, weight: 1 },
						...(good.length === 0
							? []
							: [
									{
										arbitrary: fc
											.nat(good.length - 1)
											.map((at): Recipe => ({ good: at })),
										weight: 6,
									},
								]),
					),
				]),
			),
			{ requiredKeys: [] },
		) as fc.Arbitrary<Record<string, Recipe>>,
		secret: fc.option(fc.constantFrom(...Object.keys(properties)), {
			freq: 12,
		}),
		isWeird: fc.boolean(),
	});

/** Makes the message of a recipe. */
export function messageOf(
	{ values, secret, isWeird }: MessageRecipe,
	properties: Properties,
): Record<string, any> {
	const msg: Record<string, unknown> = Object.fromEntries(
		Object.entries(values).map(([name, recipe]) => [
			name,
			make(recipe, properties[name] ?? []),
		]),
	);
	if (secret !== null) {
		Object.defineProperty(msg, secret, {
			get: isWeird ? weirdThrower : thrower,
			enumerable: true,
			configurable: true,
		});
	}
	return msg;
}
