import type { Text } from "../../../texts/texts";
import type { SolarYieldClient } from "../../client";
import { withAdvice } from "../../errors/advice";
import { inputError, SolarYieldError } from "../../errors/solar-yield-error";
import { show } from "../schema-errors";
import { Relocations } from "./relocations";
import type { Site } from "./site";
import {
	changeOf,
	creationNotes,
	deletionNote,
	lastRelocationText,
	relocationNote,
	unaskedChanges,
	unaskedNote,
} from "./site-changes";
import { restorableUntil } from "./site-dates";
import {
	readNewSite,
	readNewString,
	readSiteChange,
	readStringChange,
	type SiteChange,
	type StringInput,
	sendable,
} from "./site-input";
import { type SiteRequest, type SiteResult, siteIdOf } from "./site-operations";
import {
	checkKnown,
	checkStrings,
	keptStrings,
	lostStrings,
	stringIdOf,
} from "./site-strings";

interface ManagerOptions {
	readonly relocations?: Relocations;
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
	readonly #relocations: Relocations;
	readonly #now: () => number;
	readonly #onChange: (siteId: string, forecast: boolean) => void;
	/** Changed sites, and whether the change affects their forecasts. */
	readonly #changed = new Map<string, boolean>();
	#turn: Promise<unknown> = Promise.resolve();
	#waiting = 0;

	constructor(client: SolarYieldClient, options: ManagerOptions = {}) {
		this.#client = client;
		this.#relocations = options.relocations ?? new Relocations();
		this.#now = options.now ?? Date.now;
		this.#onChange = options.onChange ?? (() => {});
	}

	/**
	 * Does one operation, after those that came before.
	 *
	 * @throws SolarYieldError `INPUT` for what is refused here, else as the client's methods do
	 */
	run(request: SiteRequest): Promise<SiteResult> {
		this.#waiting += 1;
		const result = this.#turn
			.then(() => this.#perform(request))
			.finally(() => {
				this.#waiting -= 1;
				if (this.#waiting === 0) this.#tell();
			});
		this.#turn = result.catch(() => {});
		return result;
	}

	#tell(): void {
		const changed = [...this.#changed];
		this.#changed.clear();
		for (const [siteId, forecast] of changed) this.#onChange(siteId, forecast);
	}

	#perform(request: SiteRequest): Promise<SiteResult> {
		switch (request.operation) {
			case "list":
				return this.#list();
			case "get":
				return this.#get(siteIdOf(request));
			case "create":
				return this.#create(request.body);
			case "update":
				return this.#update(siteIdOf(request), request);
			case "delete":
				return this.#delete(siteIdOf(request));
			case "restore":
				return this.#restore(siteIdOf(request));
			case "add-string":
				return this.#addString(siteIdOf(request), request.body);
			case "update-string":
				return this.#updateString(siteIdOf(request), request);
			case "remove-string":
				return this.#removeString(siteIdOf(request), request);
		}
	}

	async #list(): Promise<SiteResult> {
		const { sites, notes } = await this.#client.siteList();
		await this.#relocations.note(sites, this.#now(), true);
		return { sites, notes };
	}

	async #get(siteId: string): Promise<SiteResult> {
		return { site: await this.#read(siteId), notes: [] };
	}

	/** The site as it is; free of charge. */
	async #read(siteId: string): Promise<Site> {
		const site = await this.#client.site(siteId);
		await this.#relocations.note([site], this.#now());
		return site;
	}

	/**
	 * Sends a change and notes that there was one, even where it is only possible:
	 * all but an answer of 4xx may have changed something.
	 */
	async #change(
		siteId: string,
		forecast: boolean,
		send: () => Promise<Site>,
	): Promise<Site> {
		const note = () =>
			this.#changed.set(
				siteId,
				forecast || (this.#changed.get(siteId) ?? false),
			);
		try {
			const site = await send();
			note();
			await this.#relocations.note([site], this.#now());
			return site;
		} catch (error) {
			if (!isRefusal(error)) note();
			throw error;
		}
	}

	async #create(body: unknown): Promise<SiteResult> {
		const input = sendable(readNewSite(body));
		const site = await this.#client.createSite(input);
		await this.#relocations.note([site], this.#now());
		return { site, notes: creationNotes(site, input, this.#now()) };
	}

	async #update(siteId: string, request: SiteRequest): Promise<SiteResult> {
		const given = readSiteChange(request.body);
		const before = await this.#read(siteId);
		const body = changeOf(before, given);
		if (Object.keys(body).length === 0) {
			throw inputError("sites.nothing_changes");
		}
		if ("temporary" in body) {
			throw inputError("sites.temporary_only_new");
		}
		if (body.strings) {
			checkStrings(before, body.strings, request.removeStrings === true);
		}
		return this.#patch(
			before,
			body.strings
				? { ...body, strings: body.strings.map((it) => sendable(it)) }
				: body,
			body,
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
		const siteId = before.site_id;
		const isRelocation = "latitude" in body || "longitude" in body;
		const lastRelocation = await this.#relocations.lastOf(siteId);
		const forecast = Object.keys(body).some((field) => field !== "name");
		let site: Site;
		try {
			site = await this.#change(siteId, forecast, () =>
				this.#client.updateSite(siteId, body),
			);
		} catch (error) {
			throw isRelocation && isRefusal(error)
				? withAdvice(error, "sites.last_relocation", {
						last: lastRelocationText(lastRelocation),
					})
				: error;
		}
		const notes: Text[] = [];
		if (isRelocation) {
			notes.push(relocationNote(this.#now(), lastRelocation));
		}
		let changes = unaskedChanges(before, site, asked);
		if (changes.length > 0) {
			// The answer to a change may be shorter than a read: only reads compare.
			site = await this.#client.site(siteId).catch(() => site);
			changes = unaskedChanges(before, site, asked);
		}
		notes.push(...changes.map(unaskedNote), ...lostStrings(site, body));
		return { site, notes };
	}

	async #delete(siteId: string): Promise<SiteResult> {
		const before = await this.#read(siteId);
		const isDeleted = before.state === "deleted";
		const site = isDeleted
			? before
			: await this.#change(siteId, true, () => this.#client.deleteSite(siteId));
		const restoreUntil = restorableUntil(site);
		return {
			site,
			restoreUntil,
			notes: [deletionNote(restoreUntil, isDeleted)],
		};
	}

	async #restore(siteId: string): Promise<SiteResult> {
		// What is pending deletion may be readable or not: the service decides.
		const before = await this.#read(siteId).catch((error) => {
			if (error instanceof SolarYieldError && error.kind === "NOT_FOUND") {
				return undefined;
			}
			throw error;
		});
		const site = await this.#change(siteId, true, () =>
			this.#client.restoreSite(siteId),
		).catch((error) => {
			throw error instanceof SolarYieldError && error.kind === "NOT_FOUND"
				? withAdvice(error, "sites.restore_advice")
				: error;
		});
		return {
			site,
			notes:
				before?.record.temporary === true || before?.state === "temporary"
					? [{ key: "sites.permanent_now" }]
					: [],
		};
	}

	async #addString(siteId: string, body: unknown): Promise<SiteResult> {
		const string = readNewString(body);
		const before = await this.#read(siteId);
		const kept = keptStrings(before);
		const strings = [...kept, string];
		const result = await this.#patch(before, { strings }, {});
		const known = new Set(before.strings.map(({ string_id }) => string_id));
		const added = result.site?.strings.filter(
			({ string_id }) => string_id !== null && !known.has(string_id),
		);
		const stringId = added?.length === 1 ? added[0]?.string_id : undefined;
		return stringId ? { ...result, stringId } : result;
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
		const before = await this.#read(siteId);
		const strings = keptStrings(before);
		checkKnown(before, id);
		const changed = strings.map((string) =>
			string.id === id
				? sendable({ ...string, ...change } as StringInput)
				: string,
		);
		return this.#patch(
			before,
			{ strings: changed },
			{ strings: [{ id, ...change }] },
		);
	}

	async #removeString(
		siteId: string,
		{ body, stringId, removeStrings }: SiteRequest,
	): Promise<SiteResult> {
		const id = stringIdOf(body, stringId);
		const before = await this.#read(siteId);
		const strings = keptStrings(before);
		checkKnown(before, id);
		const rest = strings.filter((string) => string.id !== id);
		if (rest.length === 0 && removeStrings !== true) {
			throw inputError("sites.only_string", { id: show(id) });
		}
		return this.#patch(before, { strings: rest }, {});
	}
}

function isRefusal(error: unknown): error is SolarYieldError {
	const status =
		error instanceof SolarYieldError ? (error.cause.status ?? 0) : 0;
	return status >= 400 && status < 500;
}
