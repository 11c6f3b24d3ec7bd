import type { SolarYieldClient } from "../../client";
import { messageParts, withRemedy } from "../../errors/advice";
import { inputError, SolarYieldError } from "../../errors/solar-yield-error";
import { show } from "../schema-errors";
import { Moves } from "./relocations";
import type { Site } from "./site";
import { differences, unaskedChanges, unaskedNote } from "./site-changes";
import {
	MOVE_MS,
	restorableUntil,
	TEMPORARY_MS,
	temporaryUntil,
	utcDate,
} from "./site-dates";
import {
	readNewSite,
	readNewString,
	readSiteChange,
	readStringChange,
	type SiteChange,
	type StringInput,
	sendable,
} from "./site-input";
import { OPERATIONS, type SiteOperation } from "./site-operations";
import {
	checkKnown,
	checkStrings,
	keptStrings,
	lostStrings,
	stringIdOf,
	stringList,
} from "./site-strings";

/** What is to be done; nothing of it is trusted. */
export interface SiteRequest {
	readonly operation: SiteOperation;
	/** The site that node or message names. */
	readonly siteId?: string | undefined;
	/** The account's default site, which does not count for what cannot be undone. */
	readonly defaultSiteId?: string | undefined;
	/** The site, the change, or the string. */
	readonly body?: unknown;
	/** Id of the string, where the body does not name it. */
	readonly stringId?: unknown;
	/** Whether an update may drop strings. */
	readonly removeStrings?: boolean;
}

/** What has become of it. */
export interface SiteResult {
	/** The site as it is now; undefined for `list`. */
	readonly site?: Site;
	/** `list`: all sites of the account. */
	readonly sites?: readonly Site[];
	/** `delete`: epoch ms until which `restore` is possible; null when the service does not say when the site was deleted. */
	readonly restoreUntil?: number | null;
	/** `add-string`: id of the new string. */
	readonly stringId?: string;
	/** What a person should know, each a sentence. */
	readonly notes: readonly string[];
}

export interface ManagerOptions {
	readonly moves?: Moves;
	/** The service's clock, epoch ms. */
	readonly now?: () => number;
	/**
	 * Told of each site that was changed, or may have been, once no other operation
	 * waits; `forecast`: whether its forecast is another now.
	 */
	readonly onChange?: (siteId: string, forecast: boolean) => void;
}

/**
 * The nine operations on sites (behaviour: Messages `solar-yield-site`) with all that
 * keeps a flow from losing data: they run one after another, so that none works
 * on what another is about to change.
 */
export class SiteManager {
	readonly #client: SolarYieldClient;
	readonly #moves: Moves;
	readonly #now: () => number;
	readonly #onChange: (siteId: string, forecast: boolean) => void;
	/** Changed sites, and whether their forecasts are others now. */
	readonly #changed = new Map<string, boolean>();
	#turn: Promise<unknown> = Promise.resolve();
	#waiting = 0;

	constructor(client: SolarYieldClient, options: ManagerOptions = {}) {
		this.#client = client;
		this.#moves = options.moves ?? new Moves();
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

	// — reading —

	async #list(): Promise<SiteResult> {
		const sites = await this.#client.sites();
		await this.#moves.note(sites, this.#now(), true);
		return { sites, notes: [] };
	}

	async #get(siteId: string): Promise<SiteResult> {
		return { site: await this.#read(siteId), notes: [] };
	}

	/** The site as it is; free of charge. */
	async #read(siteId: string): Promise<Site> {
		const site = await this.#client.site(siteId);
		await this.#moves.note([site], this.#now());
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
			await this.#moves.note([site], this.#now());
			return site;
		} catch (error) {
			if (!isRefusal(error)) note();
			throw error;
		}
	}

	// — sites —

	async #create(body: unknown): Promise<SiteResult> {
		const input = sendable(readNewSite(body));
		const site = await this.#client.createSite(input);
		await this.#moves.note([site], this.#now());
		const notes: string[] = [];
		const own = site.strings.length - (input.strings?.length ?? 0);
		if (!input.strings || input.strings.length === 0) {
			notes.push(
				"No strings were given, so the service has added a default string of 10 kWp facing south (orientation 180) with slope 30; change it with update-string",
			);
		} else if (own > 0) {
			notes.push(
				`The service has added ${own === 1 ? "a string" : `${own} strings`} of its own beside those given (${stringList(site)}); take out what is not on the roof with remove-string`,
			);
		}
		if (input.temporary) {
			const end = temporaryUntil(site) ?? this.#now() + TEMPORARY_MS;
			notes.push(
				`The site is temporary and is deleted on ${utcDate(end)}; restore makes it permanent`,
			);
		}
		return { site, notes };
	}

	async #update(siteId: string, request: SiteRequest): Promise<SiteResult> {
		const given = readSiteChange(request.body);
		const before = await this.#read(siteId);
		const body = changeOf(before, given);
		if (Object.keys(body).length === 0) {
			throw inputError(
				"The payload changes nothing; give what is to change: name, latitude, longitude, strings or config",
			);
		}
		if ("temporary" in body) {
			throw inputError(
				"temporary can only be given when a site is created; use restore to make a temporary site permanent",
			);
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
		const isMove = "latitude" in body || "longitude" in body;
		const lastMove = await this.#moves.lastOf(siteId);
		const forecast = Object.keys(body).some((field) => field !== "name");
		let site: Site;
		try {
			site = await this.#change(siteId, forecast, () =>
				this.#client.updateSite(siteId, body),
			);
		} catch (error) {
			throw isMove && isRefusal(error)
				? withRemedy(
						error,
						`${messageParts(error).remedy} (${lastMoveText(lastMove)})`,
					)
				: error;
		}
		const notes: string[] = [];
		if (isMove) {
			notes.push(
				`The location can be changed only once in 30 days, so the next time from ${utcDate(this.#now() + MOVE_MS)} on (before this one, ${lastMoveText(lastMove)})`,
			);
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
		const until = restoreUntil === null ? "30 days" : utcDate(restoreUntil);
		return {
			site,
			restoreUntil,
			notes: [
				`The site ${isDeleted ? "had been deleted before" : "is deleted"}; restore brings it back ${restoreUntil === null ? "within" : "until"} ${until}, then it is removed for good`,
			],
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
				? withRemedy(
						error,
						"check the site id, and note that a deleted site is removed for good after 30 days",
					)
				: error;
		});
		return {
			site,
			notes:
				before?.record.temporary === true || before?.state === "temporary"
					? ["The site was temporary and is permanent now"]
					: [],
		};
	}

	// — strings —

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
			throw inputError(
				"The payload changes nothing; give what is to change: slope, orientation, power_kw, gcr or near_field_shading",
			);
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
		{ body, stringId }: SiteRequest,
	): Promise<SiteResult> {
		const id = stringIdOf(body, stringId);
		const before = await this.#read(siteId);
		const strings = keptStrings(before);
		checkKnown(before, id);
		const rest = strings.filter((string) => string.id !== id);
		return this.#patch(before, { strings: rest }, {});
	}
}

function isRefusal(error: unknown): error is SolarYieldError {
	const status =
		error instanceof SolarYieldError ? (error.cause.status ?? 0) : 0;
	return status >= 400 && status < 500;
}

function siteIdOf({ operation, siteId, defaultSiteId }: SiteRequest): string {
	if (siteId !== undefined) return siteId;
	if (OPERATIONS[operation] === "explicit") {
		throw inputError(
			`${operation} needs its site said outright, the account's default does not count; set msg.siteId, or choose the site in the node`,
		);
	}
	if (defaultSiteId === undefined) {
		throw inputError(
			`siteId is missing; set msg.siteId, or choose a site in the node or the account`,
		);
	}
	return defaultSiteId;
}

/** The body of a change: what was given and is no mere repetition. */
function changeOf(before: Site, given: SiteChange): SiteChange {
	const id = given.id ?? given.site_id;
	if (id != null && String(id) !== before.site_id) {
		throw inputError(
			`The payload is the record of site ${show(id)}, but site ${show(before.site_id)} is to be changed; set msg.siteId to the site that is meant`,
		);
	}
	// With its id it is a record that was read, with everything in it.
	const body = (
		id == null ? given : differences(before.record, given)
	) as SiteChange;
	const { latitude, longitude } = before.record;
	const isHere =
		(body.latitude ?? latitude) === latitude &&
		(body.longitude ?? longitude) === longitude;
	// A location that stays must not count as the change of these 30 days.
	const { latitude: _latitude, longitude: _longitude, ...rest } = body;
	return isHere ? (rest as SiteChange) : body;
}

const lastMoveText = (movedAt: number | null) =>
	movedAt === null
		? "no change was seen from here"
		: `the last change was seen on ${utcDate(movedAt)}`;
