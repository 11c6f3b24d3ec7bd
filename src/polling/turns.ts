import { placeForecast } from "../forecast/forecast";
import type { SolarYieldClient } from "../service/client";
import type { SolarYieldError } from "../service/errors/solar-yield-error";
import { Queue } from "../util/queue";
import { SECOND_MS } from "../util/time";
import { yieldToEventLoop } from "../util/yield-to-event-loop";
import type { AccountState } from "./account-state";
import { reachedOfService } from "./schedule/limits";
import { endOf, type PolledSource, siteZoneOf } from "./source/source";
import {
	countRequest,
	noteHistoricalFailure,
} from "./step/account-transitions";
import { goneError, limitError, requestError } from "./step/errors";
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
} from "./step/turn";

/** Another process makes its request: time until a poll is tried again, ms. */
const LOCKED_MS = 5 * SECOND_MS;

/** Who is told of what a turn came to. */
export interface Listener {
	/** Something that a status shows has changed. */
	onChange(source: PolledSource): void;
	/** A turn has ended. */
	onEnd(source: PolledSource): void;
	/** A new forecast has come. */
	onForecast(source: PolledSource): Promise<void>;
	/** A request has failed in a way that flows should hear of. */
	onFailure(source: PolledSource, error: SolarYieldError): void;
}

/**
 * Makes an account's requests, one turn after another (behaviour: One request per new
 * forecast). What is asked for, and what comes of it, the steps say.
 */
export class Turns {
	readonly #account: AccountState;
	readonly #client: SolarYieldClient;
	readonly #listener: Listener;
	readonly #queue = new Queue();

	constructor(
		account: AccountState,
		client: SolarYieldClient,
		listener: Listener,
	) {
		this.#account = account;
		this.#client = client;
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
				return this.#use(source, (state) =>
					fail(state, turn, requestError(error)),
				).error;
			})
			.finally(() => {
				source.request = undefined;
				this.#listener.onEnd(source);
			});
		return source.request;
	}

	async #take(
		source: PolledSource,
		turn: Turn,
	): Promise<SolarYieldError | undefined> {
		const account = this.#account;
		if (!isNeeded(account.situation(source), turn)) return undefined;
		if (account.settings.size === 0) return goneError();
		const isLocked = await account.storage.lock();
		if (!isLocked && turn.cause === "poll") {
			source.lockedUntil = account.now() + LOCKED_MS;
			return undefined;
		}
		try {
			if (await account.takeOver(source)) {
				await this.#listener.onForecast(source);
			}
			return await this.#requests(source, turn);
		} finally {
			if (isLocked) await account.storage.unlock();
		}
	}

	/** The requests of a turn. */
	async #requests(
		source: PolledSource,
		begin: Turn,
	): Promise<SolarYieldError | undefined> {
		const account = this.#account;
		for (let turn = begin; ; ) {
			const state = account.situation(source);
			const { request, error } = nextRequest(state, turn);
			if (!request) {
				if (turn.isNews) await this.#listener.onForecast(source);
				// One attempt is what a lift allows, not one until it works.
				if (error) account.memory = { ...account.memory, lifted: false };
				if (turn !== begin) await this.save(source);
				return error;
			}
			if (request.what === "forecast") {
				this.#use(source, (state) => beforeRequest(state, turn));
				await this.save(source);
			}
			const outcome = await this.#send(source, request).catch(
				(error): Outcome => ({ error: requestError(error) }),
			);
			const { held } = source.known;
			const asked = turn;
			turn = this.#use(source, (state) =>
				afterRequest(state, request, asked, outcome),
			);
			const { head } = source.known.held ?? {};
			if (!outcome.came || !head || head === held?.head) continue;
			const { body } = outcome.came;
			await account.storage.answerStore(head.key).save({ head, body });
		}
	}

	/** Takes over what a step has made of all that is known. */
	#use(source: PolledSource, step: (state: Situation) => StepResult): Turn {
		const account = this.#account;
		const { turn, told, ...after } = step(account.situation(source));
		account.memory = after.account;
		source.known = after.known;
		if (told) this.#listener.onFailure(source, told);
		return turn;
	}

	/** Sends a request; rejects as the client does. */
	async #send(source: PolledSource, request: TurnRequest): Promise<Outcome> {
		const client = this.#client;
		const { key, origin, known } = source;
		if (request.what !== "forecast") {
			const isOne = request.what === "site";
			return { sites: isOne ? [await client.site(key)] : await client.sites() };
		}
		const parameters = { ...request.parameters, zone: siteZoneOf(known)?.name };
		const { answer, body } = await client.forecast(
			origin.kind === "site" ? key : origin.system,
			parameters,
		);
		await yieldToEventLoop(body.length);
		const { interval, server } = this.#account;
		const siteZone = known.site?.timezone ?? null;
		const forecast = placeForecast(answer, { siteZone, interval });
		const [begin] = forecast.values.starts;
		server.check(begin as number, endOf(forecast));
		return { came: { answer, forecast, body } };
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
			const isLocked = await account.storage.lock();
			try {
				await account.takeOver();
				const now = account.now();
				const limit = reachedOfService(account.memory, "historical", now);
				if (limit) throw limitError(limit, zone);
				account.memory = countRequest(account.memory, "historical", now);
				await account.save();
				return await ask(this.#client);
			} catch (error) {
				const failure = requestError(error);
				const { memory } = account;
				account.memory = noteHistoricalFailure(memory, failure, account.now());
				throw failure;
			} finally {
				await account.save();
				if (isLocked) await account.storage.unlock();
			}
		});
	}

	/** A free read in its turn, which tells the server's time; never rejects. */
	readTime(): Promise<unknown> {
		return this.#queue.add(() => this.#client.sites()).catch(() => {});
	}

	/** Saves what is remembered of a source, which has changed, and says so. */
	async save(source: PolledSource): Promise<void> {
		const saved = this.#account.save(source);
		source.told = "";
		this.#listener.onChange(source);
		await saved;
	}

	/** Resolves when no request is under way. */
	idle(): Promise<void> {
		return this.#queue.idle();
	}
}
