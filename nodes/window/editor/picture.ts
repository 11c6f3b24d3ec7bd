import {
	readWindowSettings,
	WINDOW_SETTINGS,
} from "../../../src/window/settings";
import { drawTwoDays, type Shade } from "../../shared/editor/curve";
import type { EditorNode } from "../../shared/editor/editor-api";
import type { NodeType } from "../../shared/editor/node-type";
import { drawPrices } from "../../shared/editor/prices";
import { request } from "../../shared/editor/request";
import { takes } from "../../shared/editor/rules";
import { note, number, sentence } from "../../shared/editor/words";
import { variableOf } from "../../shared/variable";
import type { WindowPreview, WindowsAnswer } from "../dialog-answers";
import { reasonText } from "../reason";

/** Pause in typing after which the picture follows, ms. */
const PAUSE_MS = 300;

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
	/** Number of the last question: an answer to an earlier one comes too late. */
	let asked = 0;

	const show = (edited: WindowsAnswer) => {
		if (!deployed) return;
		const { timezone } = deployed;
		const isSame = spans(edited) === spans(deployed);
		note(part("edited"), windowsText("edited", edited, timezone, node));
		note(
			part("deployed"),
			isSame ? "" : windowsText("deployed", deployed, timezone, node),
		);
		note(part("reason"), reasonOf(edited, timezone, node));
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
	const follow = () => {
		if (!deployed) return;
		// What a variable holds the deployed node knows.
		const given = Object.fromEntries(
			Object.entries(settings()).filter(
				([, value]) => variableOf(value) === undefined,
			),
		);
		asked += 1;
		const question = asked;
		if (!takes(() => readWindowSettings({ loadW: 1, ...given }))) {
			note(part("edited"), node._("solar-yield-window.picture.invalid"), true);
			return;
		}
		request<WindowsAnswer>("POST", path, given).then(
			(answer) => {
				if (question === asked) show(answer);
			},
			(error: Error) => note(part("edited"), error.message, true),
		);
	};
	let pause: ReturnType<typeof setTimeout> | undefined;
	for (const name of WINDOW_SETTINGS) {
		input(name).on("input change", () => {
			clearTimeout(pause);
			pause = setTimeout(follow, PAUSE_MS);
		});
	}
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
	return which === "edited"
		? node._("solar-yield-window.picture.edited", { windows: list })
		: node._("solar-yield-window.picture.deployed", { windows: list });
}

const reasonOf = (
	{ lacksPrices, ...answer }: WindowsAnswer,
	timezone: string | null,
	node: EditorNode,
): string =>
	sentence(
		reasonText(answer, lacksPrices, {
			say: (key, values) => node._(`solar-yield-window.reason.${key}`, values),
			time: (instant) => clockFormat(timezone).format(instant),
			number: (value) => number(value, 2),
		}),
	);
