import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import vm from "node:vm";
import { EDITOR_HEADER } from "../../nodes/shared/editor-header";
import { FORMAT_NAMES } from "../../src/export";
import type { QuotaFacts, SolarFacts } from "../../src/messages/facts";
import { REASONS } from "../../src/messages/reasons";
import { GROUP_NAMES } from "../../src/service/v2/groups";
import {
	type Answer,
	catalogueOf,
	type DialogFile,
	dialogFiles,
	Editor,
	helpOf,
	LANGUAGES,
	type Language,
	listedTypes,
	NODES,
	ROOT,
	resolveText,
	SHARED,
	scriptsOf,
} from "../support/editor-dialog";
import * as ownNodes from "../support/own-nodes";

type Loose = any;

const ACCOUNT = "solar-yield-account";
const FORECAST = "solar-yield-forecast";
const EXPORT = "solar-yield-export";

const files = dialogFiles();
const editors = new Map<Language, Editor>();
/** The editor in a language, with no dialog open and no config node. */
function editorIn(language: Language): Editor {
	let editor = editors.get(language);
	if (!editor) {
		editor = new Editor(language);
		editors.set(language, editor);
	}
	editor.fields = {};
	editor.configNodes.clear();
	return editor;
}
const english = () => editorIn("en-US");
const definitionOf = (type: string) => english().definition(type);

/** Values of an attribute in an html text, in order. */
function attribute(html: string, name: string): string[] {
	return [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, "g"))].map(
		([, value = ""]) => value,
	);
}

const textOf = (html: string) =>
	html
		.replace(/<[^>]*>/g, "")
		.replace(/\s+/g, " ")
		.trim();

/** Entries of the help marked with `data-<mark>`: its value, its text, its description. */
function entries(help: string, mark: string) {
	const pattern = new RegExp(
		`<dt[^>]*\\sdata-${mark}="([^"]*)"[^>]*>([\\s\\S]*?)</dt>\\s*<dd>([\\s\\S]*?)</dd>`,
		"g",
	);
	return [...help.matchAll(pattern)].map(
		([, key = "", term = "", description = ""]) => ({
			key,
			term: textOf(term.replace(/<span[\s\S]*$/, "")),
			description: textOf(description),
		}),
	);
}

/** A reference to texts: one key, or all keys that begin so. */
interface Reference {
	readonly set: string;
	readonly key: string;
	readonly isPrefix: boolean;
}

/** Values among which each property has a wrong one. */
const WRONG = ["", "..", "-1", "1e9", "a b", "a/#", [], null];
/** Settings among which each property matters. */
const SETTINGS = [
	{},
	{ source: "inline" },
	{ endDate: "2026-11-28" },
	...FORMAT_NAMES.map((format) => ({ format })),
];

/** Keys of texts that a type's labels and validators look up. */
function keysLookedUp(type: string): Set<string> {
	const editor = english();
	const keys = new Set<string>();
	const node = (given: object = {}) => ({
		...editor.node(type, given),
		_: (key: string) => {
			keys.add(key);
			return key;
		},
	});
	const { paletteLabel, label, inputLabels, outputLabels, ...definition } =
		editor.definition(type) as Loose;
	const { inputs = 0, outputs = 0, defaults, credentials } = definition;
	for (const name of [paletteLabel, label]) name.call(node());
	for (let port = 0; port < inputs; port++) inputLabels.call(node(), port);
	for (let port = 0; port < outputs; port++) outputLabels.call(node(), port);
	const properties = Object.values({ ...defaults, ...credentials }) as Loose[];
	for (const { validate } of properties.filter((each) => each.validate)) {
		for (const settings of SETTINGS) {
			for (const value of WRONG) validate.call(node(settings), value, {});
		}
	}
	return keys;
}

/** Every text that a dialog's template and script name, or look up by convention. */
function references({ type, template, code }: DialogFile): Reference[] {
	const roots = (set: string) =>
		new Set([...catalogueOf(set, "en-US").keys()].map((k) => k.split(".")[0]));
	const own = roots(type);
	const shared = roots(SHARED);
	const found: Reference[] = [];
	const add = (name: string, isPrefix: boolean) => {
		const { set, key } = resolveText(name, type, "en-US");
		const root = key.split(".")[0];
		if (name.includes(":") || own.has(root)) found.push({ set, key, isPrefix });
		else if (shared.has(root)) found.push({ set: SHARED, key, isPrefix });
	};
	for (const key of keysLookedUp(type)) {
		add(key, false);
		// A validator that tells faults apart has a text for each.
		const [group] = /^.*\.invalid\.\w+\.(?=\w+$)/.exec(key) ?? [];
		if (group) add(group, true);
	}
	for (const value of attribute(template, "data-i18n")) {
		for (const part of value.split(";"))
			add(part.replace(/^\[.*\]/, ""), false);
	}
	const literal = /(["'`])((?:@?[\w/-]+:)?[\w-]+(?:\.[\w-]+)*\.?)(\1|\$\{)/g;
	for (const { index, 2: name = "", 3: end } of code.matchAll(literal)) {
		if (!name.includes(".") || name.endsWith(".svg")) continue;
		const isPrefix = end === "${" && name.endsWith(".");
		// What the dialogs share looks texts up in the shared catalogue.
		if (/\bsay\d*\(\s*$/.test(code.slice(0, index))) {
			found.push({ set: SHARED, key: name, isPrefix });
			continue;
		}
		// Without a namespace `RED._` looks in the editor's own catalogue.
		const isEditors =
			!name.includes(":") && /RED\._\(\s*$/.test(code.slice(0, index));
		add(isEditors ? `editor:${name}` : name, isPrefix);
	}
	return found;
}

describe("the editor's side of every node", () => {
	it("belongs to a node that package.json lists, the account first", () => {
		assert.equal(listedTypes()[0], ACCOUNT);
		assert.deepEqual(
			files.map(({ type }) => type).sort(),
			[...listedTypes()].sort(),
		);
		const languages = readdirSync(join(NODES, "locales")).sort();
		assert.deepEqual(languages, [...LANGUAGES].sort());
		for (const language of languages) {
			const texts = readdirSync(join(NODES, "locales", language));
			for (const file of texts) {
				assert.ok(listedTypes().includes(file.replace(/\.\w+$/, "")), file);
			}
		}
	});

	// A person can switch off the others in the palette manager, the account as well.
	it("needs no other file", () => {
		for (const { type } of files) {
			const alone = new Editor("en-US", {
				load: (them) => them.filter((file) => file.type === type),
			});
			assert.deepEqual(alone.registered, [{ file: type, type }]);
			const judged = Object.entries(alone.definition(type).defaults).filter(
				([, { validate }]) => validate,
			);
			assert.ok(judged.length > 0);
			for (const [name, { value }] of judged) {
				const says = english().validate(type, name, value);
				assert.deepEqual(alone.validate(type, name, value), says);
			}
		}
	});

	for (const file of files) describe(file.type, () => dialogRules(file));
});

/** The rules that each dialog keeps, whatever node it belongs to. */
function dialogRules(file: DialogFile): void {
	const { type, scripts, template, code } = file;
	const prefix = () =>
		definitionOf(type).category === "config"
			? "node-config-input"
			: "node-input";
	const properties = () => [
		...Object.keys(definitionOf(type).defaults),
		...Object.keys(definitionOf(type).credentials ?? {}),
	];
	const ids = attribute(template, "id");

	it("has the parts that Node-RED and its flow library look for", () => {
		assert.deepEqual(
			scripts.map(({ attributes }) => attributes.trim()),
			[
				`type="text/html" data-template-name="${type}"`,
				'type="text/javascript"',
			],
		);
		// The flow library reads the definition without running it.
		const [before, definition = "", ...more] = code.split(
			`RED.nodes.registerType("${type}",{`,
		);
		assert.deepEqual([before?.includes("registerType("), more], [false, []]);
		assert.match(definition, /\bdefaults:\{/);
		const { category, color, icon, inputs, outputs, defaults } =
			definitionOf(type);
		for (const [name, value] of Object.entries({
			category,
			color,
			icon,
			inputs,
			outputs,
		})) {
			if (value === undefined) continue;
			assert.ok(
				definition.includes(`${name}:${JSON.stringify(value)},`),
				`${name} is no literal`,
			);
		}
		assert.equal(color, "#FFCC66");
		if (category !== "config") {
			assert.equal(category, "solar yield");
			assert.equal(inputs, 1);
			assert.ok(outputs !== undefined && outputs > 0);
			assert.ok(icon && existsSync(join(ROOT, "icons", icon)), icon);
		}
		for (const name of Object.keys(defaults)) {
			assert.ok(name.length > 1, name);
			assert.ok(
				!["id", "type", "wires", "inputs", "outputs"].includes(name),
				name,
			);
		}
		assert.doesNotThrow(() => new vm.Script(code));
	});

	it("has a field for each property, and no other field", () => {
		for (const property of properties()) {
			assert.ok(
				ids.includes(`${prefix()}-${property}`) ||
					// Fields that the script reads and writes itself.
					ids.includes(`${type}-${property}`),
				`no field for ${property}`,
			);
		}
		for (const id of ids) {
			const property = id.replace(`${prefix()}-`, "");
			assert.ok(
				id.startsWith(`${type}-`) || properties().includes(property),
				`${id} belongs to no property`,
			);
		}
		assert.deepEqual(ids, [...new Set(ids)]);
	});

	it("has what it writes later read aloud", () => {
		const described = attribute(template, "aria-describedby").join(" ");
		for (const [empty = "", , attributes = ""] of template.matchAll(
			/<(span|div)\b([^>]*)><\/\1>/g,
		)) {
			const [id] = attribute(attributes, "id");
			if (id === undefined || /\sdata-i18n=/.test(attributes)) continue;
			assert.ok(
				/\s(role="(status|alert)"|aria-live="polite")/.test(attributes) ||
					described.split(" ").includes(id) ||
					// The text of a tick box, or filled once before anything is read.
					new RegExp(`<label[^>]*>[^\\n]*id="${id}"`).test(template) ||
					/form-tips|<div id="[\w-]*-(params|form)">/.test(empty),
				`${empty} is written unheard`,
			);
		}
	});

	it("takes every text from the catalogues, and these hold no other", () => {
		const visible = template
			.replace(/\splaceholder='[^']*'/g, "")
			.replace(/<[^>]*>/g, "")
			// Numbers with units are the same in all languages.
			.replace(/\b\d+ (min|h|W|kW)\b/g, "");
		assert.doesNotMatch(visible, /\p{L}/u, "a text that is not translated");
		for (const language of LANGUAGES) {
			for (const { set, key, isPrefix } of references(file)) {
				const name = `${set}:${key} in ${language}`;
				if (!isPrefix) {
					const { text } = resolveText(`${set}:${key}`, type, language);
					assert.ok(text, `${name} is missing`);
				} else {
					const keys = [...catalogueOf(set, language).keys()];
					assert.ok(
						keys.some((each) => each.startsWith(key)),
						`${name}* is missing`,
					);
				}
			}
		}
		const users = type === SHARED ? files : [file];
		const used = users.flatMap(references).filter(({ set }) => set === type);
		const runtime = readdirSync(join(ROOT, "nodes"), {
			recursive: true,
			encoding: "utf8",
		})
			.filter((name) => name.endsWith(".ts"))
			.map((name) => join("nodes", name))
			// Statuses are named after notes, modes and reasons, with "_" for "-".
			.concat(
				"src/learn/notes.ts",
				"src/battery/payload.ts",
				"src/battery/release.ts",
			)
			.map((name) => readFileSync(join(ROOT, name), "utf8"))
			.join()
			.replaceAll("-", "_");
		for (const key of catalogueOf(type, "en-US").keys()) {
			const isUsed =
				used.some((it) =>
					it.isPrefix ? key.startsWith(it.key) : key === it.key,
				) ||
				key === "palette.label.solar_yield" ||
				// Statuses are looked up by the runtime.
				(key.startsWith("status.") &&
					new RegExp(`\\b${key.split(".").at(-1)}\\b`).test(runtime));
			assert.ok(isUsed, `${key} is not used`);
		}
		assert.ok(catalogueOf(type, "en-US").has("palette.label.solar_yield"));
	});

	it("says the same in all languages", () => {
		const shape = (language: Language) =>
			[...catalogueOf(type, language)].map(
				([key, text]) => `${key} ${text.match(/__\w+?__/g)?.sort() ?? ""}`,
			);
		for (const language of LANGUAGES) {
			assert.deepEqual(shape(language), shape("en-US"), language);
			for (const [key, text] of catalogueOf(type, language)) {
				assert.equal(text, text.trim(), key);
				assert.notEqual(text, "", key);
			}
		}
	});

	it("validates with two arguments, and finds its own defaults in order", () => {
		for (const language of LANGUAGES) {
			const editor = editorIn(language);
			const { defaults, credentials = {} } = editor.definition(type);
			for (const [name, definition] of Object.entries({
				...defaults,
				...credentials,
			})) {
				if (definition.validate) {
					assert.equal(definition.validate.length, 2, name);
				}
				if (definition.type && name in defaults) {
					assert.equal(definition.required, true, name);
					assert.equal(
						definition.label,
						editor.text(`${type}.label.${name}`, type),
					);
				}
			}
		}
	});

	it("explains each property in the help of each language, and nothing else", () => {
		for (const language of LANGUAGES) {
			const editor = editorIn(language);
			const help = helpOf(type, language);
			const [script, ...others] = scriptsOf(help);
			assert.equal(others.length, 0);
			assert.equal(
				script?.attributes.trim(),
				`type="text/html" data-help-name="${type}"`,
			);
			assert.match(help, /^<script[^>]*>\s*<p>/, "begins with a paragraph");
			const explained = entries(help, "property");
			assert.deepEqual(
				explained.map(({ key }) => key).sort(),
				properties().sort(),
			);
			for (const { key, term, description } of explained) {
				const label = new RegExp(
					`<label[^>]*for="${prefix()}-${key}"[^>]*>[\\s\\S]*?data-i18n="([^"]*)"`,
				).exec(template)?.[1];
				const name = label ?? `${type}.label.${key}`;
				assert.equal(term, editor.text(name, type), `${key} in ${language}`);
				assert.notEqual(description, "", key);
			}
		}
	});

	it("explains every status in the words of the status, and names examples that there are", () => {
		const there = readdirSync(join(ROOT, "examples")).map((name) =>
			name.replace(/^\d+ - |\.json$/g, ""),
		);
		// Statuses of forecast nodes stand in the catalogue that all share.
		const set = type === FORECAST ? SHARED : type;
		for (const language of LANGUAGES) {
			const help = helpOf(type, language);
			const known = [...catalogueOf(set, language)].filter(
				([key]) => type !== SHARED && /^status\.(?!kind\.|language$)/.test(key),
			);
			const explained = new Map(
				entries(help, "status").map(({ key, term }) => [`status.${key}`, term]),
			);
			assert.deepEqual(
				[...explained.keys()].sort(),
				known.map(([key]) => key).sort(),
			);
			for (const [key, text] of known) {
				const words = text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
				assert.match(
					explained.get(key) ?? "",
					new RegExp(`^${words.replace(/__\w+?__/g, ".+")}$`),
				);
			}
			const [, list] =
				/<li>(?:Examples?|Beispiele?): Import, \w+, (.*?)<\/li>/.exec(help) ??
				[];
			assert.equal(list === undefined, type === SHARED);
			for (const name of list?.split("; ") ?? []) {
				assert.ok(there.includes(name), name);
			}
		}
	});

	it("has the same help in all languages", () => {
		const shape = (language: Language) => {
			const help = helpOf(type, language);
			return {
				elements: help.match(/<(h3|h4|dt|dd|ol|li|p)\b/g),
				marks: help.match(/\sdata-(?!help)[\w-]+="[^"]*"/g),
				optional: help.match(/<dt class="optional"/g)?.length,
				code: help.match(/<code>[\w.${}]+<\/code>/g)?.sort(),
			};
		};
		for (const language of LANGUAGES) {
			assert.deepEqual(shape(language), shape("en-US"), language);
			assert.doesNotMatch(helpOf(type, language), /<(b|i|strong|em)>/);
		}
	});
}

describe("the editor's icons", () => {
	it("are white drawings of 40 by 60", () => {
		for (const name of readdirSync(join(ROOT, "icons"))) {
			const svg = readFileSync(join(ROOT, "icons", name), "utf8");
			assert.match(name, /^solar-yield-[\w-]+\.svg$/);
			assert.match(svg, /^<svg [^>]*viewBox="0 0 40 60"/, name);
			const colours = svg.match(/(?:fill|stroke)="[^"]*"/g) ?? [];
			for (const colour of colours) assert.match(colour, /"(#fff|none)"/, name);
		}
	});
});

/** What the tests' nodes hold that a new one does not: what is needed, and what makes a test short. */
const ENTERED: Record<string, readonly string[]> = {
	"solar-yield-battery": [
		...["capacityKwh", "maxChargeW", "maxDischargeW", "efficiency"],
	],
	"solar-yield-history": ["period"],
	"solar-yield-site": ["system"],
};

describe("a new node", () => {
	for (const [name, make] of Object.entries(ownNodes)) {
		it(`has the properties that flow files hold: ${name}`, () => {
			const { id: _id, type, ...flow } = make() as Loose;
			const entered = [...(ENTERED[type] ?? []), "account", "z", "wires"];
			const bare = (node: object) =>
				Object.fromEntries(
					Object.entries(node).filter(([name]) => !entered.includes(name)),
				);
			const { defaults } = definitionOf(type);
			const fresh = Object.entries(defaults).map(([name, { value }]) => [
				name,
				structuredClone(value),
			]);
			assert.deepEqual(bare(Object.fromEntries(fresh)), bare(flow));
			assert.equal("account" in defaults, "account" in flow);
		});
	}
});

describe("the account's dialog", () => {
	it("keeps the key among the credentials", () => {
		for (const { type, template } of files) {
			const credentials = Object.keys(definitionOf(type).credentials ?? {});
			assert.deepEqual(credentials, type === ACCOUNT ? ["apiKey"] : []);
			const passwords = template.match(/type="password" id="[\w-]*-apiKey"/g);
			assert.equal(passwords?.length ?? 0, credentials.length);
		}
	});

	it("gives all dialogs one way to ask, and words for why there is no answer", async () => {
		const opened = async (language: Language, answer: Answer) => {
			const editor = new Editor(language);
			const asked: object[] = [];
			editor.onAjax = (options) => {
				asked.push(options);
				return answer;
			};
			const page = editor.open(ACCOUNT, { id: "a/b", baseUrl: "service" });
			await page.settle();
			return { asked, page };
		};
		const { asked, page } = await opened("en-US", {
			status: 200,
			responseJSON: { sites: [] },
		});
		await page.press(`${ACCOUNT}-check`);
		assert.deepEqual(structuredClone(asked), [
			{
				method: "GET",
				url: "solar-yield/account/a%2Fb",
				dataType: "json",
				headers: { [EDITOR_HEADER]: "en-US" },
			},
			{
				method: "POST",
				url: "solar-yield/check",
				dataType: "json",
				headers: { [EDITOR_HEADER]: "en-US" },
				contentType: "application/json",
				data: '{"id":"a/b","demo":false,"baseUrl":"service","apiKey":"__PWRD__"}',
			},
		]);
		const refused = { code: "SOLAR_YIELD_AUTH", message: "Wrong; correct it" };
		const answers: [answer: Answer, en: RegExp, de: RegExp][] = [
			[
				{ status: 400, responseJSON: refused },
				/^Wrong; correct it$/,
				/^Wrong; correct it$/,
			],
			[
				{ status: 401 },
				/may not.*write permission/,
				/erlaubt das nicht.*Schreibrecht/,
			],
			[{ status: 403 }, /may not/, /erlaubt das nicht/],
			[{ status: 404 }, /^Deploy first/, /^Übernehmen Sie zuerst/],
			[{ status: 0 }, /Node-RED does not answer/, /Node-RED antwortet nicht/],
			[{ status: 500 }, /status 500/, /Status 500/],
			[{ status: 400 }, /status 400/, /Status 400/],
		];
		for (const [answer, en, de] of answers) {
			for (const language of LANGUAGES) {
				const { page } = await opened(language, answer);
				assert.match(
					page.element(`${ACCOUNT}-usage`).shown,
					language === "de" ? de : en,
				);
			}
		}
	});

	it("is labelled by name, demo or address, and never blank", () => {
		const label = (given: object) => {
			const node = english().node(ACCOUNT, given);
			return (definitionOf(ACCOUNT).label as () => string).call(node as never);
		};
		assert.equal(label({ name: "Home", demo: true }), "Home");
		assert.equal(label({ demo: true }), "Solar Yield demo");
		assert.equal(
			label({ baseUrl: "https://service.example" }),
			"service.example",
		);
		assert.equal(label({}), "solar account");
		assert.equal(
			label({ baseUrl: undefined, name: undefined }),
			"solar account",
		);
	});
});

describe("the forecast's dialog", () => {
	it("takes the account that there is when it is placed, where there is but one", () => {
		const cases: [accounts: Record<string, object>, given: string, string][] = [
			[{}, "", ""],
			[{ one: {} }, "", "one"],
			[{ one: { demo: true } }, "", "one"],
			[{ one: {}, demo: { demo: true } }, "", "one"],
			[{ one: {}, two: {} }, "", ""],
			[{ one: {} }, "two", "two"],
			[{ broker: { type: "mqtt-broker" } }, "", ""],
		];
		for (const [accounts, given, taken] of cases) {
			const editor = english();
			for (const [id, account] of Object.entries(accounts)) {
				editor.configNodes.set(id, { ...account });
			}
			const node = editor.node(FORECAST, { account: given });
			(editor.definition(FORECAST) as Loose).onadd.call(node);
			assert.equal((node as Loose).account, taken);
		}
	});

	it("offers every group, and explains it in the help", () => {
		const file = files.find(({ type }) => type === FORECAST) as DialogFile;
		const offered = [
			...file.template.matchAll(/<input type="checkbox" value="(\w+)"/g),
		].map(([, group]) => group);
		assert.deepEqual(offered, GROUP_NAMES);
		for (const language of LANGUAGES) {
			const explained = entries(helpOf(FORECAST, language), "group");
			assert.deepEqual(
				explained.map(({ key }) => key),
				GROUP_NAMES,
			);
		}
	});

	it("explains in the export's help every format", () => {
		for (const language of LANGUAGES) {
			const help = textOf(helpOf(EXPORT, language));
			for (const name of FORMAT_NAMES) {
				const title = editorIn(language).text(
					`${EXPORT}.format.${name}`,
					EXPORT,
				);
				assert.ok(help.includes(title), `${title} in ${language}`);
			}
		}
	});

	it("knows every reason for the next request", () => {
		for (const language of LANGUAGES) {
			const known = [...catalogueOf(FORECAST, language).keys()]
				.filter((key) => key.startsWith(`${FORECAST}.reason.`))
				.map((key) => key.split(".").at(-1));
			assert.deepEqual(known.sort(), Object.keys(REASONS).sort());
		}
	});

	it("explains in its help every field of msg.solar and msg.quota", () => {
		const solar: Record<
			Exclude<keyof SolarFacts, "ac_limit_w" | "above_limit">,
			true
		> = {
			site_id: true,
			site_name: true,
			timezone: true,
			latitude: true,
			longitude: true,
			demo: true,
			interval: true,
			interval_minutes: true,
			computed_at: true,
			next_poll_at: true,
			next_request_at: true,
			reason: true,
			fetched_at: true,
			cached: true,
			stale: true,
			clock_offset_s: true,
			missing: true,
			gaps: true,
			band_until: true,
			settled: true,
			strings: true,
		};
		const quota: Record<keyof QuotaFacts, true> = {
			limit: true,
			unmetered: true,
			used: true,
			remaining: true,
			reset: true,
			as_of: true,
			own: true,
			projected: true,
			pace: true,
		};
		for (const language of LANGUAGES) {
			for (const [mark, fields] of Object.entries({ solar, quota })) {
				const explained = entries(helpOf(FORECAST, language), mark);
				assert.deepEqual(
					explained.map(({ key }) => key),
					Object.keys(fields),
				);
				for (const { key, term, description } of explained) {
					assert.equal(term, key);
					assert.notEqual(description, "");
				}
			}
		}
	});
});
