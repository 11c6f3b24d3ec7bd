import { Queue } from "../util/queue";
import { isRefusal, type SolarYieldClient } from "./client";
import { withAdvice } from "./errors/advice";
import { inputError, SolarYieldError } from "./errors/solar-yield-error";
import { show } from "./v2/schema-errors";
import type { Site } from "./v2/sites/site";
import {
	changeOf,
	creationNotes,
	deletionNote,
	relocationNotes,
	unaskedNotes,
} from "./v2/sites/site-changes";
import { restorableUntil } from "./v2/sites/site-dates";
import {
	readNewSite,
	readNewString,
	readSiteChange,
	readStringChange,
	type SiteChange,
	type StringInput,
	sendable,
} from "./v2/sites/site-input";
import {
	type SiteRequest,
	type SiteResult,
	siteIdOf,
} from "./v2/sites/site-operations";
import {
	checkStrings,
	keptStrings,
	lostStrings,
	stringIdOf,
} from "./v2/sites/site-strings";

interface ManagerOptions {
	/** The service's clock, epoch ms. */
	readonly now?: () => number;
	/**
	 * Called for each site that was or may have been changed, once no other operation
	 * waits; `forecast` is true when the change affects its forecast.
	 */
	readonly onChange?: (siteId: string, forecast: boolean) => void;
}

/**
 * The nine operations on sites (behaviour: Messages `solar-yield-site`), guarded
 * against loss of data. They run one after another, so that none works on a record
 * that another is changing.
 */
export class SiteManager {
	readonly #client: SolarYieldClient;
	readonly #options: ManagerOptions;
	/** Changed sites, and whether the change affects their forecasts. */
	readonly #changed = new Map<string, boolean>();
	readonly #queue = new Queue();
	#waiting = 0;

	constructor(client: SolarYieldClient, options: ManagerOptions = {}) {
		this.#client = client;
		this.#options = options;
	}

	#now(): number {
		return (this.#options.now ?? Date.now)();
	}

	/**
	 * Does one operation, after those that came before.
	 *
	 * @throws SolarYieldError `INPUT` for what is refused here, else as the client's methods do
	 */
	run(request: SiteRequest): Promise<SiteResult> {
		this.#waiting += 1;
		return this.#queue.add(() =>
			this.#perform(request).finally(() => {
				this.#waiting -= 1;
				if (this.#waiting === 0) this.#tell();
			}),
		);
	}

	#tell(): void {
		const changed = [...this.#changed];
		this.#changed.clear();
		for (const [siteId, forecast] of changed) {
			this.#options.onChange?.(siteId, forecast);
		}
	}

	async #perform(request: SiteRequest): Promise<SiteResult> {
		const { operation } = request;
		if (operation === "list") return this.#client.siteList();
		if (operation === "create") return this.#create(request.body);
		const siteId = siteIdOf(request);
		switch (operation) {
			case "get":
				return { site: await this.#client.site(siteId), notes: [] };
			case "update":
				return this.#update(siteId, request);
			case "delete":
				return this.#delete(siteId);
			case "restore":
				return this.#restore(siteId);
			case "add-string":
				return this.#addString(siteId, request.body);
			case "update-string":
				return this.#updateString(siteId, request);
			case "remove-string":
				return this.#removeString(siteId, request);
		}
	}

	/**
	 * Notes that a site was changed, even where that is only possible: all but an answer
	 * of 4xx may have changed something.
	 */
	async #change(
		siteId: string,
		forecast: boolean,
		change: Promise<Site>,
	): Promise<Site> {
		let isRefused = false;
		try {
			return await change;
		} catch (error) {
			isRefused = isRefusal(error);
			throw error;
		} finally {
			if (!isRefused) {
				const before = this.#changed.get(siteId) ?? false;
				this.#changed.set(siteId, forecast || before);
			}
		}
	}

	async #create(body: unknown): Promise<SiteResult> {
		const input = sendable(readNewSite(body));
		const site = await this.#client.createSite(input);
		return { site, notes: creationNotes(site, input, this.#now()) };
	}

	async #update(siteId: string, request: SiteRequest): Promise<SiteResult> {
		const given = readSiteChange(request.body);
		const before = await this.#client.site(siteId);
		const { strings, ...body } = changeOf(before, given);
		if (!strings && Object.keys(body).length === 0) {
			throw inputError("sites.nothing_changes");
		}
		if ("temporary" in body) throw inputError("sites.temporary_only_new");
		if (!strings) return this.#patch(before, body, body);
		checkStrings(before, strings, request.removeStrings === true);
		const sent = strings.map((string) => sendable(string));
		return this.#patch(
			before,
			{ ...body, strings: sent },
			{ ...body, strings },
		);
	}

	/**
	 * Sends a change of a site that was read before, and looks at what it did.
	 *
	 * @param asked the settings that are to be others afterwards
	 */
	async #patch(
		before: Site,
		body: SiteChange,
		asked: Readonly<Record<string, unknown>>,
	): Promise<SiteResult> {
		const { site_id } = before;
		const forecast = Object.keys(body).some((field) => field !== "name");
		const change = this.#client.updateSite(site_id, body);
		let site = await this.#change(site_id, forecast, change);
		let unasked = unaskedNotes(before, site, asked);
		if (unasked.length > 0) {
			// The answer to a change may be shorter than a read: only reads compare.
			site = await this.#client.site(site_id).catch(() => site);
			unasked = unaskedNotes(before, site, asked);
		}
		const moved = relocationNotes(body, this.#now());
		return { site, notes: [...moved, ...unasked, ...lostStrings(site, body)] };
	}

	async #delete(siteId: string): Promise<SiteResult> {
		const before = await this.#client.site(siteId);
		const isDeleted = before.state === "deleted";
		const site = isDeleted
			? before
			: await this.#change(siteId, true, this.#client.deleteSite(siteId));
		return {
			site,
			restoreUntil: restorableUntil(site),
			notes: [deletionNote(site, isDeleted)],
		};
	}

	async #restore(siteId: string): Promise<SiteResult> {
		// What is pending deletion may be readable or not: the service decides.
		const before = await this.#client.site(siteId).catch((error) => {
			if (!isUnknown(error)) throw error;
		});
		const site = await this.#change(
			siteId,
			true,
			this.#client.restoreSite(siteId),
		).catch((error) => {
			throw isUnknown(error)
				? withAdvice(error, "sites.restore_advice")
				: error;
		});
		const wasTemporary =
			before?.record.temporary === true || before?.state === "temporary";
		return {
			site,
			notes: wasTemporary ? [{ key: "sites.permanent_now" }] : [],
		};
	}

	async #addString(siteId: string, body: unknown): Promise<SiteResult> {
		const string = readNewString(body);
		const before = await this.#client.site(siteId);
		const strings = [...keptStrings(before), string];
		const result = await this.#patch(before, { strings }, {});
		const known = new Set(before.strings.map(({ string_id }) => string_id));
		const [added, other] = (result.site?.strings ?? []).filter(
			({ string_id }) => string_id !== null && !known.has(string_id),
		);
		return added?.string_id && !other
			? { ...result, stringId: added.string_id }
			: result;
	}

	async #updateString(
		siteId: string,
		{ body, stringId }: SiteRequest,
	): Promise<SiteResult> {
		const change = readStringChange(body);
		if (Object.keys(change).length === 0) {
			throw inputError("sites.no_string_change");
		}
		const id = stringIdOf(body, stringId);
		const before = await this.#client.site(siteId);
		const strings = keptStrings(before, id).map((string) =>
			string.id === id
				? sendable({ ...string, ...change } as StringInput)
				: string,
		);
		return this.#patch(before, { strings }, { strings: [{ id, ...change }] });
	}

	async #removeString(
		siteId: string,
		{ body, stringId, removeStrings }: SiteRequest,
	): Promise<SiteResult> {
		const id = stringIdOf(body, stringId);
		const before = await this.#client.site(siteId);
		const strings = keptStrings(before, id).filter((it) => it.id !== id);
		if (strings.length === 0 && removeStrings !== true) {
			throw inputError("sites.only_string", { id: show(id) });
		}
		return this.#patch(before, { strings }, {});
	}
}

const isUnknown = (error: unknown): error is SolarYieldError =>
	error instanceof SolarYieldError && error.kind === "NOT_FOUND";
