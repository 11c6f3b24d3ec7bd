/** Whether a text that is not blank may be an API key: visible ASCII characters, as a header carries them. */
export const isApiKey = (text: string): boolean =>
	!/[^\x21-\x7e]/.test(text.trim());
