import { isObject } from "../../src/util/guards";
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
const { input, part } = type;

const ENDPOINTS = ["forecast", "history", "recent", "yield", "system"];

/** Milliseconds without a key before what was typed is checked. */
const TYPING_MS = 300;

/** The open dialog; `collect` gives what it would save, once its form stands. */
let dialog: { collect?: () => Record<string, unknown> } = {};

RED.nodes.registerType<Settings>("solar-yield-v1", {
	paletteLabel: type.textOf("title"),
	labelStyle: type.labelStyle,
	inputLabels: type.textOf("input"),
	outputLabels: type.textOf("output"),
	category: "solar yield",
	color: "#FFCC66",
	icon: "solar-yield-v1.svg",
	inputs: 1,
	outputs: 1,
	defaults: {
		name: { value: "" },
		account: type.accountProperty(),
		endpoint: type.property("endpoint", "forecast", (value) =>
			ENDPOINTS.some((name) => name === value),
		),
		params: {
			value: {},
			validate(value, _options) {
				return isObject(value) || this._("solar-yield-v1.invalid.params");
			},
		},
	},
	label() {
		return this.name || `V1 ${this.endpoint || ""}`.trim();
	},
	oneditprepare() {
		prepareAccount();
		type.showDefaults(this);
		dialog = {};
		prepareParameters(this, dialog);
	},
	oneditsave() {
		// Without its form the dialog has changed nothing.
		if (dialog.collect) this.params = dialog.collect();
		dialog = {};
	},
	oneditcancel() {
		dialog = {};
	},
});

/** Makes the form, and has the server check what is entered in it. */
function prepareParameters(
	node: EditorNode<Settings>,
	mine: typeof dialog,
): void {
	const endpoint = input("endpoint");
	const fail = (error: Error) => note(part("problems"), error.message, true);
	/** A sentence with names, blank when there are none. */
	const listed = (key: string, names: readonly string[]) =>
		names.length > 0 ? node._(key, { names: names.join(", ") }) : "";

	part("moved").hide();
	request<V1Table>("GET", "v1/parameters").then((table) => {
		const { lastDay, isOver } = table.end;
		const date = new Date(lastDay).toLocaleDateString(RED.i18n.lang(), {
			dateStyle: "medium",
			timeZone: "UTC",
		});
		part("end").text(
			node._(`solar-yield-v1.hint.${isOver ? "ended" : "end"}`, { date }),
		);

		let timer: ReturnType<typeof setTimeout> | undefined;
		/** After a change: the plan of the move no longer fits, and a check is due. */
		const changed = () => {
			part("moved").hide();
			clearTimeout(timer);
			timer = setTimeout(check, TYPING_MS);
		};
		const form = parametersForm(
			node,
			table,
			() => String(endpoint.val()),
			changed,
		);
		const set = () => ({
			id: node.id,
			endpoint: endpoint.val(),
			params: form.collect(),
		});
		let checks = 0;
		const check = () => {
			checks += 1;
			const turn = checks;
			const isLast = () => dialog === mine && turn === checks;
			if (!isLast()) return;
			request<V1Findings>("POST", "v1/check", set()).then(
				(found) => {
					if (!isLast()) return;
					note(
						part("missing"),
						listed("solar-yield-v1.hint.missing", found.missing),
					);
					note(part("warnings"), found.warnings.join(" · "));
					note(part("problems"), found.problems.join(" · "), true);
					form.mark(found.problems);
				},
				(error) => isLast() && fail(error),
			);
		};
		const render = () => {
			form.render();
			note(
				part("dropped"),
				listed("solar-yield-v1.hint.dropped", form.lost()),
				true,
			);
		};
		render();
		check();
		endpoint.on("change", () => {
			render();
			changed();
		});
		mine.collect = form.collect;
		prepareMove(node, table.parameters, set);
	}, fail);
}
