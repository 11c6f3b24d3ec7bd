import { SolarYieldClient } from "../../../../src/service/client";
import { SolarYieldError } from "../../../../src/service/errors/solar-yield-error";
import type {
	Exchange,
	WireRequest,
} from "../../../../src/service/http/exchange";
import { SiteManager } from "../../../../src/service/site-manager";
import type {
	SiteRequest,
	SiteResult,
} from "../../../../src/service/v2/sites/site-operations";
import type { PlanName } from "../../../support/service/plans";
import { Simulator } from "../../../support/service/simulator";
import type { Variants } from "../../../support/service/variants";

export { DAY } from "../../../support/time";

export const KEY = "key-of-the-test";
export const HOUSE = "site_house";
export const START = Date.parse("2026-06-10T08:07:11Z");

/** Every answer to a "not shown" of the spec that concerns sites, and all at once. */
export const SITE_VARIANTS: readonly Partial<Variants>[] = [
	{},
	{ listShape: "sites" },
	{ listShape: "items" },
	{ listShape: "results" },
	{ listShape: "data" },
	{ idField: "site_id" },
	{ restorePrefix: "/v2/sites" },
	{ emptyWriteBodies: true },
	{ siteStringIndex: false },
	{ defaultStringAlways: true },
	{ configPatch: "replace" },
	{ errorBody: "message" },
	{ errorBody: "error" },
	{ errorBody: "error.message" },
	{ errorBody: "loc-msg" },
	{ errorBody: "html" },
	{
		listShape: "data",
		idField: "site_id",
		restorePrefix: "/v2/sites",
		emptyWriteBodies: true,
		siteStringIndex: false,
		defaultStringAlways: true,
		configPatch: "replace",
		errorBody: "html",
	},
];

type Json = Record<string, any>;

/** The service with one house on it, and a manager that works on it; time stands still unless told. */
export class SiteWorld {
	now = START;
	readonly simulator: Simulator;
	readonly manager: SiteManager;
	readonly client: SolarYieldClient;
	/** What was sent, oldest first. */
	readonly sent: WireRequest[] = [];
	/** What the manager said of changed sites. */
	readonly changes: [siteId: string, forecast: boolean][] = [];
	/** Answers in the service's place while set. */
	fault: Exchange | undefined;

	constructor(variants: Partial<Variants> = {}, plan: PlanName = "plus") {
		this.simulator = new Simulator({ now: () => this.now, variants });
		this.simulator.addAccount({ apiKey: KEY, plan });
		this.simulator.addSite(KEY, {
			id: HOUSE,
			name: "House",
			latitude: 52.52,
			longitude: 13.4,
			strings: [
				{
					id: "str_south",
					slope: 30,
					orientation: 180,
					power_kw: 6,
					gcr: 0.4,
					near_field_shading: { rows: [[0, 90, 12]] },
				},
				{ id: "str_west", slope: 20, orientation: 270, power_kw: 4 },
			],
			config: { losses: { albedo: 0.25 } },
		});
		const wire = this.simulator.exchange(KEY);
		const exchange: Exchange = (request) => {
			this.sent.push(request);
			return (this.fault ?? wire)(request);
		};
		this.client = new SolarYieldClient(exchange, { now: () => this.now });
		this.manager = new SiteManager(this.client, {
			now: () => this.now,
			onChange: (siteId, forecast) => this.changes.push([siteId, forecast]),
		});
	}

	run(request: SiteRequest): Promise<SiteResult> {
		return this.manager.run(request);
	}

	/** The error that an operation ends in. */
	async refused(request: SiteRequest): Promise<SolarYieldError> {
		try {
			await this.run(request);
		} catch (error) {
			if (error instanceof SolarYieldError) return error;
			throw error;
		}
		throw new Error(`${request.operation} was not refused`);
	}

	/** Requests that change something. */
	get writes(): WireRequest[] {
		return this.sent.filter(({ method }) => method !== "GET");
	}

	/** What the service itself holds, whatever its variants. */
	records(): Json[] {
		const body = JSON.parse(this.get("/v2/sites").body);
		return Array.isArray(body) ? body : (Object.values(body)[0] as Json[]);
	}

	record(siteId = HOUSE): Json | undefined {
		const answer = this.get(`/v2/sites/${siteId}`);
		return answer.status === 200 ? JSON.parse(answer.body) : undefined;
	}

	private get(path: string) {
		return this.simulator.handle({
			method: "GET",
			path,
			query: new URLSearchParams(),
			headers: { authorization: `Bearer ${KEY}` },
			body: "",
		});
	}
}

export const idsOf = (record: Json | undefined): string[] =>
	(record?.strings ?? []).map(({ id }: { id: string }) => id);
