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
	get texts(): string[] {
		return this.of("text").map(({ textContent }) => textContent);
	}
}

describe("pictures in dialogs", () => {
	const globals = globalThis as Record<string, any>;
	const say = (key: string, values = {}) => {
		const name = key.split(".").at(-1);
		return [name, ...Object.values(values)].join(" ");
	};
	before(() => {
		globals.document = {
			createElementNS: (_space: string, name: string) => new Shape(name),
		};
		globals.RED = { i18n: { lang: () => "en-US" }, _: say };
	});
	after(() => {
		delete globals.document;
		delete globals.RED;
	});

	const map = (
		...points: [azimuth: number, height: number, factor: number][]
	) => {
		const svg = new Shape("svg");
		// Drawn again, it does not pile up.
		for (let time = 0; time < 2; time += 1) {
			drawMap(
				svg,
				points.map(([azimuth, elevation, factor]) => ({
					...{ azimuth, elevation, factor, days: 12 },
				})),
				{ _: say },
			);
		}
		return svg;
	};

	it("of what was learned: a field for each place of the sun, the deeper the further from 1", () => {
		const svg = map([90, 6, 0.4], [180, 60, 1], [270, 0, 1.25]);
		assert.deepEqual(
			svg
				.of("rect")
				.map(({ attributes }) => [
					attributes.class,
					attributes["fill-opacity"],
					Number(attributes.x) >= 28 && Number(attributes.y) >= 5,
				]),
			[
				["solar-yield-less", "1.00", true],
				["solar-yield-more", "0.00", true],
				["solar-yield-more", "0.50", true],
			],
		);
		const directions = (shown: Shape) =>
			["north", "east", "south", "west"].filter((it) =>
				shown.texts.some((text) => text.startsWith(it)),
			);
		assert.deepEqual(directions(svg), ["east", "south", "west"]);
		// South of the equator it looks north.
		const other = map([80, 9, 0.8], [350, 60, 0.9], [290, 9, 0.7]);
		assert.deepEqual(directions(other), ["north", "east", "west"]);
		const [east = 0, north = 0, west = 0] = other
			.of("rect")
			.map(({ attributes }) => Number(attributes.x));
		assert.ok(west < north && north < east);
		assert.deepEqual(map().children, []);
	});

	it("of prices: a bar for each, down below 0, and the least and most of each day", () => {
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
		const bars = [...path.matchAll(/M\S+ (\S+?)V(\S+?)H/g)];
		assert.deepEqual(
			bars.flatMap(([, zero, end], hour) =>
				Number(end) > Number(zero) ? [hour] : [],
			),
			[3],
		);
		assert.equal(bars.length, 30);
		const hours = ["06:00", "12:00", "18:00"];
		const days = ["today -0.1 0.34", "tomorrow 0.35 0.39"];
		assert.deepEqual(svg.texts, [...days, ...hours, ...hours]);
		assert.equal(svg.attributes["aria-label"], days.join("; "));
	});
});
