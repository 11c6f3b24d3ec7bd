import type { SolarYieldClient } from "../../service/client";
import { RefusedError } from "../../service/errors/answer-error";
import { ForeignAnswerError } from "../../service/errors/first-contact";
import {
	type ErrorFacts,
	SolarYieldError,
} from "../../service/errors/solar-yield-error";
import type { Site } from "../../service/v2/sites/site";
import { restoreText } from "../../service/v2/sites/site-dates";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../util/time";
import type { AccountState } from "../account/account-state";
import {
	endKeyBlock,
	noteKeyProbe,
	noteKeyProbeEnd,
} from "../account/account-transitions";
import {
	endSiteBlock,
	expireRecord,
	noteProbe,
	noteProbeEnd,
	noteRecord,
} from "../account/site-transitions";
import type { SourceState } from "../account/source-state";
import { isWithin } from "../schedule/remembered-times";
import { siteBlockPlan } from "../schedule/schedule";
import { failureError, requestError } from "./failures";
import type { Notifier } from "./notifier";

/** Age at which a site's record is read again, ms. */
const RECORD_MS = DAY_MS;
/** Time for which a record is not tried again that could not be read, ms: it may hang, and the forecast waits. */
const FAILED_READ_MS = HOUR_MS;
/** Least time between free reads for `msg.refresh`, ms. */
const REFRESH_READ_MS = MINUTE_MS;

const noSuchSite = (facts?: ErrorFacts) =>
	new SolarYieldError("NOT_FOUND", "polling.no_such_site", {}, facts);

/** The free reads of sites: what they tell of a request before it is made, and after it failed. */
export class SiteProbe {
	readonly #account: AccountState;
	readonly #client: SolarYieldClient;
	readonly #notifier: Notifier;

	constructor(
		account: AccountState,
		client: SolarYieldClient,
		notifier: Notifier,
	) {
		this.#account = account;
		this.#client = client;
		this.#notifier = notifier;
	}

	/** Reads a site's record. */
	async read(source: SourceState): Promise<void> {
		this.#note(source, await this.#client.site(source.key));
	}

	/** Reads the record for a refresh, whose asker wants the site's new name too; where that fails, the known one holds. */
	async readForRefresh(source: SourceState): Promise<void> {
		const { recordAt } = source.memory;
		const now = this.#account.now();
		if (recordAt !== null && isWithin(REFRESH_READ_MS, recordAt, now)) return;
		await this.read(source).catch(() => {});
	}

	async #readFromList(source: SourceState): Promise<void> {
		const sites = await this.#client.sites();
		const site = sites.find(({ site_id }) => site_id === source.key);
		if (!site) throw noSuchSite();
		this.#note(source, site);
	}

	#note(source: SourceState, site: Site): void {
		source.site = site;
		source.update(noteRecord, site.record, this.#account.now());
	}

	/**
	 * Reads the site's record before a request: when the server's clock is in doubt
	 * (asking too early would cost a request), when no record is known, and once a
	 * day. The read is advice: where it fails, the forecast is asked for all the same
	 * (behaviour: Failures).
	 *
	 * @returns an error that the request itself would end in as well, from the
	 * service's own clear word: the key is refused, the site deleted or inactive
	 */
	async readFirst(source: SourceState): Promise<SolarYieldError | undefined> {
		const { server } = this.#account;
		const { recordAt } = source.memory;
		const now = server.now();
		const isFresh =
			(recordAt !== null && isWithin(RECORD_MS, recordAt, now)) ||
			isWithin(FAILED_READ_MS, source.readFailedAt, now);
		if (source.origin.kind !== "site" || (isFresh && server.isTrusted)) {
			return undefined;
		}
		try {
			await this.read(source);
		} catch (error) {
			const failure = requestError(error);
			source.readFailedAt = server.now();
			// An id that only a message names is not worth a request to be sure.
			const isUnknown =
				failure.kind === "NOT_FOUND" && source.subscribers.size === 0;
			const isRefused = failure.kind === "AUTH" || failure.cause.status === 401;
			return isUnknown || isRefused ? failure : undefined;
		}
		source.readFailedAt = 0;
		return unusableError(source.site);
	}

	/**
	 * 403 and 404 on a forecast: the free site read tells why (behaviour: Failures). At
	 * an address that has never answered well it is that of the list, which another
	 * server does not know.
	 */
	async diagnose(
		source: SourceState,
		error: SolarYieldError,
	): Promise<SolarYieldError> {
		const { status } = error.cause;
		if (
			source.origin.kind !== "site" ||
			// A key, or somebody else's page, is no matter of the site.
			error.kind === "AUTH" ||
			error.kind === "NETWORK" ||
			(status !== 403 && status !== 404)
		) {
			return error;
		}
		try {
			if (source.site || this.#account.hasAnswered) await this.read(source);
			else await this.#readFromList(source);
		} catch (reading) {
			if (reading instanceof ForeignAnswerError) return reading;
			if (status !== 404 || requestError(reading).kind !== "NOT_FOUND") {
				return error;
			}
			source.update(expireRecord);
			return noSuchSite({ status, detail: error.cause.detail });
		}
		return unusableError(source.site) ?? error;
	}

	/** Asks the free list of sites whether a block has ended (behaviour: Failures). */
	async probe(source: SourceState): Promise<void> {
		const account = this.#account;
		const { key } = source;
		const isKeyBlocked = account.memory.keyGate !== null;
		if (isKeyBlocked) account.update(noteKeyProbe);
		else if (source.memory.gate) source.update(noteProbe);
		else return;
		try {
			const sites = await this.#client.sites();
			if (isKeyBlocked) account.update(endKeyBlock);
			const site =
				sites.find(({ site_id }) => site_id === key) ??
				// A record that cannot be read may be missing in the list.
				(await this.#client.site(key).catch(() => undefined));
			if (source.memory.gate?.type === "site" && site && isUsable(site)) {
				source.update(endSiteBlock);
			}
		} catch (error) {
			const failure = requestError(error);
			if (failure.kind === "AUTH" && !isKeyBlocked) {
				this.#notifier.fail(source, failure, true);
			}
		}
		const now = account.now();
		if (isKeyBlocked) account.update(noteKeyProbeEnd, now);
		else source.update(noteProbeEnd, account.memory.lifts, now);
	}

	/**
	 * Why `msg.refresh` makes no request for a blocked site: the free read of its
	 * record shows nothing that would end the block. It ends the block of a site
	 * that is usable again; after a refusal by the plan or of the input another
	 * request is only made once what the forecast is made of has changed.
	 */
	async blockError(source: SourceState): Promise<SolarYieldError | undefined> {
		const { memory, origin, site: before } = source;
		const { gate: block } = memory;
		const account = this.#account;
		const now = account.now();
		const plan = siteBlockPlan(memory, account.memory, now);
		const isBlocked = plan && (plan.what === "probe" || plan.at > now);
		if (!block || !isBlocked) return undefined;
		const known = () => failureError(source, account.nextAt(source));
		if (
			origin.kind === "inline" ||
			isWithin(REFRESH_READ_MS, source.refreshedAt, now)
		) {
			return known();
		}
		source.refreshedAt = now;
		try {
			await this.read(source);
		} catch (error) {
			const failure = requestError(error);
			// These concern more than this site.
			if (failure.kind === "AUTH" || failure.kind === "RATE") {
				this.#notifier.fail(source, failure, false);
			}
			return known();
		}
		const { site } = source;
		if (!site || !isUsable(site)) return known();
		if (block.type === "site") {
			source.update(endSiteBlock);
			return undefined;
		}
		return before && inputsOf(before) !== inputsOf(site) ? undefined : known();
	}
}

const isUsable = ({ state }: Site) =>
	state === "active" || state === "temporary";

/** What a site's forecast is made of, as text. */
function inputsOf({ state, record }: Site): string {
	const { latitude, longitude, strings, config } = record;
	return JSON.stringify([state, latitude, longitude, strings, config]);
}

/** Why a site has no forecasts, from its own record. */
function unusableError(site: Site | undefined): SolarYieldError | undefined {
	if (site?.state === "deleted") {
		return new SolarYieldError("NOT_FOUND", "polling.site_deleted", {
			until: restoreText(site),
		});
	}
	if (site?.state === "inactive") {
		return new RefusedError(
			"PLAN",
			"polling.site_inactive",
			{},
			{},
			{ refusal: { type: "inactive" } },
		);
	}
	return undefined;
}
