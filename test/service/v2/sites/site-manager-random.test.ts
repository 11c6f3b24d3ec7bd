import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import { SolarYieldError } from "../../../../src/service/errors/solar-yield-error";
import type { SiteRequest } from "../../../../src/service/v2/sites/site-operations";
import { DAY, idsOf, SITE_VARIANTS, SiteWorld } from "./support";

const string = fc.record({
	slope: fc.integer({ min: -5, max: 95 }),
	orientation: fc.integer({ min: -10, max: 370 }),
	power_kw: fc.integer({ min: 0, max: 20 }),
});
const config = fc.record(
	{
		losses: fc.record(
			{ albedo: fc.constantFrom(0.1, 0.2, 0.3), cable: fc.constant(0.02) },
			{ requiredKeys: [] },
		),
		modules: fc.record({
			technology: fc.constantFrom("perc", "topcon", "unobtainium"),
		}),
	},
	{ requiredKeys: [] },
);

/** A step of a flow; `site` and `which` choose among what there is. */
const step = fc.record({
	operation: fc.constantFrom(
		"list",
		"get",
		"create",
		"update",
		"update",
		"delete",
		"restore",
		"add-string",
		"add-string",
		"update-string",
		"remove-string",
		"wait",
	),
	site: fc.nat(5),
	which: fc.nat(5),
	days: fc.constantFrom(1, 15, 29, 30, 31),
	temporary: fc.boolean(),
	removeStrings: fc.boolean(),
	/** Whether an update hands the stored strings back, and which it forgets. */
	strings: fc.constantFrom("none", "all", "without one", "only new"),
	moves: fc.boolean(),
	new: string,
	config,
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** The request of a step, on a site that is there, was there, or never was. */
function requestOf(
	records: readonly any[],
	step: Step,
	siteIds: string[],
): SiteRequest {
	const siteId = siteIds[step.site % (siteIds.length + 1)] ?? "site_none";
	const strings: any[] =
		records.find((record) => idOf(record) === siteId)?.strings ?? [];
	const chosen = strings[step.which % (strings.length || 1)];
	const operation = step.operation as SiteRequest["operation"];
	const body = (): unknown => {
		switch (operation) {
			case "create":
				return {
					latitude: 40 + step.which,
					longitude: 9,
					name: `Site ${step.which}`,
					temporary: step.temporary,
					...(step.strings === "none" ? {} : { strings: [step.new] }),
					...(step.moves ? { config: step.config } : {}),
				};
			case "update":
				return {
					...(step.temporary ? { name: `Name ${step.days}` } : {}),
					...(step.moves ? { latitude: 40 + step.days } : {}),
					...(step.which > 3 ? { config: step.config } : {}),
					...(step.strings === "all" ? { strings } : {}),
					...(step.strings === "without one"
						? { strings: strings.filter((it) => it !== chosen) }
						: {}),
					...(step.strings === "only new" ? { strings: [step.new] } : {}),
				};
			case "add-string":
				return step.new;
			case "update-string":
				return { id: chosen?.id ?? "str_none", slope: step.new.slope };
			case "remove-string":
				return chosen?.id ?? "str_none";
			default:
				return undefined;
		}
	};
	return {
		operation,
		siteId,
		body: body(),
		removeStrings: step.removeStrings,
	};
}

const idOf = (record: any): string => record.id ?? record.site_id;

async function play(it: SiteWorld, steps: readonly Step[]): Promise<void> {
	/** Per site the strings that nobody took away. */
	const kept = new Map<string, Set<string>>();
	let records = it.records();
	const see = () => {
		for (const record of records) {
			const ids = kept.get(idOf(record)) ?? new Set();
			for (const id of idsOf(record)) ids.add(id);
			kept.set(idOf(record), ids);
		}
	};
	see();
	for (const step of steps) {
		if (step.operation === "wait") {
			it.now += step.days * DAY;
			records = it.records();
			continue;
		}
		const request = requestOf(records, step, [...kept.keys()]);
		const { operation, siteId = "" } = request;
		const before = records;
		try {
			const { site, sites } = await it.run(request);
			records = it.records();
			if (operation === "list") {
				assert.deepEqual(
					sites?.map(({ record }) => record),
					records,
				);
			} else {
				assert.deepEqual(
					site?.record,
					records.find((record) => idOf(record) === site?.site_id),
				);
			}
			if (operation === "remove-string") {
				kept.get(siteId)?.delete(request.body as string);
			}
			const { strings } = (request.body ?? {}) as { strings?: any[] };
			if (operation === "update" && strings && request.removeStrings) {
				kept.set(siteId, new Set(strings.map(({ id }) => id).filter(Boolean)));
			}
		} catch (error) {
			if (!(error instanceof SolarYieldError)) throw error;
			assert.ok(["INPUT", "NOT_FOUND", "PLAN"].includes(error.kind));
			records = it.records();
			assert.deepEqual(records, before);
		}
		for (const record of records) {
			const present = idsOf(record);
			for (const id of kept.get(idOf(record)) ?? []) {
				assert.ok(present.includes(id), `${operation} lost ${id}`);
			}
		}
		see();
	}
}

describe("site manager, random sequences", () => {
	it("never loses a string that nobody removed, and knows each site as the service does", async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(...SITE_VARIANTS),
				fc.array(step, { minLength: 3, maxLength: 10 }),
				(variants, steps) => play(new SiteWorld(variants), steps),
			),
			{ numRuns: 1000 },
		);
	}).timeout(60_000);
});
