/** What a number in `msg.payload` may be: a power, or the state of a counter. */
export const UNITS = ["W", "kW", "kWh", "Wh"] as const;
export type Unit = (typeof UNITS)[number];
export const DEFAULT_UNIT: Unit = "W";
