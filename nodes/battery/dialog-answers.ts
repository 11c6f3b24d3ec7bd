import type { LearnedWeek } from "../../src/battery/house/learned-load";

/** Answer to `battery/<id>/learned-load`; null where no `msg.house_w` has come in. */
export type LearnedWeekAnswer = LearnedWeek;
