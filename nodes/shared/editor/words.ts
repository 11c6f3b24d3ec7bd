/** A text that several dialogs share; it stands in the account's catalogue. */
export const say = (key: string, values?: object): string =>
	RED._(`@solar-yield/node-red-solar-yield/solar-yield-account:${key}`, values);

/** A text as it begins a sentence. */
export const sentence = (text: string): string =>
	text.charAt(0).toUpperCase() + text.slice(1);

/** A number, in the editor's language. */
export const number = (value: number, digits = 0): string =>
	value.toLocaleString(RED.i18n.lang(), { maximumFractionDigits: digits });

/** A time, in the editor's language and the given zone or the browser's. */
export const time = (iso: string, timeZone?: string | null): string =>
	new Date(iso).toLocaleString(RED.i18n.lang(), {
		dateStyle: "medium",
		timeStyle: "short",
		...(timeZone && { timeZone }),
	});

/** Shows a text where the dialog has room for it. */
export function note(element: JQuery, text: string, isError = false): void {
	element.text(text).toggleClass("solar-yield-error", isError);
}
