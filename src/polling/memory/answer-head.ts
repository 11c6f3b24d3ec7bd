import { z } from "zod";
import type { Interval } from "../../forecast/forecast";
import type { DeepReadonly } from "./deep-readonly";
import { Time } from "./plausible-ranges";

/** Past quarters as last foreseen before they began: [start in epoch ms, W]. */
export const SettledQuarters = z.array(z.tuple([Time, z.number()]));

/** What is remembered of an answer beside its body. All times are epoch ms on the server's clock. */
export const AnswerHead = z.object({
	version: z.literal(2),
	key: z.string(),
	/** Hash of the system an inline forecast was made for. */
	system: z.string().nullable(),
	answeredAt: Time,
	computedAt: Time.nullable(),
	nextPollAt: Time.nullable(),
	/** What was asked for, which may be more than what came. */
	pastDays: z.int().nonnegative(),
	include: z.array(z.string()),
	/** Zone of the site's record, for answers that say "UTC". */
	siteZone: z.string().nullable(),
	/** Settled quarters by the meaning of the stamps. */
	settled: z.object({
		end: SettledQuarters.optional(),
		start: SettledQuarters.optional(),
	} satisfies Record<Interval, z.ZodType>),
});
export type AnswerHead = DeepReadonly<z.infer<typeof AnswerHead>>;
