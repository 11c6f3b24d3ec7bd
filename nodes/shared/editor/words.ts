import { DAY_MS } from "../../../src/util/time";

/** A text that several dialogs share; it stands in the account's catalogue. */
export const say = (key: string, values?: object): string =>
	RED._(`@solar-yield/node-red-solar-yield/solar-yield-account:${key}`, values);

/** A text as it begins a sentence. */
export const sentence = (text: string): string =>
	text.charAt(0).toUpperCase() + text.slice(1);

/** A number, in the editor's language. */
export const number = (value: number, digits = 0): string =>
	value.toLocaleString(RED.i18n.lang(), { maximumFractionDigits: digits });

/** From here on a time's year is said, ms: half a year. */
const FAR_MS = 183 * DAY_MS;

function timeForm(
	zone: string | undefined,
	withYear: boolean,
): Intl.DateTimeFormat {
	try {
		return new Intl.DateTimeFormat(RED.i18n.lang(), {
			...(withYear && { year: "numeric" }),
			...{ month: "short", day: "numeric" },
			...{ hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
			...(zone && { timeZone: zone }),
		});
	} catch {
		// The browser does not know the zone.
		return timeForm(undefined, withYear);
	}
}

/** A time, in the editor's language and the given zone or the browser's. */
export function time(iso: string, zone?: string | null): string {
	const instant = Date.parse(iso);
	const isFar = Math.abs(instant - Date.now()) > FAR_MS;
	const form = timeForm(zone ?? undefined, isFar);
	const isUtc = form.resolvedOptions().timeZone.endsWith("UTC");
	return form.format(instant) + (isUtc ? " UTC" : "");
}

/** Shows a text where the dialog has room for it. */
export function note(element: JQuery, text: string, isError = false): void {
	element
		.text(text)
		.toggleClass("solar-yield-error", isError)
		.toggleClass("solar-yield-good", false);
}

/** Shows what has worked, behind a tick. */
export function success(element: JQuery, text: string): void {
	note(element, text);
	element.toggleClass("solar-yield-good", true);
}
