import assert from "node:assert/strict";
import { Editor, SHARED } from "../support/editor-dialog";

const MISSING = "API key: missing; enter the key of your account, or tick Demo";
const FORECAST = "solar-yield-forecast";

/** An editor whose server has accounts with keys, and knows names of sites. */
function editorWith(keys: string[], site_names: Record<string, string> = {}) {
	const editor = new Editor("en-US");
	const asked: string[] = [];
	editor.onAjax = (options) => {
		asked.push((options as { url: string }).url);
		return { status: 200, responseJSON: { keys, site_names } };
	};
	const key = (given: object) => editor.validate(SHARED, "name", "", given);
	return { editor, asked, key };
}

describe("an account that came without its key", () => {
	it("is told from others as soon as it is there, and so are the nodes that use it", async () => {
		const { editor, asked, key } = editorWith(["a"]);
		assert.deepEqual(asked, [], "without an account nothing is asked");
		assert.equal(key({ id: "b" }), true, "nothing is known yet");
		editor.configNodes.set("a", {});
		editor.configNodes.set("b", {});
		editor.placedNodes.push(
			{ id: "f", account: "b" },
			{ id: "other" },
			{ id: "g", account: "a" },
		);
		await editor.emit("nodes:add", { type: "debug" });
		assert.deepEqual(asked, []);
		await editor.emit("nodes:add", { type: SHARED });
		assert.deepEqual(asked, ["solar-yield/accounts"]);
		assert.equal(key({ id: "a" }), true);
		assert.equal(key({ id: "b" }), MISSING);
		// At once, for those that were there before the account, and with the answer.
		const judged = ["a", "b", "f", "g"];
		assert.deepEqual(editor.validated, [...judged, ...judged]);

		// One more that is imported needs no other question.
		await editor.emit("nodes:add", { type: SHARED });
		assert.equal(asked.length, 1);
		assert.equal(editor.validated.length, 12);
	});

	it("needs none for the demo, and none once it is entered", async () => {
		const { editor, key } = editorWith([]);
		await editor.emit("nodes:add", { type: SHARED });
		assert.equal(key({ id: "b", demo: true }), true);
		assert.equal(key({ id: "b", credentials: { apiKey: "sk-1" } }), true);
		assert.equal(key({ id: "b", credentials: { has_apiKey: true } }), true);
		assert.equal(key({ id: "b", credentials: { apiKey: "" } }), MISSING);
		assert.equal(key({ id: "b" }), MISSING);
	});

	it("is asked for anew after a deploy, which may have brought the key", async () => {
		const keys: string[] = [];
		const { editor, asked, key } = editorWith(keys);
		await editor.emit("nodes:add", { type: SHARED });
		assert.equal(key({ id: "b" }), MISSING);
		keys.push("b");
		await editor.emit("deploy");
		assert.equal(asked.length, 2);
		assert.equal(key({ id: "b" }), true);
	});

	it("is not found where the server may not say", async () => {
		const { editor, key } = editorWith([]);
		editor.onAjax = () => ({ status: 403 });
		editor.configNodes.set("b", {});
		editor.placedNodes.push({ id: "f", account: "b" });
		await editor.emit("nodes:add", { type: SHARED });
		assert.equal(key({ id: "b" }), true);
		assert.deepEqual(editor.validated, ["b", "f"]);
	});
});

describe("the label of a node", () => {
	const labelled = (editor: Editor, type: string, given: object) =>
		(editor.definition(type).label as () => string).call(
			editor.node(type, given) as never,
		);

	it("says which site it is about, by name where that is known", async () => {
		const { editor } = editorWith([], { site_barn: "Barn" });
		editor.configNodes.set("a", { siteId: "site_home" });
		editor.configNodes.set("demo", { siteId: "site_home", demo: true });
		const label = (given: object) => labelled(editor, FORECAST, given);
		assert.equal(
			label({ account: "a", siteId: "site_barn" }),
			"solar forecast site_barn",
		);
		await editor.emit("nodes:add", { type: SHARED });
		assert.equal(
			label({ account: "a", siteId: "site_barn" }),
			"solar forecast Barn",
		);
		// The account's own site, which nobody has named yet.
		assert.equal(label({ account: "a" }), "solar forecast site_home");
		assert.equal(label({ account: "a", name: "Mine" }), "Mine");
		for (const given of [
			{ account: "demo" },
			{ account: "" },
			{ account: "a", source: "inline" },
		]) {
			assert.equal(label(given), "solar forecast");
		}
	});

	it("does so in each node that is about one site", async () => {
		const { editor } = editorWith([], { site_barn: "Barn" });
		await editor.emit("nodes:add", { type: SHARED });
		const given = { siteId: "site_barn" };
		assert.match(labelled(editor, "solar-yield-history", given), / Barn$/);
		assert.match(labelled(editor, "solar-yield-site", given), / Barn$/);
		const operation = (operation: string) =>
			labelled(editor, "solar-yield-site", { ...given, operation });
		assert.match(operation("update"), / Barn$/);
		assert.doesNotMatch(operation("list"), /Barn/);
	});

	it("knows the sites that a dialog has listed, before any deploy", async () => {
		const { editor } = editorWith([]);
		editor.onAjax = (options) =>
			(options as { url: string }).url === "solar-yield/check"
				? {
						status: 200,
						responseJSON: {
							sites: [
								{
									site_id: "site_shed",
									name: "Shed",
									state: "active",
									strings: 1,
									power_kw: 1,
								},
							],
						},
					}
				: { status: 404 };
		const page = editor.open(SHARED, { id: "a", siteId: "" });
		await page.press("solar-yield-account-check");
		assert.equal(
			labelled(editor, FORECAST, { siteId: "site_shed" }),
			"solar forecast Shed",
		);
	});
});
