import { z } from "zod";
import { DAY_MS } from "../../util/time";

/** Plausible ranges for values read from disk. */

const CENTURY_MS = 100 * 365.25 * DAY_MS;

/** A time, epoch ms; 0 for long past. */
export const Time = z.number().min(0).max(Date.UTC(2200));
/** A duration, ms. */
export const Duration = z.number().min(0).max(CENTURY_MS);
/** Difference of two clocks, ms: a host's may begin in 1970. */
export const Skew = z.number().min(-CENTURY_MS).max(CENTURY_MS);
/** A number of requests, far above any plan's. */
export const Count = z.number().min(0).max(1e15);
