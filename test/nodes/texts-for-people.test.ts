import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import type { Node, NodeAPI } from "node-red";
import {
	handleInput,
	tellError,
	tellWarning,
} from "../../nodes/shared/handler";
import { emptyState } from "../../src/battery/battery-state";
import { takeInputs } from "../../src/battery/transitions";
import { limitError } from "../../src/polling/step/errors";
import { failureOf } from "../../src/service/answer-error";
import {
	inputError,
	restated,
	type SolarYieldError,
} from "../../src/service/errors/solar-yield-error";
import { transportError } from "../../src/service/errors/transport-error";
import { restoreText } from "../../src/service/v2/sites/site-dates";
import { textIn } from "../../src/texts/texts";
import { Zone } from "../../src/util/zone";
import { translator } from "../support/catalogue";

const NOW = Date.parse("2026-11-27T13:10:00Z");
const FAR = Date.parse("2026-12-01T00:00:00.000Z");
const BERLIN = Zone.of("Europe/Berlin") as Zone;
/** What only machines should have to read. */
const FOR_MACHINES = /\d\dZ|\.\d{3}Z|T\d\d:/;

const german = (error: SolarYieldError) => restated(error, { language: "de" });

const tooMany = failureOf(
	{
		status: 429,
		headers: {
			"requestlimit-limit": "1000",
			"requestlimit-used": "1000",
			"requestlimit-remaining": "0",
			"requestlimit-reset": "2026-12-01T00:00:00Z",
		},
		body: '{"detail":"limit"}',
	},
	"forecasts",
	NOW,
);

/** Every error that names a time. */
const WITH_TIME: readonly SolarYieldError[] = [
	...(["burst", "exhausted", "budget", "reserve"] as const).flatMap(
		(reason) => [
			limitError({ until: FAR, reason }, BERLIN.name),
			limitError({ until: FAR, reason }, undefined),
		],
	),
	tooMany,
	transportError({ code: "CERT_HAS_EXPIRED" }, "solar.example"),
	...takeInputs(
		emptyState(),
		{
			prices: [{ start: NOW - 7_200_000, end: NOW - 3_600_000, price: 1 }],
		} as never,
		{
			now: NOW,
			zone: BERLIN,
			settings: { capacityKwh: 10, maxDischargeW: 5000 },
		},
	).errors,
];

describe("a time in a text for people", () => {
	it("is no machine's, in any error, and what machines read stays", () => {
		assert.ok(WITH_TIME.length >= 10);
		for (const error of WITH_TIME) {
			assert.doesNotMatch(error.message, FOR_MACHINES);
			assert.match(error.message, /[A-Z][a-z]{2} \d{1,2}, (\d{4}, )?\d\d:\d\d/);
			const said = german(error);
			assert.doesNotMatch(said.message, FOR_MACHINES);
			assert.match(said.message, /\d{1,2}\. [A-Z]\S+( \d{4})?, \d\d:\d\d/);
			assert.deepEqual(said.cause, error.cause);
		}
		assert.equal(
			limitError({ until: FAR, reason: "budget" }, BERLIN.name).message,
			"The account's budget for the month is used up; wait until Dec 1, 01:00 or raise the budget",
		);
		assert.equal(tooMany.cause.retry_at, "2026-12-01T00:00:00.000Z");
	});

	it("says until when a deleted site can be restored", () => {
		const site = (deleted_at: string | null, timezone: string | null) =>
			textIn(restoreText({ deleted_at, timezone } as never));
		assert.equal(
			site("2026-11-01T00:00:00Z", "Europe/Berlin"),
			"until Dec 1, 01:00",
		);
		assert.doesNotMatch(site("2026-11-01T00:00:00Z", "nowhere"), FOR_MACHINES);
		assert.equal(site("soon", "Europe/Berlin"), "within 30 days");
	});
});

describe("what a node says", () => {
	it("is in the server's language, to Catch nodes and to the debug sidebar", async () => {
		const said: unknown[] = [];
		const node = Object.assign(new EventEmitter(), {
			warn: (text: unknown) => said.push(text),
			error: (error: Error, msg: object) => said.push([error.message, msg]),
		}) as unknown as Node;
		const RED = { _: translator("de") } as unknown as NodeAPI;
		const error = inputError("value.flag", { field: "sell", value: 2 });
		const german = "sell ist 2; geben Sie true oder false an";
		tellWarning(RED, node, { key: "account.open_wire" });
		tellWarning(RED, node, error);
		tellError(RED, node, error, "house/forecast");
		handleInput(RED, node, () => {
			throw error;
		});
		const done = await new Promise<Error>((resolve) =>
			node.emit("input", {} as never, () => {}, resolve),
		);
		assert.deepEqual(
			said.map((it) => (it instanceof Error ? it.message : it)),
			[
				"Die Basis-URL beginnt mit http:, der API-Schlüssel reist also unverschlüsselt; verwenden Sie https:, wenn der Dienst es anbietet",
				german,
				[german, { topic: "house/forecast" }],
			],
		);
		assert.equal(done.message, german);
		assert.deepEqual(done.cause, error.cause);
		assert.ok(Object.hasOwn(done, "code") && Object.hasOwn(done, "cause"));
	});
});
