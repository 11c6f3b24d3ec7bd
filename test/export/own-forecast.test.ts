import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { messagesAfter } from "../../nodes/export/answer";
import { openExporter, readExportOptions } from "../../src/export";
import { nowValues } from "../../src/forecast/now";
import { forecastFromInput } from "../../src/messages/input/forecast-input";
import { ROOT } from "../support/node-red-process";

const page = readFileSync(join(ROOT, "docs/own-forecast.md"), "utf8");
const block = (language: string): string =>
	new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(page)?.[1] ??
	assert.fail(language);

describe("docs: bring your own forecast", () => {
	it("the smallest message is a forecast, as an object and as text", () => {
		const text = block("json");
		for (const payload of [text, JSON.parse(text)]) {
			const { forecast, solar } = forecastFromInput({ payload });
			const [start] = forecast.values.starts as [number];
			assert.equal(start, Date.parse("2026-07-01T12:00:00+02:00"));
			assert.equal(nowValues(forecast, solar, start).power_now_w, 4310);
			const exporter = openExporter("evcc", readExportOptions("evcc", {}));
			const [message] = messagesAfter(exporter, { _msgid: "", payload }, start);
			assert.equal(message?.topic, "solar-yield/site/evcc");
		}
	});

	it("the function makes quarters of hours, with their energy", () => {
		const run = new Function("msg", block("js"));
		const hours = ["T12", "T13"].map((hour, index) => ({
			start: `2026-07-01${hour}:00:00+02:00`,
			watts: 4000 + index * 100,
		}));
		const { forecast } = forecastFromInput(run({ payload: hours }));
		const { starts, rows } = forecast.values;
		assert.equal(starts[0], Date.parse("2026-07-01T12:00:00+02:00"));
		const powers = rows.map(({ pv_power }) => pv_power);
		assert.deepEqual(
			powers,
			[4000, 4100].flatMap((w) => [w, w, w, w]),
		);
	});
});
