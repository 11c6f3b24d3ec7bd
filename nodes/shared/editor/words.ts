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
	{ withYear = false, withDate = true } = {},
): Intl.DateTimeFormat {
	try {
		return new Intl.DateTimeFormat(RED.i18n.lang(), {
			...(withYear && { year: "numeric" }),
			...(withDate && { month: "short", day: "numeric" }),
			...{ hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
			...(zone && { timeZone: zone }),
		});
	} catch {
		// The browser does not know the zone.
		return timeForm(undefined, { withYear, withDate });
	}
}

/** A time, in the editor's language and the given zone or the browser's; one of today without its date. */
export function time(iso: string, zone?: string | null): string {
	const instant = Date.parse(iso);
	const place = zone ?? undefined;
	const withYear = Math.abs(instant - Date.now()) > FAR_MS;
	const whole = timeForm(place, { withYear });
	const dayOf = (at: number) => whole.format(at).replace(/\d+:\d+/, "");
	const withDate = dayOf(instant) !== dayOf(Date.now());
	const form = withDate ? whole : timeForm(place, { withDate });
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
