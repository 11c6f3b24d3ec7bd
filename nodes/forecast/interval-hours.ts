/** Time between requests for a system that is no site, hours; a month has at most 31 days. */
export const INTERVAL_HOURS = { default: 6, least: 1, most: 24 * 31 } as const;
