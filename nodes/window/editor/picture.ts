import {
	readWindowSettings,
	WINDOW_SETTINGS,
} from "../../../src/window/settings";
import { drawTwoDays, type Shade } from "../../shared/editor/curve";
import type { EditorNode } from "../../shared/editor/editor-api";
import { follower } from "../../shared/editor/follow";
import type { NodeType } from "../../shared/editor/node-type";
import { drawPrices } from "../../shared/editor/prices";
import { request } from "../../shared/editor/request";
import { takes } from "../../shared/editor/rules";
import { note, number, sentence } from "../../shared/editor/words";
import type { WindowPreview, WindowsAnswer } from "../dialog-answers";
import { reasonText } from "../reason";

type Settings = Readonly<Record<string, unknown>>;

/**
 * Shows today's and tomorrow's curve with the windows of the deployed node, and
 * with those that the settings in the dialog would make.
 *
 * @param settings as they stand in the dialog
 */
export function showPicture(
	{ input, part }: NodeType,
	node: EditorNode,
	settings: () => Settings,
): void {
	const path = `window/${encodeURIComponent(node.id)}`;
	const chart = part("chart");
	chart.hide();
	part("prices").hide();
	let deployed: WindowPreview | undefined;

	const show = (edited: WindowsAnswer) => {
		if (!deployed) return;
		const { timezone } = deployed;
		const isSame = spans(edited) === spans(deployed);
		note(part("edited"), windowsText("edited", edited, timezone, node));
		note(
			part("deployed"),
			isSame ? "" : windowsText("deployed", deployed, timezone, node),
		);
		const reason = reasonText(edited, {
			say: (key, values) => node._(`solar-yield-window.reason.${key}`, values),
			time: (instant) => clockFormat(timezone).format(instant),
			number: (value) => number(value, 2),
		});
		note(part("reason"), sentence(reason));
		note(
			part("overridden"),
			edited.overridden.length === 0
				? ""
				: node._("solar-yield-window.picture.overridden", {
						names: edited.overridden.join(", "),
					}),
		);
		const [svg] = chart;
		if (!svg || deployed.curve.length === 0) return;
		drawTwoDays(svg, deployed, [
			...shades(edited, ""),
			...(isSame ? [] : shades(deployed, "solar-yield-chart-deployed")),
		]);
		chart.show();
	};
	const follow = follower(
		path,
		WINDOW_SETTINGS.map(input),
		settings,
		show,
		(text) => note(part("edited"), text, true),
		(given) =>
			takes(() => readWindowSettings({ loadW: 1, ...given }))
				? undefined
				: node._("solar-yield-window.picture.invalid"),
	);
	request<WindowPreview>("GET", path).then(
		(answer) => {
			deployed = answer;
			show(answer);
			drawPrices(part("prices")[0], answer.prices);
			part("prices").toggle(answer.prices !== null);
			// A node that was edited and not deployed yet differs from the start.
			follow();
		},
		(error: Error) => note(part("edited"), error.message),
	);
}

const spans = ({ windows }: WindowsAnswer): string =>
	windows.map(({ start, end }) => `${start} ${end}`).join();

const shades = ({ windows }: WindowsAnswer, look: string): Shade[] =>
	windows.map(({ start, end }) => ({ start, end, look }));

/** Weekday and clock time of the site, in the editor's language. */
const clockFormat = (timezone: string | null) =>
	new Intl.DateTimeFormat(RED.i18n.lang(), {
		weekday: "short",
		hour: "2-digit",
		minute: "2-digit",
		hourCycle: "h23",
		...(timezone !== null && { timeZone: timezone }),
	});

/** The windows in words, for whoever does not see the picture. */
function windowsText(
	which: "edited" | "deployed",
	{ windows }: WindowsAnswer,
	timezone: string | null,
	node: EditorNode,
): string {
	const format = clockFormat(timezone);
	const texts = windows.map(({ start, end, energyKwh }) => {
		const span = format.formatRange(start, end);
		return energyKwh === null
			? span
			: node._("solar-yield-window.picture.window", {
					span,
					kwh: number(energyKwh, 1),
				});
	});
	const list = texts.join("; ") || node._("solar-yield-window.picture.none");
	return node._(`solar-yield-window.picture.${which}`, { windows: list });
}
