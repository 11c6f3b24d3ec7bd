import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import vm from "node:vm";
import { formatTable } from "../../nodes/export/format-table";
import { FORMAT_NAMES, FORMATS } from "../../src/export";
import { Editor, NODES, scriptsOf } from "../support/editor-dialog";

type Loose = any;

const TYPE = "solar-yield-export";

/** The node's definition, in an editor that has the table of formats or does not. */
function definition(settings: object | null): Loose {
	const code = scriptsOf(readFileSync(join(NODES, `${TYPE}.html`), "utf8")).at(
		-1,
	)?.text;
	let found: Loose;
	const { shared } = new Editor("en-US");
	vm.runInNewContext(code ?? "", {
		RED: {
			settings,
			nodes: {
				registerType(_type: string, definition: Loose) {
					found = definition;
				},
			},
		},
		$: () => ({ length: 0, text() {} }),
		window: { solarYield: shared },
	});
	return found;
}

const TABLE = { solarYieldExportFormats: formatTable() };
const words = new Editor("en-US");

/** What the editor says of a value. */
function validate(
	property: string,
	value: unknown,
	node: object,
	settings: object | null = TABLE,
): unknown {
	const self = {
		...node,
		[property]: value,
		_: (key: string, values?: Record<string, unknown>) =>
			words.text(key, TYPE, values),
	};
	return definition(settings).defaults[property].validate.call(self, value, {});
}

describe("the export's dialog", () => {
	it("knows every option of every format, and takes its default and blank", () => {
		const { defaults } = definition(TABLE);
		for (const format of FORMAT_NAMES) {
			assert.equal(validate("format", format, {}), true);
			for (const option of FORMATS[format].options) {
				assert.ok(option.name in defaults, option.name);
				assert.equal(validate(option.name, "", { format }), true);
				assert.equal(validate(option.name, option.default, { format }), true);
			}
		}
		const names = FORMAT_NAMES.flatMap((format) =>
			FORMATS[format].options.map(({ name }) => name),
		);
		assert.deepEqual(
			Object.keys(defaults).sort(),
			[...new Set(["name", "format", ...names])].sort(),
		);
	});

	it("says what is wrong with a value where the format has the option", () => {
		for (const [format, property, value, says] of [
			["solar", "format", "solar", /^Format: unknown; /],
			["home-assistant", "prefix", "a/#", /^Prefix: .*without \+/],
			["evcc", "value", "watts", /^Value: unknown; /],
			["emhass", "shape", "attribute", /^Shape: unknown; /],
			["emhass", "step", "7", /^Step: unknown; /],
			["solcast", "step", "60", /^Step: unknown; /],
			["emhass", "hours", "0", /^Hours: .* from 1 to 192$/],
			["emhass", "hours", "1.5", /^Hours: /],
			["influxdb", "measurement", "a b", /^Measurement: /],
			["influxdb", "past", "maybe", /^Past: /],
			["apexcharts", "days", "9", /^Days: .* from 1 to 8$/],
		] as const) {
			assert.match(
				String(validate(property, value, { format })),
				says,
				`${property} ${value}`,
			);
			if (property !== "format") {
				assert.equal(validate(property, value, { format: "csv" }), true);
			}
		}
	});

	it("leaves the judgement to the runtime while the table is not there", () => {
		for (const settings of [null, {}]) {
			assert.equal(validate("format", "solar", {}, settings), true);
			assert.equal(validate("step", "7", { format: "emhass" }, settings), true);
		}
	});
});
