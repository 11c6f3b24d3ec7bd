import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import vm from "node:vm";
import { forecastStatus } from "../../nodes/forecast/status";
import { EDITOR_HEADER } from "../../nodes/shared/editor-header";
import { SetupError } from "../../nodes/shared/setup-error";
import { problemStatus } from "../../nodes/shared/status";
import { FORMAT_NAMES } from "../../src/export";
import type { QuotaFacts, SolarFacts } from "../../src/messages/facts";
import { REASONS } from "../../src/messages/reasons";
import type { RequestReason } from "../../src/polling/schedule/schedule";
import type { SourceSnapshot } from "../../src/polling/source/snapshots";
import { ForeignAnswerError } from "../../src/service/errors/first-contact";
import {
	type ErrorKind,
	SolarYieldError,
} from "../../src/service/errors/solar-yield-error";
import { GROUP_NAMES, GROUPS } from "../../src/service/v2/groups";
import type { SiteState } from "../../src/service/v2/sites/site";
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

const KINDS: Record<ErrorKind, true> = {
	AUTH: true,
	PLAN: true,
	NOT_FOUND: true,
	QUOTA: true,
	RATE: true,
	INPUT: true,
	SERVICE: true,
	NETWORK: true,
	TIMEOUT: true,
	RESPONSE: true,
};
const KIND_NAMES = Object.keys(KINDS) as ErrorKind[];

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
			note: textOf(/<span[^>]*>([\s\S]*?)<\/span>/.exec(term)?.[1] ?? ""),
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
	it("is there for all that package.json lists, config node first", () => {
		const types = listedTypes();
		assert.equal(types[0], ACCOUNT);
		const { "node-red": nodeRed } = JSON.parse(
			readFileSync(join(ROOT, "package.json"), "utf8"),
		);
		for (const type of types) {
			assert.equal(nodeRed.nodes[type], `dist/nodes/${type}.js`);
			const needed = [
				`${type}.js`,
				`${type}.html`,
				...LANGUAGES.flatMap((language) => [
					`locales/${language}/${type}.json`,
					`locales/${language}/${type}.html`,
				]),
			];
			for (const file of needed) {
				assert.ok(
					existsSync(join(NODES, file)),
					`dist/nodes/${file} is missing`,
				);
			}
		}
	});

	it("belongs to a node that package.json lists", () => {
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

	it("registers one literal type of its file's name", () => {
		assert.deepEqual(
			english().registered,
			files.map(({ type }) => ({ file: type, type })),
		);
	});

	// Node-RED loads the files of a package that was just installed in any order.
	it("is the same in whatever order the files are loaded", () => {
		const summary = (editor: Editor) =>
			editor.files
				.map(({ type, template }) => ({
					type,
					template,
					properties: Object.keys(editor.definition(type).defaults),
				}))
				.sort((one, other) => one.type.localeCompare(other.type));
		const usual = summary(english());
		for (const { template } of usual) assert.notEqual(template, "");
		for (let first = 0; first < files.length; first++) {
			const turned = new Editor("en-US", {
				load: (them) => [...them.slice(first), ...them.slice(0, first)],
			});
			assert.deepEqual(summary(turned), usual);
		}
		assert.deepEqual(
			summary(new Editor("en-US", { load: (them) => them.reverse() })),
			usual,
		);
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

/** Texts that are part of a line or a sentence, or are not of a dialog: they begin as they are. */
const INSIDE =
	/^(status|palette)\.|^common\.(quota|sites|strings\.wind)\.|\.(title|input|output|unit|adds|reason|state|format)(\.|$)|\.picture\.(none|window)$|\.hint\.(required|default)$/;
/** Names that are written small, also where a text begins. */
const SMALL = /^(solar-yield-|msg\.|https:|kWh\b|evcc\b)/;

/** What a number of a dialog may be counted in. */
const UNIT =
	/°|%|\b(W|kW|kWh|min)\b|\b(hours?|days?|requests|Stunden|Tage|Kurventage|Abfragen)\b/i;

/** The rules that each dialog keeps, whatever node it belongs to. */
function dialogRules(file: DialogFile): void {
	const { type, html, scripts, template, code } = file;
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

	it("names each field for who cannot see it", () => {
		const labelled = attribute(template, "for");
		for (const id of labelled) assert.ok(ids.includes(id), `label for ${id}`);
		const wrapped = [...template.matchAll(/<label[^>]*>([\s\S]*?)<\/label>/g)];
		for (const [label = "", inside = ""] of wrapped) {
			assert.ok(
				/^<label[^>]*\sfor="/.test(label) ||
					/<(input|select|textarea)/.test(inside),
				`a label is bound to nothing: ${label}`,
			);
		}
		const inLabels = wrapped.map(([, inside]) => inside).join();
		for (const [tag] of template.matchAll(
			/<(?:input|select|textarea)\b[^>]*>/g,
		)) {
			const [id] = attribute(tag, "id");
			assert.ok(
				(id !== undefined && labelled.includes(id)) || inLabels.includes(tag),
				`${tag} has no label`,
			);
		}
		for (const [button = "", inside = ""] of template.matchAll(
			/<button[^>]*>([\s\S]*?)<\/button>/g,
		)) {
			assert.match(button, /^<button type="button"/);
			assert.ok(
				/data-i18n/.test(inside) || /\[aria-label\]/.test(button),
				`${button} has no text`,
			);
		}
		for (const list of [
			...attribute(template, "aria-describedby"),
			...attribute(template, "aria-labelledby"),
		]) {
			for (const id of list.split(" ")) assert.ok(ids.includes(id), id);
		}
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

	it("asks by relative addresses only and loads nothing", () => {
		assert.doesNotMatch(html, /\s(src|href|action)=/);
		assert.doesNotMatch(html, /@import|url\(/);
		for (const [text = ""] of code.matchAll(/(["'`])(?:\\.|(?!\1)[^\\])*\1/g)) {
			assert.doesNotMatch(
				text,
				/^.(https?:|\/)/,
				"an address that is not relative",
			);
		}
	});

	it("has no colours but the theme's and the node's", () => {
		const rest = html.replace('color:"#FFCC66"', "");
		assert.doesNotMatch(rest, /#[0-9a-f]{3}([0-9a-f]{3})?(?![\w-])/i);
		assert.doesNotMatch(rest, /\b(rgba?|hsla?)\(/);
		for (const [, value = ""] of rest.matchAll(
			/[\s;{"](?:color|background(?:-color)?|fill|stroke|border-color):\s*([^;"\n}]+)/g,
		)) {
			assert.match(
				value,
				/^(var\(--red-ui-[\w-]+\)|currentColor|none|inherit)$/,
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
			// A learn node's status is named after the note.
			.concat("src/learn/notes.ts")
			.map((name) => readFileSync(join(ROOT, name), "utf8"))
			.join();
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

	it("writes sentences: a capital at the beginning, and names alone have others", () => {
		for (const language of LANGUAGES) {
			for (const [key, text] of catalogueOf(type, language)) {
				if (INSIDE.test(key) || SMALL.test(text)) continue;
				assert.doesNotMatch(text, /^\p{Ll}/u, `${key} in ${language}`);
			}
		}
		for (const [key, text] of catalogueOf(type, "en-US")) {
			if (!/\.(label|tab|group|strategy)\.\w+$/.test(key)) continue;
			const [, ...words] = text.split(" ");
			for (const word of words) {
				assert.match(word, /^(\P{Lu}|\p{Lu}+,?$)/u, `${key}: ${text}`);
			}
		}
	});

	it("tells the unit of every number", () => {
		for (const [tag] of template.matchAll(/<input\b[^>]*\sinputmode=[^>]*>/g)) {
			const [id = ""] = attribute(tag, "id");
			const name = id.split("-").at(-1);
			for (const language of LANGUAGES) {
				const editor = editorIn(language);
				const said = [...catalogueOf(type, language)]
					.filter(([key]) =>
						new RegExp(`\\.(label|hint)\\.${name}(_|$)`).test(key),
					)
					.map(([, text]) => text);
				assert.match(said.join(" "), UNIT, `${id} in ${editor.language}`);
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
					assert.equal(editor.validate(type, name, "${VARIABLE}"), true);
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

	it("keeps the credentials that the runtime keeps", () => {
		const kept: Record<string, { type?: string }> = {};
		const register = require(join(NODES, `${type}.js`)) as (
			RED: object,
		) => void;
		register({
			auth: { needsPermission: () => () => {} },
			httpAdmin: { get: () => {}, post: () => {} },
			events: { on: () => {} },
			nodes: {
				registerType(name: string, _node: unknown, options: any = {}) {
					assert.equal(name, type);
					Object.assign(kept, options.credentials);
				},
			},
		});
		const { credentials = {} } = definitionOf(type);
		assert.deepEqual(
			Object.entries(credentials).map(([name, { type }]) => [name, { type }]),
			Object.entries(kept),
		);
		for (const [name, { type: kind }] of Object.entries(kept)) {
			assert.equal(kind, "password", name);
			assert.match(
				template,
				new RegExp(`<input type="password" id="${prefix()}-${name}"`),
			);
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

/** One value, and what the editor says of it: true, or words in each language. */
type Case = [
	property: string,
	value: unknown,
	says: true | { en: RegExp; de: RegExp },
	/** The rest of the node, or with `fields` what stands in the open dialog. */
	given?: {
		node?: object;
		fields?: Record<string, string | boolean>;
		account?: object;
	},
];

function checkCases(type: string, cases: Case[]): void {
	for (const [property, value, says, given = {}] of cases) {
		for (const language of LANGUAGES) {
			const editor = editorIn(language);
			editor.fields = given.fields ?? {};
			if (given.account)
				editor.configNodes.set("account", { ...given.account });
			const said = editor.validate(type, property, value, given.node);
			const name = `${property} = ${JSON.stringify(value)} in ${language}`;
			if (says === true) assert.equal(said, true, name);
			else {
				assert.equal(typeof said, "string", name);
				assert.match(
					said as string,
					language === "de" ? says.de : says.en,
					name,
				);
				assert.match(said as string, /[:;] /, "says what to enter");
				// Node-RED shows it as HTML.
				if (typeof value === "string" && value.length > 3) {
					assert.ok(!(said as string).includes(value), name);
				}
			}
		}
	}
}

describe("the account's dialog", () => {
	it("keeps the key among the credentials", () => {
		assert.deepEqual(Object.keys(definitionOf(ACCOUNT).credentials ?? {}), [
			"apiKey",
		]);
	});

	it("says what is wrong with a value and what to enter", () => {
		const noAddress = {
			en: /^Base URL: .*https:\/\//,
			de: /^Basis-URL: .*https:\/\//,
		};
		const excess = { en: /address alone/, de: /nur die Adresse/ };
		const budget = {
			en: /^Budget: no whole number/,
			de: /^Budget: keine ganze Zahl/,
		};
		const reserve = { en: /^Reserve: no whole/, de: /^Reserve: keine ganze/ };
		const site = { en: /^Site: no id/, de: /^Anlage: keine Anlagen-ID/ };
		const key = {
			en: /^API key: holds blanks/,
			de: /^API-Schlüssel: enthält Leerzeichen/,
		};
		checkCases(ACCOUNT, [
			["baseUrl", "https://service.example", true],
			["baseUrl", " http://192.168.1.5:8080/v2/ ", true],
			["baseUrl", "", { en: /missing.*tick Demo/, de: /fehlt.*Demo/ }],
			["baseUrl", undefined, { en: /missing/, de: /fehlt/ }],
			["baseUrl", "service.example", noAddress],
			["baseUrl", "ftp://service.example", noAddress],
			["baseUrl", "<img src=x onerror=alert(1)>", noAddress],
			["baseUrl", "https://service example", noAddress],
			["baseUrl", "https://service.example/${PATH}", noAddress],
			["baseUrl", "https://user:word@service.example", excess],
			["baseUrl", "https://service.example/?key=1", excess],
			["baseUrl", "", true, { node: { demo: true } }],
			["baseUrl", "", true, { fields: { "node-config-input-demo": true } }],
			[
				"baseUrl",
				"",
				{ en: /missing/, de: /fehlt/ },
				{ node: { demo: true }, fields: { "node-config-input-demo": false } },
			],
			["apiKey", "abc-123", true],
			["apiKey", "__PWRD__", true],
			["apiKey", "", { en: /^API key: missing/, de: /^API-Schlüssel: fehlt/ }],
			["apiKey", "", true, { node: { demo: true } }],
			["apiKey", "abc 123", key],
			["apiKey", "schlüssel", key],
			["siteId", "", true],
			["siteId", "site_7f3a", true],
			// Whatever the service may give, and the runtime takes.
			["siteId", "my house/1", true],
			["siteId", "https://service.example/sites/1", site],
			["siteId", "..", site],
			["budget", "", true],
			["budget", undefined, true],
			["budget", "0", true],
			["budget", 500, true],
			["budget", "-1", budget],
			["budget", "1.5", budget],
			["budget", "many", budget],
			["reserve", "", true],
			["reserve", "20", true],
			["reserve", "5 %", reserve],
			["interval", "start", true],
			["interval", "middle", { en: /^Row time:/, de: /^Zeitstempel:/ }],
		]);
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
	it("needs an account, and has an output each for forecast, days and strings", () => {
		const { account } = definitionOf(FORECAST).defaults;
		assert.equal(account?.type, ACCOUNT);
		assert.equal(definitionOf(FORECAST).outputs, 3);
	});

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

	it("offers every group, and names what it adds in the help", () => {
		const file = files.find(({ type }) => type === FORECAST) as DialogFile;
		const offered = [
			...file.template.matchAll(/<input type="checkbox" value="(\w+)"/g),
		].map(([, group]) => group);
		assert.deepEqual(offered, GROUP_NAMES);
		for (const language of LANGUAGES) {
			const editor = editorIn(language);
			const explained = entries(helpOf(FORECAST, language), "group");
			assert.deepEqual(
				explained.map(({ key }) => key),
				GROUP_NAMES,
			);
			for (const { key, term, description } of explained) {
				assert.equal(term, editor.text(`${FORECAST}.group.${key}`, FORECAST));
				const { values, strings, daily } = GROUPS[key as keyof typeof GROUPS];
				const fields =
					key === "variability"
						? [...values, ...daily]
						: [...values, ...strings];
				for (const field of fields) {
					assert.match(
						description,
						new RegExp(`\\b${field}\\b`),
						`${key}: ${field}`,
					);
				}
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

	it("says what is wrong with a value and what to enter", () => {
		const system = (change: object = {}, string: object = {}) =>
			JSON.stringify({
				latitude: 50,
				longitude: 10,
				strings: [{ slope: 30, orientation: 180, power_kw: 10, ...string }],
				...change,
			});
		const inline = { node: { source: "inline" } };
		const at = (path: string) => {
			const pattern = new RegExp(
				`^System: ${path.replace(/[[\].]/g, "\\$&")} `,
			);
			return { en: pattern, de: pattern };
		};
		const noJson = { en: /^System: no JSON/, de: /^System: kein JSON/ };
		const noSite = { en: /^Site: missing/, de: /^Anlage: fehlt/ };
		const hours = { en: /^Ask every: .*744/, de: /^Abfrage alle: .*744/ };
		const ahead = {
			en: /^Days ahead: .*0 to 7/,
			de: /^Tage voraus: .*0 bis 7/,
		};
		const back = {
			en: /^Days back: .*0 to 30/,
			de: /^Tage zurück: .*0 bis 30/,
		};
		const show = {
			en: /^Show: .*at least one/,
			de: /^Zeigen: .*mindestens ein/,
		};
		const bare = {
			node: { account: "account" },
			account: { demo: false, siteId: "" },
		};
		checkCases(FORECAST, [
			["siteId", "site_7f3a", true],
			["siteId", "", noSite, bare],
			["siteId", "", true, { ...bare, account: { demo: true } }],
			["siteId", "", true, { ...bare, account: { siteId: "site_1" } }],
			["siteId", "", true, { ...bare, account: { siteId: "${SITE}" } }],
			// Without an account it is the account that is missing.
			["siteId", "", true],
			[
				"siteId",
				"",
				true,
				{ ...bare, fields: { "node-input-source": "inline" } },
			],
			[
				"siteId",
				"",
				noSite,
				{
					account: {},
					fields: {
						"node-input-account": "account",
						"node-input-source": "site",
					},
				},
			],
			["siteId", "my house/1", true],
			[
				"siteId",
				"https://service.example/sites/1",
				{ en: /^Site: no id/, de: /^Anlage: keine Anlagen-ID/ },
			],
			["source", "inline", true],
			["source", "v1", { en: /^Forecast of:/, de: /^Prognose für:/ }],
			["inline", "{", true],
			["inline", system(), true, inline],
			[
				"inline",
				system({ config: { tracking: { type: "fixed" } } }),
				true,
				inline,
			],
			["inline", "", { en: /^System: missing/, de: /^System: fehlt/ }, inline],
			["inline", "{latitude: 50}", noJson, inline],
			["inline", "[1]", noJson, inline],
			["inline", system({ latitude: 91 }), at("latitude"), inline],
			["inline", system({ longitude: "10" }), at("longitude"), inline],
			["inline", system({ strings: [] }), at("strings"), inline],
			["inline", system({ strings: [null] }), at("strings[0].slope"), inline],
			["inline", system({}, { slope: 100 }), at("strings[0].slope"), inline],
			[
				"inline",
				system({}, { orientation: -90 }),
				at("strings[0].orientation"),
				inline,
			],
			[
				"inline",
				system({}, { power_kw: 0 }),
				at("strings[0].power_kw"),
				inline,
			],
			["inline", system({}, { gcr: 2 }), at("strings[0].gcr"), inline],
			["inline", system({ config: 1 }), at("config"), inline],
			["inline", system({ config: null }), true, inline],
			["intervalHours", "", true, inline],
			["intervalHours", "1.5", true, inline],
			["intervalHours", "x", true],
			["intervalHours", "0.5", hours, inline],
			["intervalHours", "745", hours, inline],
			["intervalHours", "often", hours, inline],
			["include", ["default", "variability"], true],
			["include", ["all"], true],
			["include", "default, weather", true],
			["include", undefined, true],
			["include", [], show],
			["include", ["default", "wind"], show],
			["forecastDays", "", true],
			["forecastDays", "0", true],
			["forecastDays", 7, true],
			["forecastDays", "8", ahead],
			["forecastDays", "-1", ahead],
			["forecastDays", "two", ahead],
			["pastDays", "30", true],
			["pastDays", "", true],
			["pastDays", "31", back],
			["pastDays", "1.5", back],
			["timezone", "utc", true],
			["timezone", "Europe/Berlin", { en: /^Times in:/, de: /^Zeiten in:/ }],
			["poll", "manual", true],
			["poll", "hourly", { en: /^Ask:/, de: /^Abfragen:/ }],
			["topic", "", true],
			["topic", undefined, true],
			["topic", "home/solar", true],
			["topic", "home/+", { en: /^Topic:.*MQTT/, de: /^Topic:.*MQTT/ }],
			["topic", "home/#", { en: /^Topic:.*MQTT/, de: /^Topic:.*MQTT/ }],
		]);
	});

	it("names what flows through each port", () => {
		for (const language of LANGUAGES) {
			const editor = editorIn(language);
			const { inputLabels, outputLabels, paletteLabel } =
				editor.definition(FORECAST);
			const node = editor.node(FORECAST);
			const call = (hook: unknown, ...args: unknown[]) =>
				(hook as (...args: unknown[]) => string).call(node, ...args);
			const labels = [0, 1, 2].map((port) => call(outputLabels, port));
			for (const label of [...labels, call(inputLabels), call(paletteLabel)]) {
				assert.match(label, /^\p{L}/u);
				assert.doesNotMatch(label, /solar-yield-forecast/);
			}
			assert.equal(new Set(labels).size, 3);
		}
	});

	it("explains in its help every field of msg.solar and msg.quota", () => {
		const solar: Record<keyof SolarFacts, true> = {
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

	it("explains in its help every error, and what it is called", () => {
		for (const language of LANGUAGES) {
			const editor = editorIn(language);
			const explained = entries(helpOf(FORECAST, language), "code");
			assert.deepEqual(
				explained.map(({ key }) => key),
				KIND_NAMES,
			);
			for (const { key, term, note, description } of explained) {
				assert.equal(term, key);
				assert.equal(note, editor.text(`status.kind.${key}`, ACCOUNT));
				assert.notEqual(description, "");
			}
		}
	});

	it("says that past rows are no measurements and what a power is", () => {
		assert.match(
			textOf(helpOf(FORECAST, "en-US")),
			/archived forecast, never measure/,
		);
		assert.match(
			textOf(helpOf(FORECAST, "de")),
			/archivierte Prognose, niemals Messwerte/,
		);
		assert.match(
			textOf(helpOf(FORECAST, "en-US")),
			/mean over the 15 minutes that end/,
		);
		assert.match(
			textOf(helpOf(FORECAST, "de")),
			/Mittelwert der 15 Minuten, die mit/,
		);
	});
});

describe("the texts of statuses", () => {
	const HOUR = 3_600_000;
	const NOW = Date.UTC(2026, 10, 27, 12);
	const state = (reason: RequestReason, change: Partial<SourceSnapshot> = {}) =>
		({
			forecast: undefined,
			head: undefined,
			site: undefined,
			plan: { at: NOW + HOUR, reason, what: "forecast" },
			stale: false,
			failure: null,
			quota: null,
			own: 0,
			interval: "end",
			settled: [],
			asking: false,
			now: NOW,
			...change,
		}) as SourceSnapshot;

	/** All statuses a forecast node can show without a forecast, in a language. */
	function statuses(language: Language) {
		const editor = editorIn(language);
		const used = new Set<string>();
		const translate = (key: string, values?: Record<string, string>) => {
			used.add(key.split(":")[1] as string);
			return editor.text(key, ACCOUNT, values);
		};
		const site = (state: SiteState) =>
			({ state, timezone: "Europe/Berlin" }) as SourceSnapshot["site"];
		const failure = (kind: ErrorKind) =>
			({ kind, text: { key: "" } }) as SourceSnapshot["failure"];
		const texts = [
			...Object.keys(REASONS).flatMap((reason) =>
				KIND_NAMES.map(
					(kind) =>
						forecastStatus(
							state(reason as RequestReason, { failure: failure(kind) }),
							false,
							translate,
						).text,
				),
			),
			...[
				state("manual", {
					plan: { at: null, reason: "manual", what: "forecast" } as any,
				}),
				state("next_poll_at", { stale: true }),
				state("next_poll_at", { clockOffsetMs: HOUR }),
				state("next_poll_at", { clockOffsetMs: -HOUR }),
				state("site", { site: site("deleted") }),
				state("site", { site: site("inactive") }),
				state("first", { asking: true }),
				state("site", { site: { state: "deleted" } as any }),
				state("site", { site: { state: "inactive" } as any }),
			].map((each) => forecastStatus(each, false, translate).text),
			...[
				...KIND_NAMES.map((kind) => new SolarYieldError(kind, "")),
				...(
					["no_account", "account_disabled", "account", "no_site"] as const
				).map((setup) => new SetupError(setup, "")),
				new ForeignAnswerError({ key: "" }),
			].map((problem) => problemStatus(problem, translate).text),
		];
		// A status with a forecast says its energy as well, and what it lacks.
		used.add("status.today").add("status.awaited").add("status.language");
		return { texts, used };
	}

	it("are in all catalogues, filled, short and explained in the help", () => {
		for (const language of LANGUAGES) {
			const { texts, used } = statuses(language);
			for (const text of texts) {
				assert.doesNotMatch(text ?? "", /__|status\./, text);
				assert.ok((text ?? "").length <= 60, text);
			}
			const inCatalogue = [...catalogueOf(ACCOUNT, language).keys()].filter(
				(key) => key.startsWith("status."),
			);
			assert.deepEqual([...used].sort(), inCatalogue.sort());

			const explained = entries(helpOf(FORECAST, language), "status");
			assert.deepEqual(
				explained.map(({ key }) => `status.${key}`).sort(),
				inCatalogue
					.filter((key) => !/^status\.(kind\.|language$)/.test(key))
					.sort(),
			);
			for (const { key, term } of explained) {
				const text = catalogueOf(ACCOUNT, language).get(`status.${key}`) ?? "";
				const pattern = text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
				assert.match(
					term,
					new RegExp(`^${pattern.replace(/__\w+?__/g, ".+")}$`),
				);
			}
		}
	});
});
