import { isBlank } from "../../../src/util/guards";
import type { EditorNode } from "./editor-api";

/** Names of sites by id: of deployed accounts, and of those whose sites were listed. */
export const siteNames = (): Record<string, string> =>
	RED.nodes.getType("solar-yield-account")?.siteNames ?? {};

/** A label with the site that a node is about, its own or its account's, by name where that is known. */
export function withSite(
	label: string,
	{
		account,
		siteId,
		source,
	}: EditorNode<Partial<Record<"account" | "siteId" | "source", unknown>>>,
): string {
	if (source === "inline") return label;
	const config = RED.nodes.node(account);
	const id = isBlank(siteId) && !config?.demo ? config?.siteId : siteId;
	return isBlank(id) ? label : `${label} ${siteNames()[String(id)] ?? id}`;
}
