import { isZoneName } from "./zone-name";

/** How a time is written for people. */
interface TimeStyle {
	/** IANA name; where there is none, or no known one, this machine's zone. */
	readonly zone?: string | null | undefined;
	/** BCP 47; English where there is none. */
	readonly language?: string | undefined;
	/** Whether the year is said: of times that may be years away. */
	readonly withYear?: boolean;
	/** Whether nothing but the date is said, with its year. */
	readonly dateOnly?: boolean;
}

/**
 * An instant as people say it, to the minute: "Dec 1, 01:00", in German "1. Dez., 01:00";
 * in UTC it says so (behaviour: Errors, Statuses).
 *
 * @param instant epoch ms
 */
export function timeText(instant: number, style: TimeStyle = {}): string {
	if (style.dateOnly) {
		return new Date(instant).toLocaleDateString(style.language ?? "en-US", {
			dateStyle: "medium",
			timeZone: style.zone ?? undefined,
		});
	}
	const form = formOf(style);
	const isUtc = form.resolvedOptions().timeZone.endsWith("UTC");
	return form.format(instant) + (isUtc ? " UTC" : "");
}

/** Formats by zone and style: to make one takes long. */
const forms = new Map<string, Intl.DateTimeFormat>();

function formOf({
	zone,
	language = "en-US",
	withYear = false,
}: TimeStyle): Intl.DateTimeFormat {
	const key = `${zone} ${language} ${withYear}`;
	const known = forms.get(key);
	if (known) return known;
	const isKnownZone = typeof zone === "string" && isZoneName(zone);
	const form = new Intl.DateTimeFormat(language, {
		...(withYear && { year: "numeric" }),
		month: "short",
		day: "numeric",
		hour: "2-digit",
		minute: "2-digit",
		hourCycle: "h23",
		...(isKnownZone && { timeZone: zone }),
	});
	// This machine's zone may change, and other texts are without end.
	if (isKnownZone) forms.set(key, form);
	return form;
}
