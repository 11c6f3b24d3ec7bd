/** The API key of a text: it may have been copied with the header around it. */
export const apiKeyOf = (text: string): string =>
	text.trim().replace(/^(authorization\s*:\s*)?bearer\s+/i, "");

/** Whether a text that is not blank may be an API key: visible ASCII characters, as a header carries them. */
export const isApiKey = (text: string): boolean =>
	!/[^\x21-\x7e]/.test(apiKeyOf(text));
