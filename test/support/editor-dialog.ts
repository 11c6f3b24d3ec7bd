import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import vm from "node:vm";
import { formatTable } from "../../nodes/export/answer";
import type { Language } from "../../src/util/language";
import { Page, type PageElement } from "./dialog-page";

export { LANGUAGES, type Language } from "../../src/util/language";

/**
 * The editor's side of all nodes without a browser: the scripts of `dist/nodes/*.html`
 * run with a stand-in for Node-RED's editor that keeps what they register and
 * looks texts up in the catalogues.
 */

export const ROOT = join(__dirname, "../..");
export const NODES = join(ROOT, "dist/nodes");
export const MODULE = "@solar-yield/node-red-solar-yield";
/** The type whose catalogue holds what all nodes share. */
export const SHARED = "solar-yield-account";

interface PropertyDefinition {
	readonly value?: unknown;
	readonly type?: string;
	readonly label?: string;
	readonly required?: boolean;
	readonly validate?: (value: unknown, options: object) => unknown;
}

/** What a script hands to `RED.nodes.registerType`. */
interface Definition {
	readonly category: string;
	readonly color: string;
	readonly icon?: string;
	readonly inputs?: number;
	readonly outputs?: number;
	readonly defaults: Record<string, PropertyDefinition>;
	readonly credentials?: Record<string, PropertyDefinition>;
	readonly [hook: string]: unknown;
}

interface Part {
	/** Of a `<script>`: its attributes as written. */
	readonly attributes: string;
	readonly text: string;
}

/** One html file, taken apart. */
export interface DialogFile {
	/** File name without `.html`, which is the node's type. */
	readonly type: string;
	readonly html: string;
	readonly scripts: readonly Part[];
	/** The dialog's form. */
	readonly template: string;
	/** The code that registers the type. */
	readonly code: string;
}

const read = (...path: string[]) => readFileSync(join(...path), "utf8");

/** `<script>` elements of an html text. */
export function scriptsOf(html: string): Part[] {
	return [...html.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)].map(
		([, attributes = "", text = ""]) => ({ attributes, text }),
	);
}

/** The nodes that package.json lists, in its order. */
export function listedTypes(): string[] {
	const { "node-red": nodeRed } = JSON.parse(read(ROOT, "package.json"));
	return Object.keys(nodeRed.nodes);
}

/** Whether the node for V1 is there: once V1 has ended, its folder and its line can go. */
export const hasV1 = listedTypes().includes("solar-yield-v1");

/** All html files in `dist/nodes/`, listed ones first and in package.json's order. */
export function dialogFiles(): DialogFile[] {
	const found = readdirSync(NODES)
		.filter((name) => name.endsWith(".html"))
		.map((name) => name.slice(0, -".html".length));
	const types = new Set([
		...listedTypes().filter((type) => found.includes(type)),
		...found,
	]);
	return [...types].map((type) => {
		const html = read(NODES, `${type}.html`);
		const scripts = scriptsOf(html);
		const textOf = (mark: string) =>
			scripts.find(({ attributes }) => attributes.includes(mark))?.text ?? "";
		return {
			type,
			html,
			scripts,
			template: textOf("data-template-name"),
			code: textOf("text/javascript"),
		};
	});
}

/** Leaves of a catalogue: dotted key and text. */
type Catalogue = ReadonlyMap<string, string>;

function leaves(tree: object, prefix = ""): [string, string][] {
	return Object.entries(tree).flatMap(([key, value]) =>
		typeof value === "object"
			? leaves(value, `${prefix}${key}.`)
			: [[prefix + key, value] as [string, string]],
	);
}

const catalogues = new Map<string, Catalogue>();

function catalogueAt(file: string): Catalogue {
	let catalogue = catalogues.get(file);
	if (!catalogue) {
		catalogue = new Map(leaves(JSON.parse(readFileSync(file, "utf8"))));
		catalogues.set(file, catalogue);
	}
	return catalogue;
}

export function catalogueOf(type: string, language: Language): Catalogue {
	return catalogueAt(join(NODES, "locales", language, `${type}.json`));
}

/** The help text of a node, as html. */
export function helpOf(type: string, language: Language): string {
	return read(NODES, "locales", language, `${type}.html`);
}

/** Node-RED's own catalogues, whose labels dialogs borrow: namespace to package and file. */
const CORE: Record<string, [module: string, file: string]> = {
	"node-red": ["@node-red/nodes", "messages.json"],
	editor: ["@node-red/editor-client", "editor.json"],
};

/** A file of one of Node-RED's own packages. */
function coreFile(module: string, ...path: string[]): string {
	const found = require.resolve(`${module}/package.json`, {
		paths: [require.resolve("node-red")],
	});
	return join(found, "..", ...path);
}

const coreCatalogue = (
	[module, file]: [module: string, file: string],
	language: Language,
): Catalogue => catalogueAt(coreFile(module, "locales", language, file));

/** Node-RED's own judgement of a property, as its editor makes it. */
type ValidateProperty = (
	node: object,
	definition: object,
	property: string,
	value: unknown,
) => unknown;

let judgement: string | undefined;
/** The function of Node-RED's editor that runs validators, as its code. */
function judgementCode(): string {
	if (!judgement) {
		const editor = read(
			coreFile("@node-red/editor-client", "public/red/red.js"),
		);
		judgement = /^ {4}function validateNodeProperty\([\s\S]*?^ {4}\}$/m.exec(
			editor,
		)?.[0];
		if (!judgement) throw new Error("Node-RED's editor validates otherwise");
	}
	return judgement;
}

/** The catalogue and key that a text's key names; `type` is whose dialog it is in. */
export function resolveText(
	key: string,
	type: string,
	language: Language,
): { set: string; key: string; text: string | undefined } {
	const [namespace, path] = key.includes(":")
		? (key.split(":") as [string, string])
		: [`${MODULE}/${type}`, key];
	const set = namespace.replace(`${MODULE}/`, "");
	const core = CORE[set];
	const exists = existsSync(join(NODES, "locales", language, `${set}.json`));
	const catalogue = core
		? coreCatalogue(core, language)
		: exists
			? catalogueOf(set, language)
			: undefined;
	return { set, key: path, text: catalogue?.get(path) };
}

/** Replaces `__name__` as Node-RED does. */
function fill(text: string, values: Record<string, unknown> = {}): string {
	return text.replace(/__(\w+?)__/g, (mark, name: string) =>
		name in values ? String(values[name]) : mark,
	);
}

/** What stands in the fields of an open dialog, by id. */
type Fields = Record<string, string | boolean>;

/** What Node-RED's server says to a dialog. */
export interface Answer {
	readonly status: number;
	readonly responseJSON?: unknown;
}

/** The editor's clock stands still: of its own day dialogs say no date. */
class EditorDate extends Date {
	static override now(): number {
		return Date.parse("2026-11-28T12:00:00Z");
	}
}

/** The editor in one language. */
export class Editor {
	readonly files: readonly DialogFile[];
	readonly definitions = new Map<string, Definition>();
	/** Types in the order and the file they were registered in. */
	readonly registered: { file: string; type: string }[] = [];
	/** Config nodes by id, for validators that look at them. */
	readonly configNodes = new Map<string, Record<string, unknown>>();
	/** Nodes on the workspace. */
	readonly placedNodes: { readonly id: string; readonly account?: string }[] =
		[];
	/** Ids of nodes that a script has had judged anew, in order. */
	readonly validated: string[] = [];
	readonly #listeners: {
		readonly event: string;
		readonly call: (of: object) => void;
	}[] = [];
	/** The open dialog; empty when none is. */
	fields: Fields = {};
	/** Answers what dialogs ask of Node-RED's server. */
	onAjax: (options: object) => Answer | Promise<Answer> = () => ({ status: 0 });
	/** The page of the open dialog, where its script runs on one; see `open`. */
	#page: Page | undefined;
	readonly #validateProperty: ValidateProperty;

	/**
	 * `load` gives the files that Node-RED loads, in its order; `settings` is what
	 * the runtime hands to the editor.
	 */
	constructor(
		readonly language: Language,
		{
			load = (files) => files,
			settings = { solarYieldExportFormats: formatTable() },
		}: {
			readonly load?: (files: DialogFile[]) => DialogFile[];
			readonly settings?: object | null;
		} = {},
	) {
		let loading = "";
		const RED = {
			// Without a namespace a key is one of the editor's own.
			_: (key: string, values?: Record<string, unknown>) =>
				this.text(key.includes(":") ? key : `editor:${key}`, SHARED, values),
			nodes: {
				getType: (type: string) => this.definitions.get(type),
				registerType: (type: string, definition: Definition) => {
					this.registered.push({ file: loading, type });
					this.definitions.set(type, definition);
				},
				node: (id: string) => this.configNodes.get(id) ?? null,
				eachConfig: (call: (node: object) => boolean) => {
					for (const [id, node] of this.configNodes) {
						if (!call({ id, type: SHARED, ...node })) break;
					}
				},
				eachNode: (call: (node: object) => void) => {
					for (const node of this.placedNodes) call(node);
				},
			},
			events: {
				on: (event: string, call: (of: object) => void) => {
					this.#listeners.push({ event, call });
				},
			},
			editor: {
				validateNode: (node: { id: string }) => this.validated.push(node.id),
			},
			view: { redraw: () => {} },
			tabs: {
				create: () => ({ addTab() {}, activateTab() {}, resize() {} }),
			},
			settings,
			i18n: { lang: () => language },
		};
		const context = vm.createContext({
			RED,
			$: Object.assign((selector: string) => this.#field(selector), {
				ajax: (options: object) => this.#ajax(options),
				Event: (type: string) => ({ type }),
			}),
			URL,
			Intl,
			Date: EditorDate,
			setTimeout,
			clearTimeout,
		});
		this.files = load(dialogFiles());
		for (const { type, code } of this.files) {
			loading = type;
			vm.runInContext(code, context, { filename: `${type}.html` });
		}
		this.#validateProperty = vm.runInContext(`(${judgementCode()})`, context);
	}

	/** Something happens in the editor, and what scripts do of it a moment later. */
	async emit(event: string, of: object = {}): Promise<void> {
		for (const each of this.#listeners) if (each.event === event) each.call(of);
		await new Promise((resolve) => setTimeout(resolve, 5));
	}

	/** The part of jQuery's answer that dialogs use. */
	#ajax(options: object) {
		const answered = Promise.resolve(this.onAjax(options));
		const chain = {
			done(callback: (body: unknown) => void) {
				answered.then((answer) => {
					if (answer.status === 200) callback(answer.responseJSON);
				});
				return chain;
			},
			fail(callback: (answer: Answer) => void) {
				answered.then((answer) => {
					if (answer.status !== 200) callback(answer);
				});
				return chain;
			},
		};
		return chain;
	}

	/**
	 * Opens the dialog of a node, as Node-RED does: its fields hold what the node
	 * has, credentials `__PWRD__`, and its script has run.
	 */
	open(type: string, given: object = {}): Page {
		const file = this.files.find((each) => each.type === type);
		if (!file) throw new Error(`${type} has no dialog`);
		const definition = this.definition(type);
		const node = this.node(type, given);
		const page = new Page(file.template);
		const prefix =
			definition.category === "config" ? "node-config-input" : "node-input";
		// A script may have a field of its own in place of Node-RED's.
		const fields = Object.keys(definition.defaults)
			.map((name) => [name, page.find(`#${prefix}-${name}`)] as const)
			.flatMap(([name, field]) => (field.length > 0 ? [{ name, field }] : []));
		for (const { name, field } of fields) {
			(field as PageElement).fill(node[name]);
		}
		for (const name of Object.keys(definition.credentials ?? {})) {
			page.element(`${prefix}-${name}`).fill(node[name] ?? "__PWRD__");
		}
		this.#page = page;
		(definition.oneditprepare as () => void).call(node);
		for (const { field } of fields) (field as PageElement).trigger("change");
		return page;
	}

	/** The open page's element, or the part of jQuery that validators read fields with. */
	#field(selector: string) {
		if (this.#page) return this.#page.find(selector);
		const value = this.fields[selector.replace(/^#/, "")];
		return {
			length: value === undefined ? 0 : 1,
			val: () => value,
			prop: () => value,
		};
	}

	/** A text as the editor would show it; the key itself where there is none. */
	text(key: string, type: string, values?: Record<string, unknown>): string {
		const { text } = resolveText(key, type, this.language);
		return text === undefined ? key : fill(text, values);
	}

	definition(type: string): Definition {
		const definition = this.definitions.get(type);
		if (!definition) throw new Error(`${type} is not registered`);
		return definition;
	}

	/** A node as the editor holds it: defaults, and what is given. */
	node(type: string, given: object = {}): Record<string, unknown> {
		const defaults = Object.entries(this.definition(type).defaults).map(
			([name, { value }]) => [name, value],
		);
		return {
			...Object.fromEntries(defaults),
			_: (key: string, values?: Record<string, unknown>) =>
				this.text(key, type, values),
			...given,
		};
	}

	/**
	 * What Node-RED's editor says of a property's value: true, or what is wrong.
	 * `given` is the rest of the node.
	 */
	validate(
		type: string,
		property: string,
		value: unknown,
		given: object = {},
	): unknown {
		const definition = this.definition(type);
		const node = this.node(type, {
			[property]: value,
			...given,
			_def: definition,
		});
		const properties = { ...definition.defaults, ...definition.credentials };
		return this.#validateProperty(node, properties, property, value);
	}
}
