import { DEFAULT_INTERVAL, type Interval } from "../../forecast/forecast";
import type { Quota } from "../../service/quota";
import { type Policy, reserveOf } from "../schedule/limits";

/** What one account (config node) allows and says. */
export interface AccountSettings extends Policy {
	/** What stamps are taken to mean. */
	readonly interval: Interval;
	/** Changes when the account does: a changed one lifts limits (behaviour: The month's requests). */
	readonly fingerprint: string;
}

/** The settings of all accounts that share a base URL and key, merged. */
export class MergedSettings {
	readonly #accounts = new Map<string, AccountSettings>();
	#intervals: readonly [Interval, ...Interval[]] = [DEFAULT_INTERVAL];
	/** The policy as last merged, and for which quota. */
	#merged:
		| { readonly quota: Quota | null; readonly policy: Policy }
		| undefined;

	set(id: string, settings: AccountSettings): void {
		this.#accounts.set(id, settings);
		this.#merged = undefined;
		const others = [...this.#accounts.values()]
			.map(({ interval }) => interval)
			.filter((interval) => interval !== settings.interval);
		this.#intervals = [settings.interval, ...others.slice(0, 1)];
	}

	remove(id: string): void {
		this.#accounts.delete(id);
		this.#merged = undefined;
	}

	get size(): number {
		return this.#accounts.size;
	}

	/** What the accounts take stamps to mean: one, or both. After the last account is gone its meaning stays. */
	get intervals(): readonly [Interval, ...Interval[]] {
		return this.#intervals;
	}

	/** The lowest budget and the highest reserve (behaviour: One request per new forecast). */
	policy(quota: Quota | null): Policy {
		if (this.#merged?.quota !== quota) this.#merged = undefined;
		this.#merged ??= { quota, policy: this.#merge(quota) };
		return this.#merged.policy;
	}

	#merge(quota: Quota | null): Policy {
		const accounts = [...this.#accounts.values()];
		const budgets = accounts
			.map(({ budget }) => budget)
			.filter((budget) => budget !== null);
		// A blank reserve is a share of the limit, and may be the highest.
		const reserves = accounts.map((account) => reserveOf(account, quota));
		return {
			budget: budgets.length > 0 ? Math.min(...budgets) : null,
			reserve: reserves.length > 0 ? Math.max(...reserves) : null,
		};
	}
}
