import { variableOf } from "../variable";
import { note, say } from "./words";

/** Node-RED's two links beside a node's account, for the keyboard and by name. */
export function prepareAccount(): void {
	if (!RED.nodes.getType("solar-yield-account")) {
		// Its set can be switched off alone; then Node-RED shows an empty row.
		const row = $("<div>", { class: "form-tips" });
		$("#node-input-account").closest(".form-row").after(row);
		note(row, say("common.account.switched_off"), true);
		return;
	}
	for (const action of ["edit", "add"]) {
		const button = $(`#node-input-btn-account-${action}`);
		button
			.attr({
				role: "button",
				tabindex: 0,
				"aria-label": say(`common.account.${action}`),
			})
			.on("keydown", (event) => {
				if (event.key !== "Enter" && event.key !== " ") return;
				event.preventDefault();
				button.trigger("click");
			});
	}
	const edit = $("#node-input-btn-account-edit");
	const account = $("#node-input-account");
	const chosenBy = $("<div>", { class: "solar-yield-note", role: "status" });
	account.closest(".form-row").append(chosenBy);
	account
		.on("change", () => {
			edit.attr("aria-disabled", String(edit.hasClass("disabled")));
			const name = variableOf(account.val());
			note(chosenBy, name ? say("common.account.variable", { name }) : "");
		})
		.trigger("change");
}
