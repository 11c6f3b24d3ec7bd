import assert from "node:assert/strict";
import { FORMAT_NAMES, FORMATS } from "../../src/export";
import { Editor } from "../support/editor-dialog";

const TYPE = "solar-yield-export";

const editor = new Editor("en-US");

describe("the export's dialog", () => {
	it("knows every option of every format, and takes its default and blank", () => {
		const { defaults } = editor.definition(TYPE);
		const validate = (property: string, value: unknown, node: object) =>
			editor.validate(TYPE, property, value, node);
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

	it("leaves the judgement to the runtime while the table is not there", () => {
		for (const settings of [null, {}]) {
			const without = new Editor("en-US", { settings });
			assert.equal(without.validate(TYPE, "format", "solar"), true);
			assert.equal(
				without.validate(TYPE, "step", "7", { format: "emhass" }),
				true,
			);
		}
	});
});
