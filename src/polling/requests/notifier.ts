import type { Interval } from "../../forecast/forecast";
import type { SolarYieldError } from "../../service/errors/solar-yield-error";
import type { Text } from "../../texts/texts";
import { MINUTE_MS } from "../../util/time";
import type { AccountState } from "../account/account-state";
import { noteAccountFailure } from "../account/account-transitions";
import { noteFailure, noteReport } from "../account/site-transitions";
import type { ForecastSnapshot } from "../account/snapshots";
import type { SourceState } from "../account/source-state";
import type { Subscriber } from "../account/subscriber";
import { failureError, isToBeReported } from "./failures";

/** Notifies subscribers. */
export class Notifier {
	readonly #account: AccountState;
	readonly #report: (text: Text) => void;
	/** What of the account all statuses showed last, as text. */
	#accountKey = "";

	/** @param report told of a subscriber that throws */
	constructor(account: AccountState, report: (text: Text) => void) {
		this.#account = account;
		this.#report = report;
	}

	/** Calls subscribers that are still there. */
	tell(
		source: SourceState,
		call: (subscriber: Subscriber) => void | Promise<void>,
		subscribers: Iterable<Subscriber> = source.subscribers,
	): void {
		for (const one of [...subscribers]) {
			if (source.subscribers.has(one)) void this.#call(() => call(one));
		}
	}

	/** What a subscriber throws stops no other. */
	async #call(call: () => void | Promise<void>): Promise<void> {
		try {
			await call();
		} catch (error) {
			this.#report({
				key: "polling.node_failed",
				values: { reason: error instanceof Error ? error.message : "unknown" },
			});
		}
	}

	/**
	 * Hands on the forecast that is known, to each subscriber under the meaning of
	 * its account, one after the other, so that many do not block the event loop.
	 */
	async announce(
		source: SourceState,
		subscribers: Iterable<Subscriber>,
		cached: boolean,
	): Promise<void> {
		const snapshots = new Map<Interval, ForecastSnapshot | undefined>();
		for (const one of [...subscribers]) {
			const { interval } = one;
			if (!snapshots.has(interval)) {
				snapshots.set(
					interval,
					this.#account.forecastSnapshot(source, interval),
				);
			}
			const snapshot = snapshots.get(interval);
			if (snapshot && source.subscribers.has(one)) {
				await this.#call(() => one.onForecast(snapshot, cached));
			}
		}
	}

	/** A new forecast has come. */
	announceNew(source: SourceState): Promise<void> {
		source.day = source.forecast?.zone.dayOf(this.#account.now());
		return this.announce(source, audience(source), false);
	}

	/**
	 * Something that a status shows has changed: of one source, or also of the
	 * account, which shows in the statuses of all.
	 */
	changed(source?: SourceState): void {
		if (this.notifyIfAccountChanged()) return;
		if (source) this.tell(source, (one) => one.onChange());
	}

	/**
	 * Notifies all where something has changed that all sources' plans depend on, or the
	 * offset of this machine's clock, which all statuses show to the minute.
	 */
	notifyIfAccountChanged(now = this.#account.now()): boolean {
		const offset = Math.round((this.#account.server.offset ?? 0) / MINUTE_MS);
		const accountKey = `${this.#account.planningKey(now)} ${offset}`;
		if (accountKey === this.#accountKey) return false;
		this.#accountKey = accountKey;
		for (const source of this.#account.watched) {
			source.wakeAt = 0;
			this.tell(source, (one) => one.onChange());
		}
		return true;
	}

	/** A request has failed: takes note of it, and tells those who should hear of it. */
	fail(source: SourceState, error: SolarYieldError, automatic: boolean): void {
		const account = this.#account;
		const now = account.now();
		source.update(noteFailure, error, account.memory.lifts, now);
		const { failure } = source.memory;
		if (!failure) return;
		account.update(noteAccountFailure, error, failure.count, now);
		const subscribers = audience(source);
		if (automatic && subscribers.length > 0 && isToBeReported(failure)) {
			source.update(noteReport);
			const told = this.withRetryTime(source, error);
			this.tell(source, (one) => one.onFailure(told), subscribers);
		}
	}

	/** The error of the failure that has just been noted, with the time at which the request is tried again. */
	withRetryTime(source: SourceState, error: SolarYieldError): SolarYieldError {
		return failureError(source, this.#account.nextAt(source)) ?? error;
	}
}

/** Subscribers that are polled for; who has yet to start gets the stored forecast then. */
function audience(source: SourceState): Subscriber[] {
	return [...source.subscribers].filter(
		(one) => one.auto && !source.unserved.has(one),
	);
}
