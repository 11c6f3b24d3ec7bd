import { prepareAccount } from "./account-field";
import type { NodeType } from "./node-type";
import { type EditedAccount, sitePicker } from "./site-picker";
import { prepareSystem } from "./system-form";
import { say } from "./words";

/** An account as it stands in the editor, deployed or not. */
function accountInEditor(id: unknown): EditedAccount {
	const account: Record<string, unknown> = RED.nodes.node(id) ?? {};
	const { demo, baseUrl, credentials } = account;
	const { apiKey } = (credentials ?? {}) as { apiKey?: unknown };
	return { id, demo: demo === true, baseUrl, apiKey };
}

/** Readies the fields of an account and of one of its sites. */
export function prepareSite({ input, part }: NodeType): void {
	prepareAccount();
	sitePicker({
		field: input("siteId"),
		button: part("sites"),
		hint: part("site-note"),
		account: () => accountInEditor(input("account").val()),
	});
}

/** Says in the blank field of a site which one is meant: the account's own. */
function showSiteDefault({ input }: NodeType): void {
	const account = input("account");
	account.on("change", () => {
		const chosen = RED.nodes.node(account.val());
		const siteId = chosen?.siteId;
		let text = "";
		if (chosen?.demo) text = say("common.sites.of_demo");
		else if (siteId) text = say("common.sites.of_account", { siteId });
		input("siteId").attr("placeholder", text);
	});
}

/**
 * Readies account and site, and shows the field of a site or the form of a system, as
 * `source` is chosen.
 *
 * @param isOptional whether a message may bring the system
 */
export function prepareSource(type: NodeType, isOptional = false): void {
	const { input, part } = type;
	prepareSite(type);
	showSiteDefault(type);
	const source = input("source");
	const tabs = prepareSystem(type, input("inline"), { isOptional });
	source
		.on("change", () => {
			const isSystem = source.val() === "inline";
			part("siteId-row").toggle(!isSystem);
			part("system").toggle(isSystem);
			tabs.resize();
		})
		.trigger("change");
}
