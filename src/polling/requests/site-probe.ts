import type { SolarYieldClient } from "../../service/client";
import { RefusedError } from "../../service/errors/answer-error";
import { SolarYieldError } from "../../service/errors/solar-yield-error";
import type { Site } from "../../service/v2/sites/site";
import type { Ledger } from "../account/account-state";
import type { Entry } from "../account/source-state";
import { failureError } from "../memory/schemas";
import { AHEAD_MS, gateOf } from "../schedule/schedule";
import { type Herald, ownError } from "./notifier";

/** How long a site's record is taken to be as it was read, ms. */
const FRESH_MS = 24 * 3_600_000;
/** Least time between free reads for `msg.refresh`, ms. */
const REFRESH_READ_MS = 60_000;

/** The free reads of sites: what they tell of a request before it is made, and after it failed. */
export class Records {
	readonly #ledger: Ledger;
	readonly #client: SolarYieldClient;
	readonly #herald: Herald;

	constructor(ledger: Ledger, client: SolarYieldClient, herald: Herald) {
		this.#ledger = ledger;
		this.#client = client;
		this.#herald = herald;
	}

	/** Reads a site's record. */
	async read(entry: Entry): Promise<void> {
		const site = await this.#client.site(entry.key);
		entry.site = site;
		entry.memory.record = site.record;
		entry.memory.recordAt = this.#ledger.now();
	}

	/**
	 * The free read of the site's record that goes before a request: when the
	 * server's clock is in doubt (asking too early would cost a request), when no
	 * record is known, and once a day.
	 *
	 * @returns an error that the request itself would end in as well
	 */
	async look(entry: Entry): Promise<SolarYieldError | undefined> {
		const { server } = this.#ledger;
		const { recordAt } = entry.memory;
		const isFresh =
			recordAt !== null && isWithin(FRESH_MS, recordAt, server.now());
		if (entry.source.kind !== "site" || (isFresh && server.trusted)) {
			return undefined;
		}
		try {
			await this.read(entry);
		} catch (error) {
			const failure = ownError(error);
			// An id that only a message names is not worth a request to be sure.
			const isUnknown =
				failure.kind === "NOT_FOUND" && entry.subscribers.size === 0;
			return isUnknown ||
				["NETWORK", "TIMEOUT", "AUTH", "RATE"].includes(failure.kind)
				? failure
				: undefined;
		}
		return siteStop(entry.site);
	}

	/** 403 and 404 on a forecast: the free site read tells why (behaviour: Failures). */
	async diagnose(
		entry: Entry,
		error: SolarYieldError,
	): Promise<SolarYieldError> {
		const { status } = error.cause;
		if (
			entry.source.kind !== "site" ||
			error.kind === "AUTH" ||
			(status !== 403 && status !== 404)
		) {
			return error;
		}
		try {
			await this.read(entry);
		} catch (reading) {
			if (status !== 404 || ownError(reading).kind !== "NOT_FOUND") {
				return error;
			}
			entry.memory.recordAt = null;
			return new SolarYieldError(
				"NOT_FOUND",
				"The account has no site of this id; choose one of the account's sites",
				{ status, detail: error.cause.detail },
			);
		}
		return siteStop(entry.site) ?? error;
	}

	/** Asks the free list of sites whether a stop is over (behaviour: Failures). */
	async probe(entry: Entry): Promise<void> {
		const { memory, key } = entry;
		const account = this.#ledger.memory;
		const { keyGate } = account;
		const gate = keyGate ?? memory.gate;
		if (!gate) return;
		gate.probes += 1;
		try {
			const sites = await this.#client.sites();
			if (keyGate) account.keyGate = null;
			const site =
				sites.find(({ site_id }) => site_id === key) ??
				// The list may come in pages.
				(await this.#client.site(key).catch(() => undefined));
			if (memory.gate?.type === "site" && site && isUsable(site)) {
				openGate(entry);
			}
		} catch (error) {
			const failure = ownError(error);
			if (failure.kind === "AUTH" && !keyGate) {
				this.#herald.fail(entry, failure, true);
			}
		}
		gate.probedAt = this.#ledger.now();
		gate.lifts = account.lifts;
	}

	/**
	 * Why `msg.refresh` makes no request behind a site's shut gate: the free read
	 * of its record shows nothing that would end it. It opens the gate of a site
	 * that is usable again; a refusal by the plan or of the input is only worth
	 * another request once what the forecast is made of has changed.
	 */
	async gateError(entry: Entry): Promise<SolarYieldError | undefined> {
		const { memory, source, site: before } = entry;
		const { gate } = memory;
		const now = this.#ledger.now();
		const shut = gateOf(memory, this.#ledger.memory, now);
		const isShut = shut && (shut.what === "probe" || shut.at > now);
		if (!gate || !isShut) return undefined;
		const known = () =>
			memory.failure
				? failureError(memory.failure, this.#ledger.nextAt(entry))
				: undefined;
		if (
			source.kind === "inline" ||
			isWithin(REFRESH_READ_MS, entry.refreshedAt, now)
		) {
			return known();
		}
		entry.refreshedAt = now;
		try {
			await this.read(entry);
		} catch (error) {
			const failure = ownError(error);
			// These hold more than this site.
			if (failure.kind === "AUTH" || failure.kind === "RATE") {
				this.#herald.fail(entry, failure, false);
			}
			return known();
		}
		const { site } = entry;
		if (!site || !isUsable(site)) return known();
		if (gate.type === "site") {
			openGate(entry);
			return undefined;
		}
		return before && causeOf(before) !== causeOf(site) ? undefined : known();
	}
}

function openGate({ memory }: Entry): void {
	memory.gate = null;
	memory.recordAt = null;
}

const isUsable = ({ state }: Site) =>
	state === "active" || state === "temporary";

/** What a forecast is made of, as text. */
function causeOf({ state, record }: Site): string {
	const { latitude, longitude, strings, config } = record;
	return JSON.stringify([state, latitude, longitude, strings, config]);
}

/** Why a site has no forecasts, from its own record. */
function siteStop(site: Site | undefined): SolarYieldError | undefined {
	if (site?.state === "deleted") {
		return new SolarYieldError(
			"NOT_FOUND",
			`The site was deleted (${site.deleted_at}); restore it within 30 days, or choose another site`,
		);
	}
	if (site?.state === "inactive") {
		return new RefusedError(
			"PLAN",
			"The site is inactive: it is over the plan's limit of sites; activate it in the service's web app, or delete another one",
			{},
			{ refusal: { type: "inactive" } },
		);
	}
	return undefined;
}

/** Whether a remembered time is less than `ms` ago; one far ahead was read off a wrong clock. */
export function isWithin(ms: number, time: number, now: number): boolean {
	return now - time < ms && time <= now + AHEAD_MS;
}
