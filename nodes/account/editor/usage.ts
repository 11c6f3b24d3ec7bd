import type { AccountFacts } from "../../shared/dialog-answers";
import { number, say, time } from "../../shared/editor/words";

/** What is known of an account's requests, in one sentence. */
export function usageText({ quota, timezone }: Partial<AccountFacts>): string {
	if (quota?.used == null) return say("common.quota.unknown");
	const { used, limit, remaining, reset, projected, as_of } = quota;
	const own = quota.own ?? 0;
	const shown = (count: number | null) => (count === null ? "" : number(count));
	const timeText = (iso: string | null) =>
		iso === null ? "" : time(iso, timezone);
	const parts = [
		quota.unmetered
			? say("common.quota.unmetered", { used: number(used) })
			: say("common.quota.metered", {
					used: number(used),
					limit: shown(limit),
					remaining: shown(remaining),
					reset: timeText(reset),
				}),
		say("common.quota.own", {
			own: number(own),
			others: number(Math.max(0, used - own)),
		}),
	];
	if (projected != null) {
		parts.push(say("common.quota.projected", { projected: number(projected) }));
	}
	parts.push(say("common.quota.as_of", { time: timeText(as_of) }));
	return parts.join(" · ");
}
