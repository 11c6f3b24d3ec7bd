import { placeForecast } from "../../forecast/forecast";
import type { ReceivedForecast, SolarYieldClient } from "../../service/client";
import { RefusedError } from "../../service/errors/answer-error";
import { SolarYieldError } from "../../service/errors/solar-yield-error";
import { readForecast } from "../../service/v2/forecast-answer";
import { ALL_GROUPS } from "../../service/v2/groups";
import { readSite } from "../../service/v2/sites/site";
import { yieldToEventLoop } from "../../util/yield-to-event-loop";
import type { Ledger } from "../account/account-state";
import { systemHash } from "../account/forecast-source";
import type { Entry } from "../account/source-state";
import type { Keeper, Wants } from "../hub-types";
import { failureError, type SiteMemory } from "../memory/schemas";
import { historicalHoldOf } from "../schedule/schedule";
import type { StoredAnswer } from "../storage/file-formats";
import { type Asked, accept, wantsOf } from "./accept-answer";
import { holdError, noteBurst, noteInterruption } from "./failures";
import { type Herald, ownError } from "./notifier";
import { Records } from "./site-probe";

/** While another process asks, ms. */
export const BUSY_MS = 5_000;

/** Who makes a request: the clock, an input where one is due, or `msg.refresh`. */
type Cause = "clock" | "input" | "refresh";

/** Makes a request only if it is still needed when its turn comes. */
export interface Need {
	readonly cause: Cause;
	readonly isNeeded: () => boolean;
}

/** Answers that the service gives before it counts (spec V2, "Errors"). */
const UNCOUNTED_STATUS = [400, 401, 403, 404, 409, 422, 429];

/** Makes the requests of an account, one at a time (behaviour: One request per new forecast), and keeps what comes of them. */
export class Asker {
	readonly #ledger: Ledger;
	readonly #keeper: Keeper;
	readonly #client: SolarYieldClient;
	readonly #herald: Herald;
	readonly #records: Records;
	readonly #onEnd: (entry: Entry) => void;
	#turn: Promise<unknown> = Promise.resolve();
	/** Requests under way or waiting for their turn. */
	readonly #requests = new Set<Promise<unknown>>();

	/** @param onEnd called after each request for a forecast */
	constructor(
		ledger: Ledger,
		keeper: Keeper,
		client: SolarYieldClient,
		herald: Herald,
		onEnd: (entry: Entry) => void,
	) {
		this.#ledger = ledger;
		this.#keeper = keeper;
		this.#client = client;
		this.#herald = herald;
		this.#records = new Records(ledger, client, herald);
		this.#onEnd = onEnd;
	}

	/**
	 * Makes a request, or joins the one under way for this source.
	 *
	 * @returns what went wrong
	 */
	request(entry: Entry, need: Need): Promise<SolarYieldError | undefined> {
		if (entry.request) return entry.request;
		const request = this.inTurn(() => this.#perform(entry, need))
			.catch((error) => {
				// Whatever it was, it must not be tried again at once.
				entry.memory.open = false;
				this.#ledger.memory.lifted = false;
				const failure = ownError(error);
				this.#herald.fail(entry, failure, need.cause === "clock");
				return failure;
			})
			.finally(() => {
				entry.request = undefined;
				this.#requests.delete(request);
				this.#onEnd(entry);
			});
		entry.request = request;
		this.#requests.add(request);
		return request;
	}

	/** One request at a time per account (behaviour: One request per new forecast). */
	inTurn<T>(work: () => Promise<T>): Promise<T> {
		const result = this.#turn.then(work);
		this.#turn = result.catch(() => {});
		return result;
	}

	/** Resolves when no request is under way. */
	async idle(): Promise<void> {
		for (let turn: unknown; turn !== this.#turn; ) {
			turn = this.#turn;
			await turn;
			await Promise.all(this.#requests);
		}
	}

	/** Why even an explicit request is not made: a 429, a 401, the reserve or the budget. */
	refusal(entry: Entry): SolarYieldError | undefined {
		const { keyGate, lifted } = this.#ledger.memory;
		const { failure } = entry.memory;
		if (keyGate && !lifted) {
			const { at } = this.#ledger.plan(entry);
			return failure?.kind === "AUTH"
				? failureError(failure, at)
				: new SolarYieldError(
						"AUTH",
						"The service refused the API key; check the key of the account",
						{ retryAt: at },
					);
		}
		const hold = this.#ledger.hold();
		return hold ? holdError(hold) : undefined;
	}

	/** What there is to say to an input while nothing is known. */
	nothingKnown(entry: Entry): SolarYieldError {
		const retryAt = this.#ledger.nextAt(entry);
		const { failure } = entry.memory;
		if (failure) return failureError(failure, retryAt);
		return (
			this.refusal(entry) ??
			new SolarYieldError(
				"SERVICE",
				"No forecast is known yet; wait for the next request",
				{ retryAt },
			)
		);
	}

	/** Why nothing is asked any more when a turn comes: whose limits hold is not known. */
	#goneError(): SolarYieldError | undefined {
		return this.#ledger.accounts.size > 0
			? undefined
			: new SolarYieldError(
					"INPUT",
					"The account was removed or deployed anew before the request's turn came; send the message again",
				);
	}

	// — a request for a forecast —

	async #perform(
		entry: Entry,
		need: Need,
	): Promise<SolarYieldError | undefined> {
		if (!need.isNeeded()) return undefined;
		const gone = this.#goneError();
		if (gone) return gone;
		const claimed = await this.#keeper.claim();
		if (!claimed && need.cause === "clock") {
			entry.busyUntil = this.#ledger.now() + BUSY_MS;
			return undefined;
		}
		try {
			await this.#takeOverFromOthers(entry);
			return await this.#ask(entry, need);
		} finally {
			if (claimed) await this.#keeper.release();
		}
	}

	async #ask(
		entry: Entry,
		{ cause, isNeeded }: Need,
	): Promise<SolarYieldError | undefined> {
		const ledger = this.#ledger;
		const automatic = cause === "clock";
		// Since it was decided, others may have asked, and a gate may have shut.
		if (!isNeeded()) return undefined;
		if (cause === "refresh") {
			const refused = this.refusal(entry);
			if (refused) return refused;
			const { refreshedAt } = entry;
			const shut = await this.#records.gateError(entry);
			if (shut) {
				// One attempt is what was allowed, and this was it.
				ledger.memory.lifted = false;
				if (entry.refreshedAt !== refreshedAt) await this.save(entry);
				return shut;
			}
		} else if (ledger.plan(entry).what === "probe") {
			await this.#records.probe(entry);
			if (ledger.plan(entry).what === "probe") {
				await this.save(entry);
				return automatic ? undefined : this.nothingKnown(entry);
			}
		}
		let error = await this.#records.look(entry);
		// One attempt is what was allowed, not one until it works.
		if (error) ledger.memory.lifted = false;
		// With the server's clock known it may turn out that nothing is due yet.
		if (isNeeded()) {
			error ??= await this.#fetch(entry, automatic);
			if (error) this.#herald.fail(entry, error, automatic);
		} else error = undefined;
		await this.save(entry);
		return error && this.#herald.remembered(entry, error);
	}

	/** The request itself, once more without each group that the plan refuses. */
	async #fetch(
		entry: Entry,
		automatic: boolean,
	): Promise<SolarYieldError | undefined> {
		const ledger = this.#ledger;
		const { memory } = entry;
		const { changed } = memory;
		for (;;) {
			const asked = this.#parameters(entry);
			memory.requestedAt = ledger.now();
			memory.open = true;
			// What is changed from now on, this answer may not know.
			memory.changed = false;
			ledger.memory.lifted = false;
			ledger.count(1);
			// Before it is sent, so that a crash loop does not forget it.
			await this.save(entry);
			let received: ReceivedForecast;
			try {
				received = await (entry.source.kind === "site"
					? this.#client.forecast(entry.key, asked)
					: this.#client.inlineForecast(entry.source.system, asked));
			} catch (error) {
				close(memory);
				memory.changed ||= changed;
				const failure = ownError(error);
				this.#uncount(failure);
				if (
					failure instanceof RefusedError &&
					failure.refusal?.type === "group" &&
					!ledger.memory.refused.includes(failure.refusal.group)
				) {
					ledger.memory.refused.push(failure.refusal.group);
					continue;
				}
				return this.#records.diagnose(entry, failure);
			}
			close(memory);
			await yieldToEventLoop(received.body.length);
			try {
				const accepted = accept(ledger, entry, received, asked, automatic);
				if (!accepted.isKept || !entry.head) return undefined;
				const { head } = entry;
				await yieldToEventLoop(received.body.length);
				await this.#keeper.saveAnswer({ head, body: received.body });
				await this.#joinStrings(entry);
				if (accepted.isNew || changed) await this.#herald.announceNew(entry);
				return undefined;
			} catch (error) {
				memory.changed ||= changed;
				return ownError(error);
			}
		}
	}

	/** What a request asks for: all that anybody shows, and no more days than wanted. */
	#parameters(entry: Entry): Asked {
		const ledger = this.#ledger;
		const { wanted } = entry.memory;
		const wants: Wants[] = [
			...entry.subscribers,
			...(wanted.until > ledger.now() ? [wanted] : []),
		];
		const { refused } = ledger.memory;
		return {
			pastDays: Math.max(0, ...wants.map(({ pastDays }) => pastDays)),
			include: [
				...(ALL_GROUPS.some((group) => refused.includes(group))
					? ALL_GROUPS.filter((group) => !refused.includes(group))
					: ["all"]),
				...(wants.some(({ variability }) => variability) &&
				ledger.mayHave("variability")
					? ["variability"]
					: []),
			],
		};
	}

	/** A string id that the record does not know: the record is older than the string. */
	async #joinStrings(entry: Entry): Promise<void> {
		if (entry.source.kind !== "site") return;
		const known = new Set(entry.site?.strings.map((s) => s.string_id));
		const unknown = (entry.forecast?.strings ?? [])
			.map(({ string_id }) => string_id)
			.filter((id) => id !== null && !known.has(id))
			.join("\n");
		if (unknown !== "" && unknown !== entry.unknownStrings) {
			await this.#records.read(entry).catch(() => {});
		}
		entry.unknownStrings = unknown;
	}

	#uncount(
		{ cause: { status } }: SolarYieldError,
		kind: "forecast" | "historical" = "forecast",
	): void {
		if (status !== null && UNCOUNTED_STATUS.includes(status)) {
			this.#ledger.count(-1, kind);
		}
	}

	// — a historical request —

	/**
	 * A historical request in its turn, with a count and a stop of its own
	 * (behaviour: The month's requests).
	 *
	 * @throws SolarYieldError as `ask` does; `QUOTA` or `RATE` while it may not be asked
	 */
	historical<T>(ask: (client: SolarYieldClient) => Promise<T>): Promise<T> {
		return this.inTurn(async () => {
			const gone = this.#goneError();
			if (gone) throw gone;
			const claimed = await this.#keeper.claim();
			try {
				await this.#takeOverAccount();
				const ledger = this.#ledger;
				const hold = historicalHoldOf(ledger.memory, ledger.now());
				if (hold) throw holdError(hold);
				return await this.#fetchHistorical(ask);
			} finally {
				if (claimed) await this.#keeper.release();
			}
		});
	}

	async #fetchHistorical<T>(
		ask: (client: SolarYieldClient) => Promise<T>,
	): Promise<T> {
		const ledger = this.#ledger;
		ledger.count(1, "historical");
		await this.save();
		try {
			const answer = await ask(this.#client);
			ledger.memory.exhausted.historical = null;
			return answer;
		} catch (error) {
			const failure = ownError(error);
			this.#uncount(failure, "historical");
			if (failure.kind === "RATE") {
				noteBurst(ledger.memory, failure, ledger.now());
			}
			throw failure;
		} finally {
			await this.save();
		}
	}

	// — what is kept —

	/** Writes what is remembered of a source, and of the account. */
	async store(entry?: Entry): Promise<void> {
		const ledger = this.#ledger;
		const { memory, server } = ledger;
		ledger.pacer.changed();
		memory.skew = server.skew;
		memory.dateRefuted = server.refuted;
		await Promise.all([
			entry &&
				this.#isWorthKeeping(entry) &&
				this.#keeper.saveSite(entry.key, entry.memory),
			this.#keeper.saveAccount(memory),
		]);
	}

	/**
	 * Not an entry whose inline system was edited, which has nothing to say any
	 * more, nor an id that only a message named and that cost no request: a flow
	 * may make up any number of these.
	 */
	#isWorthKeeping(entry: Entry): boolean {
		const { key, subscribers, memory } = entry;
		return (
			this.#ledger.entries.get(key) === entry &&
			(subscribers.size > 0 || memory.requestedAt !== null)
		);
	}

	/** The same, and tells those whose statuses may show it. */
	async save(entry?: Entry): Promise<void> {
		await this.store(entry);
		this.#herald.changed(entry);
	}

	/** Reads what is kept of a source when it is first named. */
	async load(entry: Entry): Promise<void> {
		const [kept, stored] = await Promise.all([
			this.#keeper.loadSite(entry.key),
			this.#keeper.loadAnswer(entry.key),
		]);
		// Of an inline system that was edited, what is known is another's.
		if (kept?.system === systemHash(entry.source)) entry.memory = kept;
		await this.#useAnswer(entry, stored);
		// Nobody waits for that request's answer any more.
		if (entry.memory.open) noteInterruption(entry.memory);
	}

	/** Makes a kept forecast the source's; one that cannot be read changes nothing. */
	async #useAnswer(
		entry: Entry,
		stored: StoredAnswer | undefined,
	): Promise<void> {
		const { source, memory, key } = entry;
		if (memory.record !== null && source.kind === "site") {
			try {
				entry.site = readSite(memory.record, key);
			} catch {
				memory.recordAt = null;
			}
		}
		if (!stored || stored.head.system !== systemHash(source)) {
			// Without the forecast, what was heard of it must not hold back the next request.
			memory.answeredAt = null;
			return;
		}
		const { head } = stored;
		try {
			const answer = readForecast(JSON.parse(stored.body));
			const { siteZone } = head;
			const [interval] = this.#ledger.accounts.intervals;
			const forecast = placeForecast(answer, { siteZone, interval });
			entry.put(answer, head, new Map([[forecast.interval, forecast]]));
			entry.asked = wantsOf(head);
		} catch {
			memory.answeredAt = null;
			await this.#keeper.discardAnswer(key);
			return;
		}
		// The forecast is written before the rest: the newer of the two counts.
		if (head.answeredAt > (memory.answeredAt ?? 0)) {
			memory.answeredAt = head.answeredAt;
			memory.nextPollAt = head.nextPollAt;
			memory.computedAt = head.computedAt;
			if ((memory.requestedAt ?? 0) <= head.answeredAt) {
				close(memory);
				memory.failure = null;
			}
		}
	}

	async #takeOverAccount(): Promise<void> {
		if (!(await this.#keeper.changedByOthers())) return;
		const memory = await this.#keeper.loadAccount();
		if (memory) this.#ledger.adopt(memory);
	}

	/** Uses what another process on the same directory has fetched meanwhile. */
	async #takeOverFromOthers(entry: Entry): Promise<void> {
		await this.#takeOverAccount();
		if (!(await this.#keeper.changedByOthers(entry.key))) return;
		const kept = await this.#keeper.loadSite(entry.key);
		if (!kept || kept.system !== systemHash(entry.source)) return;
		const { wanted } = entry.memory;
		entry.memory = kept;
		if (wanted.until > kept.wanted.until) kept.wanted = wanted;
		const { answeredAt, computedAt } = entry.head ?? {};
		if (answeredAt === kept.answeredAt) return;
		await this.#useAnswer(entry, await this.#keeper.loadAnswer(entry.key));
		if (entry.head && entry.head.computedAt !== computedAt) {
			await this.#herald.announceNew(entry);
		}
	}
}

/** The outcome of a request is known. */
function close(memory: SiteMemory): void {
	memory.open = false;
	memory.stopped = false;
}
