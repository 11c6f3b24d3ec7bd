/** Languages that people are spoken to in. */
export const LANGUAGES = ["en-US", "de"] as const;
export type Language = (typeof LANGUAGES)[number];
