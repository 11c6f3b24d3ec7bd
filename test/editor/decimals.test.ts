import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
	Editor,
	LANGUAGES,
	type Language,
	ROOT,
} from "../support/editor-dialog";

/** Opens a dialog, and gives what saving it would leave in its fields. */
async function opened(language: Language, type: string, given: object) {
	const editor = new Editor(language);
	editor.onAjax = () => ({ status: 404 });
	const page = editor.open(type, { id: "a", ...given });
	await page.settle();
	const field = (name: string) => page.element(`node-input-${name}`);
	const save = () => {
		const node = editor.node(type, given);
		(editor.definition(type).oneditsave as () => void).call(node);
		return node;
	};
	return { editor, page, field, save };
}

const WINDOW = "solar-yield-window";

describe("numbers with decimals in the dialogs", () => {
	it("are written as the editor's language does, and kept with a point", async () => {
		for (const [language, shown] of [
			["en-US", "0.25"],
			["de", "0,25"],
		] as const) {
			const { field, save } = await opened(language, WINDOW, {
				hours: "0.25",
				loadW: "2000",
			});
			assert.equal(field("hours").value, shown);
			assert.equal(field("loadW").value, "2000");
			save();
			assert.equal(field("hours").value, "0.25", "a look changes nothing");
		}
	});

	it("may be typed with a comma in each language, but not for thousands", async () => {
		for (const language of LANGUAGES) {
			const { editor, page, field, save } = await opened(language, WINDOW, {});
			for (const [typed, kept] of [
				["1,5", "1.5"],
				[" 2,25 ", "2.25"],
				["0,125", "0.125"],
				["3.5", "3.5"],
				["4", "4"],
				["${HOURS}", "${HOURS}"],
				["", ""],
			] as const) {
				await page.enter("node-input-hours", typed);
				save();
				assert.equal(field("hours").value, kept);
			}
			await page.enter("node-input-loadW", "1,000");
			const verdict = editor.validate(WINDOW, "loadW", "1,000");
			// In German it can only be 1; elsewhere it would be read as a thousand.
			assert.equal(verdict === true, language === "de");
		}
	});

	it("with a point and three digits are thousands of watts in German, and asked about elsewhere", async () => {
		const { editor, page, field, save } = await opened("de", WINDOW, {});
		for (const [typed, kept] of [
			["2.000", "2000"],
			[" 12.500 ", "12500"],
			["1.000.000", "1000000"],
			["2.5", "2.5"],
			["0.125", "0.125"],
			["2000.125", "2000.125"],
			["2,5", "2.5"],
		] as const) {
			await page.enter("node-input-loadW", typed);
			assert.equal(editor.validate(WINDOW, "loadW", typed), true, typed);
			save();
			assert.equal(field("loadW").value, kept);
		}
		await page.enter("node-input-hours", "2.000");
		assert.match(
			String(editor.validate(WINDOW, "hours", "2.000")),
			/^2\.000 kann 2 oder 2000 heißen; /,
		);
		assert.match(
			String(editor.validate(WINDOW, "hours", "1.250")),
			/^1\.250 kann 1,25 oder 1250 heißen; /,
		);
		assert.equal(editor.validate(WINDOW, "hours", "1.25"), true);
		// In a flow file a point is what it is.
		assert.equal(new Editor("de").validate(WINDOW, "hours", "2.000"), true);
		const english = await opened("en-US", WINDOW, {});
		await english.page.enter("node-input-loadW", "2.000");
		assert.equal(english.editor.validate(WINDOW, "loadW", "2.000"), true);
		english.save();
		assert.equal(english.field("loadW").value, "2.000");
	});

	it("are judged as they are typed, and in a flow file as the runtime reads them", async () => {
		const { editor } = await opened("de", WINDOW, {});
		assert.equal(editor.validate(WINDOW, "hours", "0,25"), true);
		assert.match(
			String(editor.validate(WINDOW, "hours", "0,2")),
			/0,25 bis 24/,
		);
		const closed = new Editor("de");
		assert.notEqual(closed.validate(WINDOW, "hours", "0,25"), true);
		assert.equal(closed.validate(WINDOW, "hours", "0.25"), true);
	});

	it("take a comma in every field for them", async () => {
		const fields = readdirSync(join(ROOT, "nodes")).flatMap((folder) => {
			const page = join(ROOT, "nodes", folder, "editor.html");
			// What an account's field needs of Node-RED is in the browser's tests.
			if (!existsSync(page) || folder === "forecast") return [];
			return [
				...readFileSync(page, "utf8").matchAll(
					/inputmode="decimal" id="node-input-(\w+)"/g,
				),
			].map(([, name = ""]) => ({ type: `solar-yield-${folder}`, name }));
		});
		assert.ok(fields.length >= 16, `${fields.length} fields`);
		for (const { type, name } of fields) {
			const { page, field, save } = await opened("de", type, {});
			await page.enter(`node-input-${name}`, "12,5");
			save();
			assert.equal(field(name).value, "12.5", `${type} ${name}`);
		}
	});
});
