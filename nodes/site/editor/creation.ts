import { isBlank } from "../../../src/util/guards";
import type { EditorNode } from "../../shared/editor/editor-api";
import type { NodeType } from "../../shared/editor/node-type";
import { request } from "../../shared/editor/request";
import { systemFault } from "../../shared/editor/site-rules";
import { note } from "../../shared/editor/words";
import type { DialogSite } from "../dialog-answers";

/** Readies the button that creates the site of the form at once. */
export function prepareCreation(
	{ input, part }: NodeType,
	node: EditorNode,
): void {
	const [button, created, system] = [
		part("create"),
		part("created"),
		input("system"),
	];
	system.on("change", () => note(created, ""));
	button.on("click", () => {
		if (isBlank(system.val()) || systemFault(system.val(), true) !== true) {
			note(created, node._("solar-yield-site.incomplete"), true);
			return;
		}
		button.prop("disabled", true);
		note(created, node._("solar-yield-site.creating"));
		const account = encodeURIComponent(String(input("account").val()));
		request<DialogSite>("POST", `site/${account}/create`, {
			system: system.val(),
		})
			.then(
				({ site_id, notes }) => {
					const done = node._("solar-yield-site.created", { id: site_id });
					note(created, [done, ...notes].join(" "));
				},
				(error: Error) => note(created, error.message, true),
			)
			.finally(() => button.prop("disabled", false));
	});
}
