import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ExportMessage, openExporter } from "../../src/export";
import { exampleNodes } from "../support/example-flows";
import { ROOT } from "../support/node-red-process";
import { makeForecast } from "./forecasts";

const SENT = Date.parse("2026-07-01T10:00:00Z");
/** Ages of what a dead sender left, in ms, and whether a reader may show it as live. */
const AGES: readonly (readonly [number, boolean])[] = [
	[4 * 60_000, true],
	[2 * 3_600_000, false],
];

const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
const found = (text: string, pattern: RegExp): string =>
	pattern.exec(text)?.[1] ?? assert.fail(`no ${pattern}`);

/** What the export sent last before its end. */
function sent(format: "home-assistant" | "values"): ExportMessage[] {
	const { forecast, solar: facts } = makeForecast({
		zone: "Europe/Berlin",
		date: "2026-07-01",
		days: 2,
		peaks: [6000],
	});
	const options = { prefix: "homeassistant", language: "en", curveDays: null };
	const exporter = openExporter(format, options);
	return (exporter as any).update({ forecast, facts, nowMs: SENT });
}

/** The broker of the example with a number: what it says of a sender that is gone. */
function willOf(number: string) {
	const file = readdirSync(join(ROOT, "examples")).find((name) =>
		name.startsWith(number),
	) as string;
	const broker = exampleNodes(file).find(({ type }) => type === "mqtt-broker");
	const { willTopic, willPayload, willRetain, birthPayload } = broker as any;
	assert.equal(String(willRetain), "true");
	return { topic: willTopic, gone: willPayload, there: birthPayload };
}

/** A condition `… - … < seconds` of a template, at an age. */
const isYoung = (template: string, ageMs: number) =>
	ageMs / 1000 < Number(found(template, /< (\d+)/));

describe("two hours after a sender died no reader shows its values as live", () => {
	for (const [age, isLive] of AGES) {
		const when = `${age / 60_000} minutes`;

		it(`Home Assistant, ${when}`, () => {
			const [{ payload }] = sent("home-assistant") as [ExportMessage];
			const { components } = payload as any;
			const shown = Object.values<any>(components).filter(
				({ state_topic }) => state_topic,
			);
			assert.ok(shown.length > 20);
			for (const { availability, expire_after } of shown) {
				const [{ value_template }] = availability;
				assert.match(value_template, /now\(\).*value_json\.sent_at/);
				assert.equal(isYoung(value_template, age), isLive);
				assert.equal(age / 1000 < expire_after, isLive);
			}
		});

		it(`Home Assistant without a broker, ${when}`, () => {
			const yaml = read("docs/home-assistant/without-broker.yaml");
			const template = found(yaml, /availability: &alive "(.*)"/);
			assert.match(template, /now\(\).*'sent_at'/);
			assert.equal(isYoung(template, age), isLive);
			const count = (pattern: RegExp) => yaml.match(pattern)?.length;
			assert.equal(count(/unique_id:/g), count(/availability: [&*]alive/g));
		});

		for (const page of ["evcc-emhass-eos.md", "evcc-emhass-eos.de.md"]) {
			it(`ioBroker by ${page}, ${when}`, () => {
				const rule = found(
					read(`docs/${page}`),
					/`(Date\.parse\(getState.*?Date\.now\(\))`/,
				);
				const { payload } = sent("values").find(({ topic }) =>
					topic.endsWith("/valid_until"),
				) as ExportMessage;
				const clock = { parse: Date.parse, now: () => SENT + age };
				const states = (id: string) => {
					assert.match(id, /^mqtt\.0\.solar-yield\.site_barn\.valid_until$/);
					return { val: payload };
				};
				const judge = new Function("Date", "getState", `return ${rule}`);
				assert.equal(judge(clock, states), isLive);
			});
		}
	}

	for (const language of ["", ".de"]) {
		it(`Predbat by home-assistant${language}.md: gone with the broker's will, else after two hours`, () => {
			const yaml = found(
				read(`docs/home-assistant${language}.md`),
				/(state_topic: solar-yield\/site_barn\/solcast[\s\S]*?)```/,
			);
			const { topic, gone, there } = willOf("16");
			assert.equal(found(yaml, /availability_topic: (.*)/), topic);
			// What Home Assistant takes without being told.
			assert.deepEqual([gone, there], ["offline", "online"]);
			assert.ok(Number(found(yaml, /expire_after: (\d+)/)) <= 7200);
		});

		it(`openHAB by evcc-emhass-eos${language}.md: gone with the broker's will`, () => {
			const line = found(
				read(`docs/evcc-emhass-eos${language}.md`),
				/(availabilityTopic=.*)/,
			);
			const { topic, gone, there } = willOf("18");
			assert.equal(found(line, /availabilityTopic="(.*?)"/), topic);
			assert.equal(found(line, /payloadAvailable="(.*?)"/), there);
			assert.equal(found(line, /payloadNotAvailable="(.*?)"/), gone);
		});
	}
});
