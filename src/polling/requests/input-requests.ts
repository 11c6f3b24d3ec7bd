import type { Interval } from "../../forecast/forecast";
import { SolarYieldError } from "../../service/errors/solar-yield-error";
import type { Ledger } from "../account/account-state";
import type { Entry } from "../account/source-state";
import type { Answered, Wants } from "../hub-types";
import { failureError } from "../memory/schemas";
import type { Asker, Need } from "./request-queue";
import { isWithin } from "./site-probe";

const DAY = 86_400_000;
/** Time in which `refresh` gets the answer that has just come (behaviour: Messages), ms. */
const REFRESH_DISTANCE_MS = 60_000;

/** Made in any case that its turn comes. */
export const REFRESH: Need = { cause: "refresh", isNeeded: () => true };

/** What inputs get (behaviour: Messages "Input"): what is known, after a request where one is called for. */
export class Inputs {
	readonly #ledger: Ledger;
	readonly #asker: Asker;

	constructor(ledger: Ledger, asker: Asker) {
		this.#ledger = ledger;
		this.#asker = asker;
	}

	/** Never rejects. */
	async ask(
		entry: Entry,
		wants: Wants,
		refresh: boolean,
		interval: Interval,
	): Promise<Answered> {
		const before = entry.memory.answeredAt;
		const error = await (refresh
			? this.#refresh(entry, wants)
			: this.#askIfNeeded(entry, wants));
		const state = this.#ledger.known(entry, interval);
		return {
			state,
			cached: entry.memory.answeredAt === before,
			error: error ?? (state ? undefined : this.#asker.nothingKnown(entry)),
		};
	}

	/** Whether an answer has just come. */
	isFresh({ memory: { answeredAt } }: Entry): boolean {
		const now = this.#ledger.now();
		return (
			answeredAt !== null && isWithin(REFRESH_DISTANCE_MS, answeredAt, now)
		);
	}

	async #refresh(
		entry: Entry,
		wants: Wants,
	): Promise<SolarYieldError | undefined> {
		this.#want(entry, wants);
		while (entry.request) {
			const error = await entry.request;
			if (error) return this.#untilRefused(entry, error);
		}
		if (this.isFresh(entry)) return undefined;
		const refused = this.#refused(entry);
		if (refused) return refused;
		const error = await this.#asker.request(entry, REFRESH);
		return error && this.#untilRefused(entry, error);
	}

	/** What a refresh is told in place of a request. */
	#refused(entry: Entry): SolarYieldError | undefined {
		const refused = this.#asker.refusal(entry);
		if (refused) return refused;
		const { failure } = entry.memory;
		const now = this.#ledger.now();
		return failure && isWithin(REFRESH_DISTANCE_MS, failure.at, now)
			? failureError(failure, failure.at + REFRESH_DISTANCE_MS)
			: undefined;
	}

	/** An error with the time from which a refresh asks again, which may be long before the next poll. */
	#untilRefused(entry: Entry, error: SolarYieldError): SolarYieldError {
		const refused = this.#refused(entry);
		if (!refused) return error;
		const { status, detail } = error.cause;
		const { retry_at } = refused.cause;
		return new SolarYieldError(error.kind, error.message, {
			status,
			detail,
			retryAt: retry_at === null ? null : Date.parse(retry_at),
		});
	}

	async #askIfNeeded(
		entry: Entry,
		wants: Wants,
	): Promise<SolarYieldError | undefined> {
		this.#want(entry, wants);
		const isCovered = () =>
			entry.forecast !== undefined && this.#covers(entry, wants);
		while (entry.request) {
			if (isCovered()) return undefined;
			const error = await entry.request;
			if (error) return error;
		}
		const isNeeded = () => {
			const covered = isCovered();
			// A poller serves the source: it asks in its own time.
			if (covered && entry.isAuto) return false;
			return (
				this.#ledger.isDue(entry) || (!covered && !this.#ledger.isHeld(entry))
			);
		};
		return isNeeded()
			? this.#asker.request(entry, { cause: "input", isNeeded })
			: undefined;
	}

	/** Whether the last answer was asked for with all that is wanted. */
	#covers({ asked }: Entry, wants: Wants): boolean {
		return (
			asked !== undefined &&
			asked.pastDays >= wants.pastDays &&
			(!wants.variability ||
				asked.variability ||
				!this.#ledger.mayHave("variability"))
		);
	}

	/** Keeps up for a day what messages want, so that the next poll brings it along. */
	#want({ memory }: Entry, { pastDays, variability }: Wants): void {
		if (pastDays === 0 && !variability) return;
		const now = this.#ledger.now();
		const { wanted } = memory;
		const valid = wanted.until > now;
		memory.wanted = {
			pastDays: Math.max(pastDays, valid ? wanted.pastDays : 0),
			variability: variability || (valid && wanted.variability),
			until: now + DAY,
		};
	}
}
