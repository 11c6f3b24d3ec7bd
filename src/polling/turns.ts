import { placeForecast } from "../forecast/forecast";
import type { SolarYieldClient } from "../service/client";
import type { SolarYieldError } from "../service/errors/solar-yield-error";
import { readForecast } from "../service/v2/forecast-answer";
import { readSite } from "../service/v2/sites/site";
import { Queue } from "../util/queue";
import { yieldToEventLoop } from "../util/yield-to-event-loop";
import type { AccountState } from "./account-state";
import { LOCKED_MS } from "./schedule/back-off";
import { reachedOfService } from "./schedule/limits";
import {
	endOf,
	type Held,
	holdForecast,
	type PolledSource,
	siteZoneOf,
	systemHash,
} from "./source/source";
import {
	countRequest,
	noteBurst,
	recoverStop,
	takeOverAccount,
} from "./step/account-transitions";
import {
	goneError,
	isUncounted,
	limitError,
	requestError,
} from "./step/errors";
import { noteInterruption, takeOverSite } from "./step/site-transitions";
import type { Situation } from "./step/situation";
import {
	afterRequest,
	beforeRequest,
	fail,
	type Outcome,
	type StepResult,
} from "./step/step";
import {
	isNeeded,
	nextRequest,
	type Turn,
	type TurnRequest,
	wantsOf,
} from "./step/turn";
import type { AccountStorage, StoredAnswer } from "./storage/account-files";

/** Who is told of what a turn came to. */
export interface Listener {
	/** Something that a status shows has changed. */
	onChange(source: PolledSource): void;
	/** A turn has ended. */
	onEnd(): void;
	/** A new forecast has come. */
	onForecast(source: PolledSource): Promise<void>;
	/** A request has failed in a way that flows should hear of. */
	onFailure(source: PolledSource, error: SolarYieldError): void;
}

/**
 * Makes an account's requests, one turn after another (behaviour: One request per new
 * forecast), and keeps what is known on disk. What is asked for, and what comes of it,
 * the steps say.
 */
export class Turns {
	readonly #account: AccountState;
	readonly #client: SolarYieldClient;
	readonly #storage: AccountStorage;
	readonly #listener: Listener;
	readonly #queue = new Queue();

	constructor(
		account: AccountState,
		client: SolarYieldClient,
		storage: AccountStorage,
		listener: Listener,
	) {
		this.#account = account;
		this.#client = client;
		this.#storage = storage;
		this.#listener = listener;
	}

	// — forecasts —

	/**
	 * Takes a source's turn, or joins the one under way.
	 *
	 * @returns what went wrong
	 */
	take(source: PolledSource, turn: Turn): Promise<SolarYieldError | undefined> {
		source.request ??= this.#queue
			.add(() => this.#take(source, turn))
			.catch((error) => {
				// Whatever it was, it must not be tried again at once.
				return this.#use(source, (state, now) =>
					fail(state, turn, requestError(error), now),
				).error;
			})
			.finally(() => {
				source.request = undefined;
				this.#listener.onEnd();
			});
		return source.request;
	}

	async #take(
		source: PolledSource,
		turn: Turn,
	): Promise<SolarYieldError | undefined> {
		const account = this.#account;
		const now = account.now();
		if (!isNeeded(account.situation(source, now), turn, now)) return undefined;
		if (account.settings.size === 0) return goneError();
		const isLocked = await this.#storage.lock();
		if (!isLocked && turn.cause === "poll") {
			source.lockedUntil = now + LOCKED_MS;
			return undefined;
		}
		try {
			await this.#takeOverFromOthers(source);
			return await this.#requests(source, turn);
		} finally {
			if (isLocked) await this.#storage.unlock();
		}
	}

	/** The requests of a turn. */
	async #requests(
		source: PolledSource,
		begin: Turn,
	): Promise<SolarYieldError | undefined> {
		const account = this.#account;
		for (let turn = begin; ; ) {
			const now = account.now();
			const state = account.situation(source, now);
			const { request, error } = nextRequest(state, turn, now);
			if (!request) {
				if (turn.isNews) await this.#listener.onForecast(source);
				// One attempt is what a lift allows, not one until it works.
				if (error) account.memory = { ...account.memory, lifted: false };
				if (turn !== begin) await this.save(source);
				return error;
			}
			if (request.what === "forecast") {
				this.#use(source, (state, now) => beforeRequest(state, turn, now));
				await this.save(source);
			}
			const outcome = await this.#send(source, request).catch(
				(error): Outcome => ({ error: requestError(error) }),
			);
			const { held } = source.known;
			const asked = turn;
			turn = this.#use(source, (state, now) =>
				afterRequest(state, request, asked, outcome, now),
			);
			const { body } = outcome;
			if (body === undefined || source.known.held === held) continue;
			const { head } = source.known.held as Held;
			await this.#storage.answerStore(head.key).save({ head, body });
		}
	}

	/** Takes over what a step has made of all that is known. */
	#use(
		source: PolledSource,
		step: (state: Situation, now: number) => StepResult,
	): Turn {
		const account = this.#account;
		const now = account.now();
		const { turn, told, ...after } = step(account.situation(source, now), now);
		account.memory = after.account;
		source.known = after.known;
		if (told) this.#listener.onFailure(source, told);
		return turn;
	}

	/** Sends a request; rejects as the client does. */
	async #send(source: PolledSource, request: TurnRequest): Promise<Outcome> {
		const client = this.#client;
		const { key, origin, known } = source;
		if (request.what === "sites") {
			return { sites: await client.sites() };
		}
		if (request.what === "site") {
			return { sites: [await client.site(key)] };
		}
		const parameters = { ...request.parameters, zone: siteZoneOf(known)?.name };
		const { answer, body } = await (origin.kind === "site"
			? client.forecast(key, parameters)
			: client.inlineForecast(origin.system, parameters));
		await yieldToEventLoop(body.length);
		const { interval, server } = this.#account;
		const siteZone = known.site?.timezone ?? null;
		const forecast = placeForecast(answer, { siteZone, interval });
		const [begin] = forecast.values.starts;
		server.check(begin as number, endOf(forecast));
		return { came: { answer, forecast }, body };
	}

	// — historical data —

	/**
	 * A historical request in its turn, with a count and limits of its own (behaviour: The
	 * month's requests).
	 *
	 * @param zone of the site, for the times in errors
	 * @throws SolarYieldError as `ask` does; `QUOTA` or `RATE` while it may not be asked
	 */
	historical<T>(
		ask: (client: SolarYieldClient) => Promise<T>,
		zone: string | undefined,
	): Promise<T> {
		return this.#queue.add(async () => {
			const account = this.#account;
			if (account.settings.size === 0) throw goneError();
			const isLocked = await this.#storage.lock();
			try {
				await this.#takeOverAccount();
				const now = account.now();
				const limit = reachedOfService(account.memory, "historical", now);
				if (limit) throw limitError(limit, zone);
				account.memory = countRequest(account.memory, "historical", now);
				await this.save();
				return await ask(this.#client);
			} catch (error) {
				const failure = requestError(error);
				const now = account.now();
				if (isUncounted(failure)) {
					account.memory = countRequest(account.memory, "historical", now, -1);
				}
				// Not for a limit that was known before.
				if (failure.kind === "RATE" && failure.cause.status !== null) {
					account.memory = noteBurst(account.memory, failure, now);
				}
				throw failure;
			} finally {
				await this.save();
				if (isLocked) await this.#storage.unlock();
			}
		});
	}

	/** A free read in its turn, which tells the server's time; never rejects. */
	readTime(): Promise<unknown> {
		return this.#queue.add(() => this.#client.sites()).catch(() => {});
	}

	// — what is on disk —

	/**
	 * Saves what is remembered of the account, and of a source: not of one whose inline
	 * system was edited, which has nothing to say any more, nor of an id that only a
	 * message named and that cost no request: a flow may make up any number of these.
	 */
	async save(source?: PolledSource): Promise<void> {
		const account = this.#account;
		account.renewPace();
		account.memory = { ...account.memory, seenAt: account.now() };
		if (source) {
			// While it is asked for, and once more when that is over.
			source.told = "";
			this.#listener.onChange(source);
		}
		const isWorthSaving =
			source &&
			account.sources.get(source.key) === source &&
			(source.subscribers.size > 0 || source.known.memory.requestedAt !== null);
		await Promise.all([
			isWorthSaving &&
				this.#storage.siteStore(source.key).save(source.known.memory),
			this.#storage.accountStore.save(account.memory),
		]);
	}

	/** Loads what an earlier or another process stored of the account. */
	async loadAccount(): Promise<void> {
		const memory = await this.#storage.accountStore.load();
		if (!memory) return;
		const account = this.#account;
		account.server.resume(memory.seenAt);
		account.memory = takeOverAccount(account.memory, memory);
	}

	/** Loads what is stored of a source, when it is first named. */
	async loadSource(source: PolledSource): Promise<void> {
		await this.#load(source);
		const { failure } = source.known.memory;
		if (failure && this.#storage.accountStore.isDamaged) {
			this.#account.memory = recoverStop(this.#account.memory, failure);
		}
		source.update(noteInterruption);
	}

	async #load(source: PolledSource): Promise<void> {
		const { key, origin } = source;
		const system = systemHash(origin);
		const answers = this.#storage.answerStore(key);
		const memory = await this.#storage.siteStore(key).load();
		const stored = await answers.load();
		// What is stored of an inline system that was edited is another system's.
		const own = memory?.system === system ? memory : undefined;
		const answer = stored?.head.system === system ? stored : undefined;
		const held = answer && (await this.#heldOf(answer));
		source.known = {
			...source.known,
			memory: takeOverSite(
				source.known.memory,
				own,
				held?.head,
				answers.isDamaged,
			),
			held,
			asked: held && wantsOf(held.head),
		};
		const { record } = source.known.memory;
		if (record === null || origin.kind === "inline") return;
		source.known = { ...source.known, site: readSite(record, key) };
	}

	/** A stored forecast; undefined of one that cannot be read, which is set aside. */
	async #heldOf({ head, body }: StoredAnswer): Promise<Held | undefined> {
		try {
			const answer = readForecast(JSON.parse(body));
			return holdForecast(answer, head, this.#account.interval);
		} catch {
			await this.#storage.answerStore(head.key).setAside();
			return undefined;
		}
	}

	async #takeOverAccount(): Promise<void> {
		if (await this.#storage.accountStore.isChanged()) await this.loadAccount();
	}

	/** Takes over what another process has fetched meanwhile. */
	async #takeOverFromOthers(source: PolledSource): Promise<void> {
		await this.#takeOverAccount();
		if (!(await this.#storage.siteStore(source.key).isChanged())) return;
		const before = source.known.held?.head.computedAt;
		await this.#load(source);
		const { held } = source.known;
		if (held && held.head.computedAt !== before) {
			await this.#listener.onForecast(source);
		}
	}

	/** Resolves when no request is under way and all is on disk. */
	async idle(): Promise<void> {
		await this.#queue.idle();
		await this.#storage.idle();
	}
}
