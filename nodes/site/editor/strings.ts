import type { EditorNode } from "../../shared/editor/editor-api";
import type { NodeType } from "../../shared/editor/node-type";
import { request } from "../../shared/editor/request";
import { stringsList } from "../../shared/editor/strings-list";
import { note, time } from "../../shared/editor/words";
import type { DialogSite } from "../dialog-answers";

/** How a site stands, in one line. */
function factsOf(site: DialogSite, node: EditorNode): string {
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
export function prepareStrings(
	{ input, part }: NodeType,
	node: EditorNode,
): void {
	const [manage, loaded, saved] = [
		part("manage"),
		part("loaded"),
		part("saved"),
	];
	const remove = part("remove");
	const removeBox = remove.find("input");
	/** The site on show, as it is stored. */
	let site: DialogSite | undefined;
	/** Its strings as the list shows them before a change. */
	let stored = "";

	/** Ids of stored strings that are no longer in the list. */
	const removed = () => {
		const left = list.strings().map(({ id }) => id);
		return (site?.strings ?? [])
			.map(({ id }) => id)
			.filter((id) => !left.includes(id));
	};
	const list = stringsList(part("strings"), () => {
		note(saved, "");
		showRemoved();
	});
	const showRemoved = () => {
		const gone = removed();
		const text = node._("solar-yield-site.remove", { ids: gone.join(", ") });
		remove.toggle(gone.length > 0);
		if (part("removed").text() === text) return;
		removeBox.prop("checked", false);
		part("removed").text(text);
	};

	const show = (read: DialogSite) => {
		site = read;
		note(loaded, factsOf(read, node));
		note(saved, "");
		list.show(read.strings ?? []);
		stored = JSON.stringify(list.strings());
		removeBox.prop("checked", false);
		showRemoved();
		manage.show();
	};
	const hide = () => {
		site = undefined;
		manage.hide();
		note(loaded, "");
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
		request<DialogSite>("GET", `${asked}?siteId=${id}`).then(
			(read) => {
				if (asked === path()) show(read);
			},
			(error: Error) => note(loaded, error.message, true),
		);
	});
	/** Why the strings are not sent, blank where they can be. */
	const obstacle = () => {
		if (JSON.stringify(list.strings()) === stored) {
			return node._("solar-yield-site.unchanged");
		}
		if (removed().length > 0 && !removeBox.prop("checked")) {
			return node._("solar-yield-site.unconfirmed");
		}
		return list.fault();
	};
	const save = part("save");
	save.on("click", () => {
		const reason = obstacle();
		if (reason) {
			note(saved, reason, true);
			return;
		}
		save.prop("disabled", true);
		note(saved, node._("solar-yield-site.saving"));
		request<DialogSite>("POST", `${path()}/strings`, {
			siteId: site?.site_id,
			strings: list.strings(),
			removeStrings: removeBox.prop("checked"),
		})
			.then(
				(read) => {
					show(read);
					const done = node._("solar-yield-site.saved");
					note(saved, [done, ...read.notes].join(" "));
				},
				(error: Error) => note(saved, error.message, true),
			)
			.finally(() => save.prop("disabled", false));
	});
}
