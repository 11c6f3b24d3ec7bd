/** Whether a text names an IANA zone. Offsets such as `+01:00` pass some versions of `Intl`, but are no names. */
export function isZoneName(text: string): boolean {
	if (!/^[A-Za-z]/.test(text)) return false;
	try {
		new Intl.DateTimeFormat("en", { timeZone: text });
		return true;
	} catch {
		return false;
	}
}
