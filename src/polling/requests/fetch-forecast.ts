import type { ReceivedForecast, SolarYieldClient } from "../../service/client";
import { RefusedError } from "../../service/errors/answer-error";
import type { SolarYieldError } from "../../service/errors/solar-yield-error";
import { ALL_GROUPS } from "../../service/v2/groups";
import { yieldToEventLoop } from "../../util/yield-to-event-loop";
import type { AccountState } from "../account/account-state";
import {
	countRequest,
	noteRefusedGroup,
	uncountRequest,
} from "../account/account-transitions";
import { noteRequest, noteRequestEnd } from "../account/site-transitions";
import type { SourceState } from "../account/source-state";
import type { Wants } from "../account/subscriber";
import type { AccountStorage } from "../storage/account-storage";
import { acceptAnswer, type RequestParameters } from "./accept-answer";
import { requestError } from "./failures";
import type { Notifier } from "./notifier";
import type { SiteProbe } from "./site-probe";
import type { StoredState } from "./stored-state";

/** Statuses of answers that the service gives before it counts (spec V2, "Errors"). */
const UNCOUNTED_STATUS = [400, 401, 403, 404, 409, 422, 429];

/** Whether a failed request was not counted by the service. */
export function isUncounted({ cause: { status } }: SolarYieldError): boolean {
	return status !== null && UNCOUNTED_STATUS.includes(status);
}

/** The poll loop, an input where a request is due, or `msg.refresh`. */
export type RequestCause = "poll" | "input" | "refresh";

/** Fetches forecasts: the request itself, and all that comes of its answer. */
export class ForecastFetcher {
	readonly #account: AccountState;
	readonly #client: SolarYieldClient;
	readonly #storage: AccountStorage;
	readonly #stored: StoredState;
	readonly #notifier: Notifier;
	readonly #probe: SiteProbe;

	constructor(
		account: AccountState,
		client: SolarYieldClient,
		storage: AccountStorage,
		stored: StoredState,
		notifier: Notifier,
		probe: SiteProbe,
	) {
		this.#account = account;
		this.#client = client;
		this.#storage = storage;
		this.#stored = stored;
		this.#notifier = notifier;
		this.#probe = probe;
	}

	/**
	 * Makes a request, once more without each group that the plan refuses.
	 *
	 * @returns what went wrong
	 */
	async fetch(
		source: SourceState,
		cause: RequestCause,
	): Promise<SolarYieldError | undefined> {
		const account = this.#account;
		const { changed } = source.memory;
		for (;;) {
			const parameters = this.#parameters(source);
			const now = account.now();
			source.update(noteRequest, now);
			account.update(countRequest, "forecast", now);
			// Before it is sent, so that a crash loop does not forget it.
			await this.#stored.saveAndNotify(source);
			let received: ReceivedForecast;
			try {
				received = await (source.origin.kind === "site"
					? this.#client.forecast(source.key, parameters)
					: this.#client.inlineForecast(source.origin.system, parameters));
			} catch (error) {
				source.update(noteRequestEnd, changed);
				const failure = requestError(error);
				if (isUncounted(failure)) {
					account.update(uncountRequest, "forecast", account.now());
				}
				if (
					failure instanceof RefusedError &&
					failure.refusal?.type === "group" &&
					!account.memory.refused.includes(failure.refusal.group)
				) {
					account.update(noteRefusedGroup, failure.refusal.group);
					continue;
				}
				return this.#probe.diagnose(source, failure);
			}
			source.update(noteRequestEnd);
			try {
				await this.#useAnswer(source, received, parameters, {
					cause,
					changed,
				});
				return undefined;
			} catch (error) {
				source.update(noteRequestEnd, changed);
				return requestError(error);
			}
		}
	}

	/** What a request asks for: all that anybody shows, and no more days than wanted. */
	#parameters(source: SourceState): RequestParameters {
		const account = this.#account;
		const { wanted } = source.memory;
		const wants: Wants[] = [
			...source.subscribers,
			...(wanted.until > account.now() ? [wanted] : []),
		];
		const { refused } = account.memory;
		return {
			pastDays: Math.max(0, ...wants.map(({ pastDays }) => pastDays)),
			include: [
				...(ALL_GROUPS.some((group) => refused.includes(group))
					? ALL_GROUPS.filter((group) => !refused.includes(group))
					: ["all"]),
				...(wants.some(({ variability }) => variability) &&
				account.mayHave("variability")
					? ["variability"]
					: []),
			],
		};
	}

	async #useAnswer(
		source: SourceState,
		{ answer, body }: ReceivedForecast,
		parameters: RequestParameters,
		{ cause, changed }: { cause: RequestCause; changed: boolean },
	): Promise<void> {
		await yieldToEventLoop(body.length);
		const { isKept, isNew } = acceptAnswer(
			this.#account,
			source,
			answer,
			parameters,
			cause === "poll",
		);
		const { head } = source;
		if (!isKept || !head) return;
		await yieldToEventLoop(body.length);
		await this.#storage.saveAnswer({ head, body });
		if (cause === "refresh" && source.origin.kind === "site") {
			await this.#probe.readForRefresh(source);
		}
		await this.#readNewStrings(source);
		if (isNew || changed) await this.#notifier.announceNew(source);
	}

	/** Reads the record anew where it does not know a string of the forecast: it is older than the string. */
	async #readNewStrings(source: SourceState): Promise<void> {
		if (source.origin.kind !== "site") return;
		const known = new Set(source.site?.strings.map((s) => s.string_id));
		const unknown = (source.forecast?.strings ?? [])
			.map(({ string_id }) => string_id)
			.filter((id) => id !== null && !known.has(id))
			.join("\n");
		if (unknown !== "" && unknown !== source.unknownStrings) {
			await this.#probe.read(source).catch(() => {});
		}
		source.unknownStrings = unknown;
	}
}
