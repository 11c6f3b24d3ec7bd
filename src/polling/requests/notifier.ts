import type { Interval } from "../../forecast/forecast";
import { SolarYieldError } from "../../service/errors/solar-yield-error";
import type { Ledger } from "../account/account-state";
import type { Entry } from "../account/source-state";
import type { KnownState, Subscriber } from "../hub-types";
import { failureError } from "../memory/schemas";
import { isToBeReported, noteFailure, shutGates } from "./failures";

/** Tells subscribers what they are to hear of. */
export class Herald {
	readonly #ledger: Ledger;
	readonly #report: (message: string) => void;
	#standing = "";

	/** @param report told of a subscriber that throws */
	constructor(ledger: Ledger, report: (message: string) => void) {
		this.#ledger = ledger;
		this.#report = report;
	}

	/** Calls subscribers that are still there. */
	tell(
		entry: Entry,
		call: (subscriber: Subscriber) => void | Promise<void>,
		whom: Iterable<Subscriber> = entry.subscribers,
	): void {
		for (const one of [...whom]) {
			if (entry.subscribers.has(one)) void this.#call(() => call(one));
		}
	}

	/** What a subscriber throws stops no other. */
	async #call(call: () => void | Promise<void>): Promise<void> {
		try {
			await call();
		} catch (error) {
			this.#report(
				`A node could not use a forecast (${error instanceof Error ? error.message : "unknown"}); report this as a fault of the package`,
			);
		}
	}

	/**
	 * Hands on the forecast that is known, each subscriber under the meaning of its
	 * account, and one after the other, so that many do not block the event loop.
	 */
	async announce(
		entry: Entry,
		whom: Iterable<Subscriber>,
		cached: boolean,
	): Promise<void> {
		const states = new Map<Interval, KnownState | undefined>();
		for (const one of [...whom]) {
			if (!states.has(one.interval)) {
				states.set(one.interval, this.#ledger.known(entry, one.interval));
			}
			const state = states.get(one.interval);
			if (state && entry.subscribers.has(one)) {
				await this.#call(() => one.onForecast(state, cached));
			}
		}
	}

	/** A new forecast has come. */
	announceNew(entry: Entry): Promise<void> {
		entry.day = entry.forecast?.zone.dayOf(this.#ledger.now());
		return this.announce(entry, audience(entry), false);
	}

	/**
	 * Something that a status shows has changed: of one source, or also of the
	 * account, which shows in the statuses of all.
	 */
	changed(entry?: Entry): void {
		if (this.review()) return;
		if (entry) this.tell(entry, (one) => one.onChange());
	}

	/** Looks whether something has changed that all sources depend on; then all are told. */
	review(now = this.#ledger.now()): boolean {
		const standing = this.#ledger.standing(now);
		if (standing === this.#standing) return false;
		this.#standing = standing;
		for (const entry of this.#ledger.watched) {
			entry.wakeAt = 0;
			this.tell(entry, (one) => one.onChange());
		}
		return true;
	}

	/** A request has failed. */
	fail(entry: Entry, error: SolarYieldError, automatic: boolean): void {
		const now = this.#ledger.now();
		const failure = noteFailure(entry.memory, error, now);
		shutGates(entry.memory, this.#ledger.memory, error, failure, now);
		const whom = audience(entry);
		if (automatic && whom.length > 0 && isToBeReported(failure)) {
			failure.reported = true;
			const told = this.remembered(entry, error);
			this.tell(entry, (one) => one.onFailure(told), whom);
		}
	}

	/** The error as flows see it: with the time at which it is tried again. */
	remembered(entry: Entry, error: SolarYieldError): SolarYieldError {
		const { failure } = entry.memory;
		return failure ? failureError(failure, this.#ledger.nextAt(entry)) : error;
	}
}

/** Subscribers that are polled for; who has yet to start gets the stored forecast then. */
function audience(entry: Entry): Subscriber[] {
	return [...entry.subscribers].filter(
		(one) => one.auto && !entry.unserved.has(one),
	);
}

/** Any error as one of ours. */
export function ownError(error: unknown): SolarYieldError {
	return error instanceof SolarYieldError
		? error
		: new SolarYieldError(
				"RESPONSE",
				`The answer could not be used (${error instanceof Error ? error.message : "unknown"}); report this as a fault of the package`,
			);
}
