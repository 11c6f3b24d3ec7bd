import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ForecastSnapshot } from "../../../src/polling/source/snapshots";
import { SolarYieldClient } from "../../../src/service/client";
import { SolarYieldError } from "../../../src/service/errors/solar-yield-error";
import type {
	WireAnswer,
	WireRequest,
} from "../../../src/service/http/exchange";
import { HOUR, household, MINUTE, SITE } from "../../support/house";
import { PLANS } from "../../support/service/plans";
import { CONTENTS } from "../cases/contents";
import { placesOf, WRONG, withWrong } from "../cases/fields";
import { Bystander, consume } from "./consume";

/** One thing that may go wrong, and the proof that it was survived: `run` throws when it was not. */
export interface Attempt {
	readonly kind: string;
	readonly name: string;
	readonly run: () => Promise<void>;
	/** Only the long form tries it. */
	readonly heavy?: boolean;
}

/** A recorded answer, to walk the fields that a real service sends. */
const RECORDED = join(
	__dirname,
	"../../fixtures/recorded-v2-forecast-2026-08-12.json",
);

/** Calls of the client, and what of the answer they read. */
const CALLS: Record<string, (client: SolarYieldClient) => Promise<unknown>> = {
	"a site": (client) => client.site(SITE),
	"the list of sites": (client) => client.sites(),
	"a created site": (client) =>
		client.createSite({ latitude: 52, longitude: 13, strings: [] }),
	"a changed site": (client) => client.updateSite(SITE, { name: "x" }),
	history: (client) =>
		client.historical(SITE, { range: { period: "2d" }, include: ["all"] }),
	"an inline forecast": (client) =>
		client.forecast(
			{
				latitude: 52,
				longitude: 13,
				strings: [{ slope: 30, orientation: 180, power_kw: 5 }],
			},
			{ include: ["all"] },
		),
};

const isOwn = (error: unknown) => {
	assert.ok(error instanceof SolarYieldError, String(error));
	assert.ok(error.message.length < 900, "a short message");
	assert.match(error.message, /; /);
};

function* wrongs(document: unknown) {
	for (const path of placesOf(document)) {
		for (const [name, value] of WRONG) {
			yield { path, name, value, body: withWrong(document, path, value) };
		}
	}
}

/** Every field of every answer but the polled forecast's, wrong in every way. */
export async function* callFields(): AsyncGenerator<Attempt> {
	for (const [what, call] of Object.entries(CALLS)) {
		const { service } = household("2026-06-01T10:05:00Z", PLANS.unmetered, {
			thin: false,
		});
		let change: ((answer: WireAnswer) => WireAnswer) | undefined;
		let last = "";
		const client = new SolarYieldClient(async (request: WireRequest) => {
			const answer = await service.exchange(request);
			if (answer.status >= 300) return answer;
			last = answer.body;
			// What a change is surrounded by stays whole.
			const isTarget =
				what === "the list of sites" || !/\/sites\/$/.test(request.path);
			return isTarget && change ? change(answer) : answer;
		});
		await call(client);
		const document = JSON.parse(last);
		for (const { path, name, body } of wrongs(document)) {
			yield {
				kind: `fields of ${what}`,
				name: `${path.join(".") || "all"}: ${name}`,
				run: async () => {
					const text = JSON.stringify(body) ?? "";
					change = (answer) => ({ ...answer, body: text });
					await call(client).then((result) => JSON.stringify(result), isOwn);
				},
			};
		}
	}
}

/** A polled forecast whose contents are hostile, or one field wrong in every way, through the hub and all that uses it. */
export async function* forecastFields(): AsyncGenerator<Attempt> {
	const { house, service } = household(
		"2026-06-01T10:05:00Z",
		{ ...PLANS.unmetered, forecastDays: 0, pastDays: 0 },
		{
			thin: false,
		},
	);
	const listener = await house.boot();
	await house.ask(SITE, { pastDays: 0, variability: true }, false);
	let last = "";
	service.fault = async (request, answer) => {
		const good = await answer(request);
		if (request.path.startsWith("/v2/forecast/")) last = good.body;
		return good;
	};
	await house.runFor(HOUR);
	service.fault = undefined;
	const documents: [string, unknown][] = [
		["forecast", JSON.parse(last)],
		["recorded forecast", JSON.parse(readFileSync(RECORDED, "utf8"))],
	];
	const survives = async (text: string, isTaken?: boolean) => {
		const bystander = new Bystander();
		service.fault = async (request, answer) => {
			const good = await answer(request);
			return request.path.startsWith("/v2/forecast/")
				? { ...good, body: text }
				: good;
		};
		await house.runFor(2 * MINUTE);
		const { error } = await house.ask(SITE, {}, true);
		service.fault = undefined;
		if (error) {
			isOwn(error);
			assert.equal(error.kind, "RESPONSE", error.message);
		}
		if (isTaken !== undefined) assert.equal(error === undefined, isTaken);
		const state = house.state();
		assert.ok(state.forecast, "a good forecast is kept");
		consume(state as ForecastSnapshot);
		assert.equal(({} as any).polluted, undefined);
		await house.runFor(2 * MINUTE);
		const after = await house.ask(SITE, {}, true);
		assert.equal(after.error, undefined, "healed");
		bystander.stop();
		assert.deepEqual(bystander.seen, []);
		assert.equal(new Set(house.reports).size, house.reports.length);
		listener.forecasts.length = 0;
	};
	for (const { kind, name, spoil, isTaken, heavy = false } of CONTENTS) {
		const run = () => survives(spoil(last), isTaken);
		yield { kind, name, heavy, run };
	}
	for (const [what, document] of documents) {
		for (const { path, name, body } of wrongs(document)) {
			yield {
				kind: `fields of a ${what}`,
				name: `${path.join(".") || "all"}: ${name}`,
				run: () => survives(JSON.stringify(body) ?? ""),
			};
		}
	}
}
