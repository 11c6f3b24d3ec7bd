import { DEFAULT_INTERVAL, type Interval } from "../../forecast/forecast";
import type { Quota } from "../../service/quota";
import type { AccountSettings } from "../hub-types";
import { type Policy, reserveOf } from "../schedule/schedule";

/** The settings of all accounts (config nodes) that share a base URL and key. */
export class Accounts {
	readonly #settings = new Map<string, AccountSettings>();
	#intervals: readonly [Interval, ...Interval[]] = [DEFAULT_INTERVAL];
	/** The policy as last merged, and for which quota. */
	#merged:
		| { readonly quota: Quota | null; readonly policy: Policy }
		| undefined;

	set(id: string, settings: AccountSettings): void {
		this.#settings.set(id, settings);
		this.#merged = undefined;
		const others = [...this.#settings.values()]
			.map(({ interval }) => interval)
			.filter((interval) => interval !== settings.interval);
		this.#intervals = [settings.interval, ...others.slice(0, 1)];
	}

	remove(id: string): void {
		this.#settings.delete(id);
		this.#merged = undefined;
	}

	get size(): number {
		return this.#settings.size;
	}

	/** What accounts take stamps to mean: one, or both; those of removed accounts until others come. */
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
		const accounts = [...this.#settings.values()];
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
