/** One of several parts of a dialog. */
interface Tab {
	/** The part that it shows. */
	readonly pane: JQuery;
	readonly label: string;
}

const STEPS: Readonly<Record<string, number>> = {
	ArrowLeft: -1,
	ArrowRight: 1,
};

/**
 * Makes Node-RED's own tabs, which its editor opens by mouse alone: here also by the
 * arrow keys, and named for who cannot see them.
 *
 * @param list the `ul` that becomes the tabs; the first is open
 */
export function makeTabs(list: JQuery, tabs: readonly Tab[]) {
	const idOf = ({ pane }: Tab) => String(pane.attr("id"));
	const linkOf = (tab: Tab) => list.find(`a[href="#${idOf(tab)}"]`);
	let openId = "";
	const show = () => {
		for (const tab of tabs) {
			const isOpen = idOf(tab) === openId;
			tab.pane.toggle(isOpen);
			linkOf(tab).attr({
				"aria-selected": String(isOpen),
				tabindex: isOpen ? 0 : -1,
			});
		}
	};
	const widget = RED.tabs.create({
		element: list,
		maximumTabWidth: 160,
		onchange({ id }) {
			openId = id;
			show();
		},
	});
	for (const tab of tabs) widget.addTab({ id: idOf(tab), label: tab.label });
	show();
	const open = (tab: Tab) => widget.activateTab(idOf(tab));

	list.attr("role", "tablist").children().attr("role", "presentation");
	for (const [index, tab] of tabs.entries()) {
		const id = `${idOf(tab)}-tab`;
		tab.pane.attr({ role: "tabpanel", "aria-labelledby": id });
		linkOf(tab)
			.attr({ id, role: "tab", "aria-controls": idOf(tab) })
			.on("keydown", ({ key }) => {
				const next = tabs.at((index + (STEPS[key ?? ""] ?? 0)) % tabs.length);
				if (!next || next === tab) return;
				open(next);
				linkOf(next).trigger("focus");
			});
	}
	return {
		open: (index: number) => {
			const tab = tabs[index];
			if (tab) open(tab);
		},
		/** Gives them their width once they are visible. */
		resize: () => widget.resize(),
	};
}
