import { whatOf, withAdvice } from "../../errors/advice";
import { ForeignAnswerError } from "../../errors/first-contact";
import { SolarYieldError } from "../../errors/solar-yield-error";
import type { WireRequest } from "../../http/exchange";
import type { RequestSender } from "../../request-sender";
import { readSite, type Site } from "./site";
import { idSegment } from "./site-id";

/** The free reads that tell what a change has made. */
interface SiteReads {
	readonly sites: (signal?: AbortSignal) => Promise<readonly Site[]>;
	readonly site: (siteId: string, signal?: AbortSignal) => Promise<Site>;
}

/**
 * Changes of sites. None is sent twice: an error tells whether the change may
 * have been made all the same (behaviour: Where the service's description is silent "write answers").
 */
export class SiteWriter {
	readonly #sender: RequestSender;
	readonly #reads: SiteReads;
	#restorePrefixes: readonly [string, string] = ["/sites", "/v2/sites"];

	constructor(sender: RequestSender, reads: SiteReads) {
		this.#sender = sender;
		this.#reads = reads;
	}

	/**
	 * Creates a site (spec V2, "POST /v2/sites"). An answer that names none is
	 * no failure: the site is then the one new id in the list (behaviour: Where the service's description is silent "write
	 * answers"), which is why the list is read before as well; both are free.
	 */
	async create(body: object, signal?: AbortSignal): Promise<Site> {
		const before = new Set(
			(await this.#reads.sites(signal)).map(({ site_id }) => site_id),
		);
		const change =
			"temporary" in body && body.temporary === true
				? "sites.creating_temporary"
				: "sites.creating";
		const answer = await this.#write(
			{ change, method: "POST", path: "/v2/sites", body },
			signal,
		);
		return this.#afterwards(async () => {
			const created =
				siteIn(answer) ?? onlyNewSite(before, await this.#reads.sites(signal));
			return isWhole(created)
				? created
				: this.#reads.site(created.site_id, signal);
		});
	}

	/**
	 * Changes what the body names; `strings` replaces the whole array (spec V2,
	 * "PATCH (update), DELETE, restore").
	 */
	async update(
		siteId: string,
		body: object,
		signal?: AbortSignal,
	): Promise<Site> {
		const path = `/v2/sites/${idSegment(siteId)}`;
		const answer = await this.#write(
			{ change: "sites.changing", method: "PATCH", path, body },
			signal,
		).catch((error) => {
			throw "latitude" in body || "longitude" in body
				? withLocationRule(error)
				: error;
		});
		return this.#written(siteId, answer, signal);
	}

	/** Sets a site to pending deletion (spec V2, "PATCH (update), DELETE, restore"). */
	async delete(siteId: string, signal?: AbortSignal): Promise<Site> {
		const path = `/v2/sites/${idSegment(siteId)}`;
		const answer = await this.#write(
			{ change: "sites.deleting", method: "DELETE", path },
			signal,
		);
		return this.#written(siteId, answer, signal);
	}

	/**
	 * Cancels a pending deletion, or makes a temporary site permanent (spec V2,
	 * "PATCH (update), DELETE, restore"). Of the two forms of the path the one
	 * that worked last is tried first (behaviour: Where the service's description is silent "restore").
	 */
	async restore(siteId: string, signal?: AbortSignal): Promise<Site> {
		const id = idSegment(siteId);
		const attempt = (prefix: string) =>
			this.#write(
				{
					change: "sites.restoring",
					method: "POST",
					path: `${prefix}/${id}/restore`,
				},
				signal,
			);
		const [first, second] = this.#restorePrefixes;
		let answer: string;
		try {
			answer = await attempt(first);
		} catch (error) {
			const status =
				error instanceof SolarYieldError ? error.cause.status : null;
			if (status !== 404 && status !== 405) throw error;
			answer = await attempt(second);
			this.#restorePrefixes = [second, first];
		}
		return this.#written(siteId, answer, signal);
	}

	/**
	 * Sends a change of a site, once (behaviour: Where the service's description is silent "write answers"). An error whose
	 * cause has a status of 4xx says that nothing was changed; after any other the
	 * change may have been made.
	 *
	 * @returns the body of the answer
	 */
	async #write(
		{ change, ...request }: WireRequest & { readonly change: string },
		signal?: AbortSignal,
	): Promise<string> {
		try {
			const { body } = await this.#sender.send(
				{ kind: "free", operation: { key: change }, ...request },
				signal,
			);
			return body;
		} catch (error) {
			throw error instanceof SolarYieldError && mayHaveHappened(error)
				? withAdvice(error, "sites.maybe_changed")
				: error;
		}
	}

	/** The site after a change: as the answer has it, else as it is read, free of charge. */
	#written(siteId: string, answer: string, signal?: AbortSignal) {
		const site = siteIn(answer);
		return site?.site_id === siteId && isWhole(site)
			? Promise.resolve(site)
			: this.#afterwards(() => this.#reads.site(siteId, signal));
	}

	/** Reads what a change has made; a failure does not undo the change. */
	async #afterwards(read: () => Promise<Site>): Promise<Site> {
		try {
			return await read();
		} catch (error) {
			if (!(error instanceof SolarYieldError)) throw error;
			throw new SolarYieldError(
				error.kind,
				"sites.unread_after_change",
				{ what: whatOf(error) },
				{ detail: error.cause.detail },
			);
		}
	}
}

/** The site in the answer to a change, undefined where it holds none: the status has confirmed the change. */
function siteIn(body: string): Site | undefined {
	try {
		return readSite(JSON.parse(body));
	} catch {
		return undefined;
	}
}

/** Whether a record is complete: lists and short answers may leave the strings out. */
const isWhole = ({ record }: Site) => Array.isArray(record.strings);

function onlyNewSite(
	before: ReadonlySet<string>,
	after: readonly Site[],
): Site {
	const added = after.filter(({ site_id }) => !before.has(site_id));
	const [site] = added;
	if (site && added.length === 1) return site;
	throw new SolarYieldError("RESPONSE", "sites.no_new_site", {
		count: added.length,
	});
}

/** Adds the 30-day rule to a refused change of location, since the answer does not name it (behaviour: Where the service's description is silent). */
function withLocationRule(error: unknown): unknown {
	if (!(error instanceof SolarYieldError)) return error;
	const status = error.cause.status ?? 0;
	return status >= 400 && status < 500 && ![401, 404, 407].includes(status)
		? withAdvice(error, "sites.location_rule")
		: error;
}

/** Codes of network errors that occur before a request is sent. */
const NEVER_SENT =
	/^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|EADDRNOTAVAIL|EPROTO)$|CERT|SIGNATURE|ALTNAME|SSL/;

/** Whether the change may have been made although no answer confirms it. */
function mayHaveHappened(error: SolarYieldError): boolean {
	const { kind, cause } = error;
	return (
		kind === "TIMEOUT" ||
		kind === "SERVICE" ||
		(kind === "RESPONSE" && !(error instanceof ForeignAnswerError)) ||
		(kind === "NETWORK" && !NEVER_SENT.test(cause.detail ?? ""))
	);
}
