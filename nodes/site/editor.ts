import { SITE_OPERATIONS } from "../../src/service/v2/sites/site-operations";
import type { EditorNode } from "../shared/editor/editor-api";
import { nodeType } from "../shared/editor/node-type";
import { request } from "../shared/editor/request";
import { isBlank, oneOf } from "../shared/editor/rules";
import { prepareSite } from "../shared/editor/site-field";
import { withSite } from "../shared/editor/site-label";
import { isSiteId } from "../shared/editor/site-rules";
import { note, time } from "../shared/editor/words";
import type { StoredSite } from "./dialog-answers";
import { stringsList } from "./editor/strings-list";

interface Settings {
	readonly account: string;
	readonly siteId: string;
	readonly operation: string;
}

const type = nodeType("solar-yield-site");
const { input, part, property, textOf } = type;

/** Operations that are about no stored site. */
const WITHOUT_SITE = ["list", "create"];

RED.nodes.registerType<Settings>("solar-yield-site", {
	category: "solar yield",
	color: "#FFCC66",
	icon: "solar-yield-site.svg",
	inputs: 1,
	outputs: 1,
	defaults: {
		name: { value: "" },
		account: type.accountProperty(),
		siteId: property("siteId", "", isSiteId),
		operation: property("operation", "", oneOf(...SITE_OPERATIONS)),
	},
	paletteLabel: textOf("title"),
	label() {
		if (this.name) return this.name;
		const isFixed = SITE_OPERATIONS.some((name) => name === this.operation);
		const label = isFixed
			? this._(`solar-yield-site.option.${this.operation}`)
			: this._("solar-yield-site.title");
		return WITHOUT_SITE.includes(this.operation)
			? label
			: withSite(label, this);
	},
	labelStyle: type.labelStyle,
	inputLabels: textOf("input"),
	outputLabels: textOf("output"),
	oneditprepare() {
		prepareSite(type);
		const operation = input("operation");
		if (isBlank(operation.val())) operation.val("");
		operation
			.on("change", () => {
				const chosen = String(operation.val() || "message");
				note(part("operation-hint"), this._(`solar-yield-site.hint.${chosen}`));
				part("siteId-row").toggle(!WITHOUT_SITE.includes(chosen));
			})
			.trigger("change");
		prepareStrings(this);
	},
});

/** How a site stands, in one line. */
function factsOf(site: StoredSite, node: EditorNode): string {
	const date = (iso: string | null) => (iso ? time(iso, site.timezone) : "?");
	const values = {
		temporary: { time: date(site.temporary_until) },
		deleted: { time: date(site.restore_until) },
	}[site.state];
	return [
		site.name || site.site_id,
		site.site_id,
		node._(`solar-yield-site.state.${site.state}`, values),
		site.timezone,
	]
		.filter(Boolean)
		.join(" · ");
}

/** Readies the part that loads a site's strings and stores them. */
function prepareStrings(node: EditorNode): void {
	const [manage, loaded, saved] = [
		part("manage"),
		part("loaded"),
		part("saved"),
	];
	const remove = part("remove");
	const removeBox = remove.find("input");
	/** The site on show, as it is stored. */
	let site: StoredSite | undefined;

	/** Ids of stored strings that are no longer in the list. */
	const removed = () => {
		const left = list.strings().map(({ id }) => id);
		return (site?.strings ?? [])
			.map(({ id }) => id)
			.filter((id) => !left.includes(id));
	};
	const list = stringsList(part("strings"), part("drawing")[0], node, () =>
		showRemoved(),
	);
	const showRemoved = () => {
		const gone = removed();
		note(saved, "");
		remove.toggle(gone.length > 0);
		removeBox.prop("checked", false);
		part("removed").text(
			node._("solar-yield-site.remove", { ids: gone.join(", ") }),
		);
	};

	const show = (stored: StoredSite) => {
		site = stored;
		note(loaded, factsOf(stored, node));
		list.show(stored.strings ?? []);
		showRemoved();
		manage.show();
	};
	const hide = () => {
		site = undefined;
		manage.hide();
		note(loaded, "");
		note(saved, "");
	};
	hide();
	input("account").on("change", hide);
	input("siteId").on("change", hide);

	const path = () =>
		`site/${encodeURIComponent(String(input("account").val()))}`;
	part("load").on("click", () => {
		const asked = path();
		hide();
		note(loaded, node._("solar-yield-site.loading"));
		const id = encodeURIComponent(String(input("siteId").val()).trim());
		request<StoredSite>("GET", `${asked}?siteId=${id}`).then(
			(stored) => {
				if (asked === path()) show(stored);
			},
			(error: Error) => note(loaded, error.message, true),
		);
	});
	const save = part("save");
	save.on("click", () => {
		if (removed().length > 0 && !removeBox.prop("checked")) {
			note(saved, node._("solar-yield-site.unconfirmed"), true);
			return;
		}
		save.prop("disabled", true);
		note(saved, node._("solar-yield-site.saving"));
		request<StoredSite>("POST", `${path()}/strings`, {
			siteId: site?.site_id,
			strings: list.strings(),
			removeStrings: removeBox.prop("checked"),
		})
			.then(
				(stored) => {
					show(stored);
					const done = node._("solar-yield-site.saved");
					note(saved, [done, ...stored.notes].join(" "));
				},
				(error: Error) => note(saved, error.message, true),
			)
			.finally(() => save.prop("disabled", false));
	});
}
