import { z } from "zod";

/** What may stand in files: these bounds keep out what no clock nor service can have said. */

const CENTURY_MS = 100 * 365.25 * 86_400_000;

/** A time, epoch ms; 0 for long past. */
export const Time = z.number().min(0).max(Date.UTC(2200));
/** A length of time, ms. */
export const Span = z.number().min(0).max(CENTURY_MS);
/** Difference of two clocks, ms: a host may begin in 1970. */
export const Skew = z.number().min(-CENTURY_MS).max(CENTURY_MS);
/** As many as a count of the service may say. */
export const Count = z.number().min(0).max(1e15);
