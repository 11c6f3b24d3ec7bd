import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "acorn";
import { transformSync } from "esbuild";
import { batteryStatus } from "../../nodes/battery/status";
import { exportStatus } from "../../nodes/export/status";
import { forecastStatus } from "../../nodes/forecast/status";
import { learnStatus } from "../../nodes/learn/status";
import { errorIn, inLanguage } from "../../nodes/shared/phrases";
import { noSiteError, SetupError } from "../../nodes/shared/setup-error";
import { windowStatus } from "../../nodes/window/status";
import { emptyState } from "../../src/battery/battery-state";
import { takeInputs } from "../../src/battery/transitions";
import { Zone } from "../../src/forecast/zone";
import { REASONS } from "../../src/messages/reasons";
import { readSelection } from "../../src/messages/selection";
import { readNumber } from "../../src/messages/value-readers";
import type { SourceSnapshot } from "../../src/polling/account/snapshots";
import { limitError } from "../../src/polling/requests/failures";
import { failureOf } from "../../src/service/errors/answer-error";
import { ForeignAnswerError } from "../../src/service/errors/first-contact";
import { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import { transportError } from "../../src/service/errors/transport-error";
import { normaliseBaseUrl } from "../../src/service/http/base-url";
import { restoreText } from "../../src/service/v2/sites/site-dates";
import { LANGUAGES } from "../../src/util/language";
import { readWindowSettings } from "../../src/window/settings";
import { translator } from "../support/catalogue";
import { ROOT } from "../support/node-red-process";
import { sourceFiles } from "../support/source-imports";

const NOW = Date.parse("2026-11-27T13:10:00Z");
const FAR = Date.parse("2026-12-01T00:00:00.000Z");
const BERLIN = Zone.of("Europe/Berlin") as Zone;
/** What only machines should have to read. */
const FOR_MACHINES = /\d\dZ|\.\d{3}Z|T\d\d:/;

const thrown = (work: () => unknown): SolarYieldError => {
	try {
		work();
	} catch (error) {
		assert.ok(error instanceof SolarYieldError, String(error));
		return error;
	}
	return assert.fail("nothing was thrown");
};

const source = { zone: BERLIN } as never;
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
			limitError({ until: FAR, reason }, source),
			limitError({ until: FAR, reason }),
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
			settings: { feedInPrice: 0, capacityKwh: 10, maxDischargeW: 5000 },
		},
	).errors,
];

describe("a time in a text for people", () => {
	it("is no machine's, in any error, and what machines read stays", () => {
		assert.ok(WITH_TIME.length >= 10);
		for (const error of WITH_TIME) {
			assert.doesNotMatch(error.message, FOR_MACHINES);
			assert.match(error.message, /[A-Z][a-z]{2} \d{1,2}, (\d{4}, )?\d\d:\d\d/);
			const german = errorIn(error, "de");
			assert.doesNotMatch(german.message, FOR_MACHINES);
			assert.match(german.message, /\d{1,2}\. [A-Z]\S+( \d{4})?, \d\d:\d\d/);
			assert.deepEqual(german.cause, error.cause);
		}
		assert.equal(
			limitError({ until: FAR, reason: "budget" }, source).message,
			"The account's budget for the month is used up; wait until Dec 1, 01:00 or raise the budget",
		);
		assert.equal(tooMany.cause.retry_at, "2026-12-01T00:00:00.000Z");
	});

	it("says until when a deleted site can be restored", () => {
		const site = (deleted_at: string | null, timezone: string | null) =>
			restoreText({ deleted_at, timezone } as never);
		assert.equal(
			site("2026-11-01T00:00:00Z", "Europe/Berlin"),
			"until Dec 1, 01:00",
		);
		assert.doesNotMatch(site("2026-11-01T00:00:00Z", "nowhere"), FOR_MACHINES);
		assert.equal(site("soon", "Europe/Berlin"), "within 30 days");
	});

	it("is no machine's in any status", () => {
		for (const language of LANGUAGES) {
			const say = translator(language);
			const states = Object.keys(REASONS).map(
				(reason) =>
					({
						site: { state: "active", timezone: "Europe/Berlin" },
						plan: { at: FAR, reason, what: "forecast" },
						failure: { kind: "NETWORK", message: "" },
						now: NOW,
					}) as unknown as SourceSnapshot,
			);
			const texts = [
				...states.map((state) => forecastStatus(state, false, say).text),
				exportStatus(
					{ format: "csv", sent: { at: NOW, zone: BERLIN, filled: 0 } },
					false,
					say,
				).text,
				learnStatus(
					{
						facts: () => ({
							isKnown: true,
							readUntil: NOW,
							percent: 0,
							error: null,
						}),
						notes: () => [],
						state: { timezone: "Europe/Berlin", demo: false },
						isMissing: false,
					} as never,
					FAR,
					say,
				).text,
				windowStatus(
					{
						output: {
							why: { code: "running", until: FAR },
							windows: [],
						} as never,
						lacksPrices: false,
						zone: BERLIN,
						demo: false,
						now: NOW,
					},
					say,
				).text,
				batteryStatus(
					{
						verdict: { act: "drive" } as never,
						plan: {
							now: { mode: "charge" },
							lacks: [],
							full_at: "2026-12-01T01:00:00+01:00",
						} as never,
						zone: BERLIN,
						hasTold: true,
						now: NOW,
					},
					say,
				).text,
			];
			for (const text of texts) assert.doesNotMatch(text ?? "", FOR_MACHINES);
			const far = language === "de" ? "1. Dez., 01:00" : "Dec 1, 01:00";
			assert.ok(texts.filter((text) => text?.includes(far)).length >= 15);
		}
	});

	it("is made of a machine's time nowhere in the sources", () => {
		const found = sourceFiles
			.filter((file) => !file.startsWith("src/simulator/"))
			.flatMap((file) =>
				readFileSync(join(ROOT, file), "utf8")
					.split("\n")
					.filter((line) =>
						/\$\{[^}]*(utcText|toISOString|deleted_at)/.test(line),
					)
					.map((line) => `${file}: ${line.trim()}`),
			);
		// These write stamps, not texts.
		assert.deepEqual(
			found.filter(
				(line) =>
					!/^src\/(forecast\/zone|export\/source\/units)\.ts/.test(line),
			),
			[],
		);
	});
});

/** Files whose texts are no errors, or have their German beside them. */
const OTHER_TEXTS =
	/^src\/(simulator|battery\/(payload|release)|export\/(home-assistant\/(device|names)|chart\/chart-words)|learn\/notes|messages\/reasons)|(^|\/)editor(\/|\.ts$)|\/german\.ts$|^nodes\/shared\/phrases/;
/** Texts for machines, and for the log of who develops this. */
const NO_TEXTS = [
	"another site's",
	"another source's forecast",
	"no code",
	"no digest",
	"not whole",
	"config.tracking.axis_azimuth, axis_tilt, max_angle, backtracking",
	// A type of node.
	"link out",
	// The reason in a battery's payload.
	"the node was deleted, disabled or stopped",
];

/** All texts of a source that have words in them, `${…}` where something is filled in. */
function textsIn(file: string): string[] {
	const source = readFileSync(join(ROOT, file), "utf8");
	const { code } = transformSync(source, { loader: "ts" });
	const found: string[] = [];
	JSON.stringify(
		parse(code, { ecmaVersion: "latest", sourceType: "module" }),
		(_key, node) => {
			if (node?.type === "Literal" && !node.regex) {
				found.push(String(node.value));
			}
			if (node?.type === "TemplateLiteral") {
				found.push(
					node.quasis
						.map(({ value }: { value: { cooked: string } }) => value.cooked)
						.join("${}"),
				);
			}
			return typeof node === "bigint" ? String(node) : node;
		},
	);
	return found.filter((text) => /[a-z]{2,},? [a-z]{2,}/.test(text));
}

describe("errors in German", () => {
	const german = (text: string) => inLanguage(text, "de");

	it("are there for every text of the sources", () => {
		// What is loaded after the first use counts as well.
		assert.equal(german("is not a site"), "is not a site");
		for (const file of sourceFiles) {
			if (/^nodes\/\w+\/node\.ts$/.test(file)) require(join(ROOT, file));
		}
		const phrases = sourceFiles
			.filter((file) => file.endsWith("/german.ts"))
			.flatMap((file) => Object.values<object>(require(join(ROOT, file))))
			.flatMap(Object.keys);
		/** Whether it is in a phrase, as a whole or as a part that is put together, or said by a general one. */
		const isKnown = (text: string) => {
			const parts = text
				.split(/(?:\$\{\}|\{\w+\})+/)
				.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
			const pattern = new RegExp(parts.join(".*"));
			const sample = text.replace(/\$\{\}/g, "x");
			return (
				phrases.some((phrase) => pattern.test(phrase)) ||
				german(sample) !== sample
			);
		};
		const files = sourceFiles.filter((file) => !OTHER_TEXTS.test(file));
		const texts = files.flatMap((file) =>
			textsIn(file).map((text) => ({ file, text })),
		);
		assert.ok(texts.length > 250, `${texts.length} texts`);
		assert.ok(!isKnown("give ${} a wide berth"));
		assert.deepEqual(
			texts.filter(
				({ text }) =>
					!NO_TEXTS.includes(text) &&
					!isKnown(text) &&
					!text.split("; ").every((part) => part === "${}" || isKnown(part)),
			),
			[],
		);
	});

	it("are whole, code and cause as they were", () => {
		const answers = [401, 402, 403, 404, 407, 408, 422, 425, 429, 500, 301].map(
			(status) =>
				failureOf({ status, headers: {}, body: "" }, "forecasts", NOW),
		);
		const codes = [
			"ENOTFOUND",
			"ECONNREFUSED",
			"EHOSTUNREACH",
			"CERT_X",
			"EPROTO",
			"ETIMEDOUT",
			"ECONNRESET",
		];
		const errors = [
			...answers,
			...codes.map((code) => transportError({ code }, "solar.example")),
			new ForeignAnswerError("a web page"),
			noSiteError(),
			thrown(() => readSelection({ pastDays: "99" })),
			thrown(() => readSelection({ timezone: "mars" })),
			thrown(() =>
				readNumber("capacityKwh", "", { unit: "kWh", above: 0, most: 10 }),
			),
			thrown(() => readWindowSettings({ hours: 99 })),
			thrown(() => readWindowSettings({ from: "noon" })),
			thrown(() => normaliseBaseUrl("no address")),
		];
		for (const error of errors) {
			const said = errorIn(error, "de");
			assert.notEqual(said.message, error.message);
			assert.doesNotMatch(
				said.message,
				/\b(the|is|are|and|check|give|enter)\b/,
			);
			assert.deepEqual([said.code, said.cause], [error.code, error.cause]);
			assert.equal(errorIn(error, "en-US"), error);
		}
		assert.equal(
			german(new ForeignAnswerError("a web page").message),
			"Diese Adresse ist nicht der Solar Yield Service (sie antwortet mit einer Webseite); prüfen Sie die Basis-URL",
		);
	});

	it("keep the service's own words, and several that are told as one", () => {
		assert.equal(
			german(
				'The service refuses the API key ("Invalid; API key"); check the key of the account',
			),
			'Der Dienst lehnt den API-Schlüssel ab ("Invalid; API key"); prüfen Sie den Schlüssel des Kontos',
		);
		assert.equal(
			german(
				"sumId is 1; give the sum an id of its own · split is 2; give true or false",
			),
			"sumId ist 1; geben Sie der Summe eine eigene ID · split ist 2; geben Sie true oder false an",
		);
	});

	it("are never half in German: what has no words in it stays English", () => {
		for (const text of [
			"pastDays is 9; stand on your head",
			"Something else; do that",
		]) {
			assert.equal(german(text), text);
		}
		const other = new SetupError("account", "Something else; do that");
		assert.equal(errorIn(other, "de"), other);
	});
});
