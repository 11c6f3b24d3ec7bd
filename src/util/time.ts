/** Durations in milliseconds. */
export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
/** 24 hours; a day of a zone may have 23 or 25. */
export const DAY_MS = 24 * HOUR_MS;

/** Minutes that one row of a forecast covers. */
export const INTERVAL_MINUTES = 15;
/** Milliseconds that one row of a forecast covers. */
export const QUARTER_MS = INTERVAL_MINUTES * MINUTE_MS;
