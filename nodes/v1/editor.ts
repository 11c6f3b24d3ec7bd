import { isObject } from "../../src/util/guards";
import type { V1Endpoint } from "../../src/v1/parameters";
import { prepareAccount } from "../shared/editor/account-field";
import type { EditorNode } from "../shared/editor/editor-api";
import { nodeType } from "../shared/editor/node-type";
import { request } from "../shared/editor/request";
import { note } from "../shared/editor/words";
import type { V1Findings, V1Table } from "./dialog-answers";
import { prepareMove } from "./editor/move";
import { parametersForm } from "./editor/parameters-form";

interface Settings {
	readonly account: string;
	readonly endpoint: string;
	params: Record<string, unknown>;
}

const type = nodeType("solar-yield-v1");
const { input, part, textOf } = type;

const ENDPOINTS: Record<V1Endpoint, true> = {
	forecast: true,
	history: true,
	recent: true,
	yield: true,
	system: true,
};

/** Milliseconds without a key before what was typed is checked. */
const TYPING_MS = 300;

/** What the server found wrong with a set of parameters, for the red triangle. */
const verdicts = new Map<string, readonly string[]>();
const verdictKey = (endpoint: unknown, params: object) =>
	JSON.stringify([endpoint, params]);

/** The open dialog; `collect` gives what it would save, once its form stands. */
let openDialog: { collect?: () => Record<string, unknown> } = {};

RED.nodes.registerType<Settings>("solar-yield-v1", {
	category: "solar yield",
	color: "#FFCC66",
	icon: "solar-yield-v1.svg",
	inputs: 1,
	outputs: 1,
	defaults: {
		name: { value: "" },
		account: type.accountProperty(),
		endpoint: type.property("endpoint", "forecast", (value) =>
			Object.keys(ENDPOINTS).some((name) => name === value),
		),
		params: {
			value: {},
			validate(value, _options) {
				if (!isObject(value)) return this._("solar-yield-v1.invalid.params");
				const { endpoint } = this as EditorNode<Partial<Settings>>;
				const problems = verdicts.get(verdictKey(endpoint, value));
				return problems && problems.length > 0 ? problems : true;
			},
		},
	},
	paletteLabel: textOf("title"),
	label() {
		return this.name || `V1 ${this.endpoint || ""}`.trim();
	},
	labelStyle: type.labelStyle,
	inputLabels: textOf("input"),
	outputLabels: textOf("output"),
	oneditprepare() {
		prepareAccount();
		type.showDefaults(this);
		prepareParameters(this);
	},
	oneditsave() {
		const { collect } = openDialog;
		openDialog = {};
		// Without its form the dialog has changed nothing.
		if (!collect) return;
		const endpoint = input("endpoint").val();
		const params = collect();
		this.params = params;
		if (verdicts.has(verdictKey(endpoint, params))) return;
		// Saved faster than checked: the red triangle comes a moment later.
		request<V1Findings>("POST", "v1/check", {
			id: this.id,
			endpoint,
			params,
		}).then(
			({ problems }) => {
				verdicts.set(verdictKey(endpoint, params), problems);
				RED.editor.validateNode(this);
				RED.view.redraw();
			},
			() => {},
		);
	},
	oneditcancel() {
		openDialog = {};
	},
});

/** Makes the form, and has the server check what is entered in it. */
function prepareParameters(node: EditorNode<Settings>): void {
	const endpoint = input("endpoint");
	const problems = part("problems");
	const mine: typeof openDialog = {};
	openDialog = mine;
	let timer: ReturnType<typeof setTimeout> | undefined;
	let checks = 0;

	/** After a change: the plan of the move no longer fits, and a check is due. */
	const changed = () => {
		part("moved").hide();
		clearTimeout(timer);
		timer = setTimeout(() => openDialog === mine && check(), TYPING_MS);
	};
	const form = parametersForm(
		node,
		node.params ?? {},
		() => String(endpoint.val()),
		changed,
	);
	const set = () => ({
		id: node.id,
		endpoint: endpoint.val(),
		params: form.collect(),
	});

	function check(): void {
		const asked = set();
		checks += 1;
		const turn = checks;
		request<V1Findings>("POST", "v1/check", asked).then(
			(found) => {
				verdicts.set(verdictKey(asked.endpoint, asked.params), found.problems);
				if (turn === checks) show(found);
			},
			(error: Error) => {
				if (turn === checks) note(problems, error.message, true);
			},
		);
	}

	/** A sentence with names, blank when there are none. */
	const listed = (key: string, names: readonly string[]) =>
		names.length > 0 ? node._(key, { names: names.join(", ") }) : "";
	const show = (found: V1Findings) => {
		note(part("missing"), listed("solar-yield-v1.hint.missing", found.missing));
		note(part("warnings"), found.warnings.join(" · "));
		note(problems, found.problems.join(" · "), true);
		form.mark(found);
	};
	const render = (table: V1Table) => {
		form.render(table);
		note(
			part("dropped"),
			listed("solar-yield-v1.hint.dropped", form.lost()),
			true,
		);
	};

	let units: V1Table["parameters"] = [];
	request<V1Table>("GET", "v1/parameters").then(
		(table) => {
			units = table.parameters;
			const { lastDay, isOver } = table.end;
			const date = new Date(lastDay).toLocaleDateString(RED.i18n.lang(), {
				dateStyle: "medium",
				timeZone: "UTC",
			});
			part("end").text(
				node._(`solar-yield-v1.hint.${isOver ? "ended" : "end"}`, { date }),
			);
			render(table);
			check();
			endpoint.on("change", () => {
				render(table);
				changed();
			});
			mine.collect = form.collect;
		},
		(error: Error) => note(problems, error.message, true),
	);
	prepareMove(
		node,
		set,
		(name) => units.find((parameter) => parameter.name === name)?.unit,
	);
}
