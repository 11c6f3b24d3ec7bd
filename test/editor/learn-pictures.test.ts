import assert from "node:assert/strict";
import { HOUR_MS } from "../../src/util/time";

// Without their types, which are a browser's.
const { drawMap } = require("../../nodes/learn/editor/map");
const { drawPrices } = require("../../nodes/shared/editor/prices");

/** An element of a drawing, as far as the pictures use one. */
class Shape {
	readonly attributes: Record<string, string> = {};
	children: Shape[] = [];
	textContent = "";
	readonly namespaceURI = "svg";
	constructor(readonly name: string) {}
	setAttribute(key: string, value: string): void {
		this.attributes[key] = value;
	}
	append(child: Shape): void {
		this.children.push(child);
	}
	replaceChildren(): void {
		this.children = [];
	}
	of(name: string): Shape[] {
		return this.children.filter((child) => child.name === name);
	}
}

describe("the picture of a learn node's dialog", () => {
	const globals = globalThis as Record<string, any>;
	before(() => {
		globals.document = {
			createElementNS: (_space: string, name: string) => new Shape(name),
		};
		globals.RED = { i18n: { lang: () => "en-US" } };
	});
	after(() => {
		delete globals.document;
		delete globals.RED;
	});
	const node: any = {
		_: (key: string, values?: object) =>
			`${key} ${JSON.stringify(values ?? "")}`,
	};
	const numbers = (shape: Shape, ...keys: string[]) =>
		keys.map((key) => Number(shape.attributes[key]));

	it("map: a field for each place of the sun, the deeper the further from 1", () => {
		const svg = new Shape("svg");
		const points = [
			{ azimuth: 90, elevation: 6, factor: 0.4, days: 12 },
			{ azimuth: 180, elevation: 60, factor: 1, days: 30.5 },
			{ azimuth: 270, elevation: 0, factor: 1.25, days: 2 },
		];
		// Drawn again, it does not pile up.
		for (let time = 0; time < 2; time += 1) {
			drawMap(svg, points, node);
		}
		const fields = svg.of("rect");
		assert.deepEqual(
			fields.map(({ attributes }) => [
				attributes.class,
				attributes["fill-opacity"],
			]),
			[
				["solar-yield-less", "1.00"],
				["solar-yield-more", "0.00"],
				["solar-yield-more", "0.50"],
			],
		);
		for (const field of fields) {
			const [x, y, width, height] = numbers(field, "x", "y", "width", "height");
			assert.ok(
				(x as number) >= 28 && (x as number) + (width as number) <= 397,
			);
			assert.ok(
				(y as number) >= 5 && (y as number) + (height as number) <= 129,
				`${y} ${height}`,
			);
			assert.ok((width as number) > 0 && (height as number) > 0);
		}
		const [east, south] = fields as [Shape, Shape];
		assert.ok(Number(east.attributes.y) > Number(south.attributes.y));
		assert.match(
			east.of("title")[0]?.textContent ?? "",
			/map\.cell .*"azimuth":"90".*"percent":"40","days":"12"/,
		);
		const labels = svg.of("text").map(({ textContent }) => textContent);
		for (const direction of ["east", "south", "west"]) {
			assert.ok(labels.some((label) => label.includes(`map.${direction}`)));
		}
		assert.ok(!labels.some((label) => label.includes("map.north")));
		assert.match(
			svg.attributes["aria-label"] as string,
			/"least":"40","most":"125"/,
		);
	});

	it("map: south of the equator it looks north", () => {
		const svg = new Shape("svg");
		const points = [
			{ azimuth: 80, elevation: 9, factor: 0.8, days: 3 },
			{ azimuth: 350, elevation: 60, factor: 0.9, days: 3 },
			{ azimuth: 290, elevation: 9, factor: 0.7, days: 3 },
		];
		drawMap(svg, points, node);
		const [east, north, west] = svg
			.of("rect")
			.map((field) => Number(field.attributes.x)) as [number, number, number];
		assert.ok(west < north && north < east);
		const labels = svg.of("text").map(({ textContent }) => textContent);
		assert.ok(labels.some((label) => label.includes("map.north")));
		assert.ok(!labels.some((label) => label.includes("map.south")));
	});

	it("map: nothing where nothing was learned", () => {
		const svg = new Shape("svg");
		drawMap(svg, [], node);
		assert.deepEqual(svg.children, []);
	});
});

describe("the picture of prices", () => {
	const globals = globalThis as Record<string, any>;
	before(() => {
		globals.document = {
			createElementNS: (_space: string, name: string) => new Shape(name),
		};
		globals.RED = {
			i18n: { lang: () => "en-US" },
			_: (key: string, { least, most }: Record<string, string>) =>
				`${key.split(".").at(-1)} ${least} to ${most}`,
		};
	});
	after(() => {
		delete globals.document;
		delete globals.RED;
	});

	it("has a bar for each, down below 0, and says the least and most of each day", () => {
		const svg = new Shape("svg");
		// The day on which autumn's hour comes twice.
		const midnights = ["24T22", "25T23", "26T23"].map((hour) =>
			Date.parse(`2026-10-${hour}:00Z`),
		);
		const [begin = 0] = midnights;
		const rows = Array.from({ length: 30 }, (_, hour) => [
			begin + hour * HOUR_MS,
			begin + (hour + 1) * HOUR_MS,
			hour === 3 ? -0.1 : 0.1 + hour / 100,
		]);
		drawPrices(svg, { timezone: "Europe/Berlin", midnights, rows });
		const path = svg.of("path")[0]?.attributes.d ?? "";
		const bars = [...path.matchAll(/M\S+ (\S+?)V(\S+?)H/g)].map(
			([, zero, end]) => ({ zero: Number(zero), end: Number(end) }),
		);
		assert.equal(bars.length, 30);
		for (const [hour, { zero, end }] of bars.entries()) {
			assert.equal(zero, bars[0]?.zero);
			assert.equal(end > zero, hour === 3, `${hour}`);
			assert.ok(end >= 18 && end <= 96 && Math.abs(end - zero) > 5, `${hour}`);
		}
		const texts = svg.of("text").map(({ textContent }) => textContent);
		const hours = ["06:00", "12:00", "18:00"];
		assert.deepEqual(texts, [
			"today -0.1 to 0.34",
			"tomorrow 0.35 to 0.39",
			...hours,
			...hours,
		]);
		assert.equal(
			svg.attributes["aria-label"],
			"today -0.1 to 0.34; tomorrow 0.35 to 0.39",
		);
	});
});
