import assert from "node:assert/strict";
import {
	type AnyExporter,
	Documents,
	type ExportMessage,
	FORMAT_NAMES,
	FORMATS,
	type HomeAssistant,
	openExporter,
	Published,
	readExportOptions,
	readRequest,
	type ScalarValues,
} from "../../src/export";
import { nowValues } from "../../src/forecast/now";
import type { QuotaFacts } from "../../src/messages/facts";
import type { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import { textIn } from "../../src/texts/texts";
import { MINUTE } from "../support/time";
import { type MadeForecast, makeForecast, type Plan } from "./forecasts";

const DAY: Plan = {
	zone: "Europe/Berlin",
	date: "2026-10-24",
	days: 7,
	peaks: [8000, 4000],
	strings: [6, 4],
};

const site = (site_id: string, plan: Partial<Plan> = {}) =>
	makeForecast({ ...DAY, ...plan, solar: { site_id, site_name: site_id } });

/** A broker: what is retained, by topic. */
class Retained {
	readonly held = new Map<string, unknown>();

	take(messages: readonly ExportMessage[]): number {
		for (const { topic, payload, retain } of messages) {
			assert.equal(retain, true);
			if (payload === "") this.held.delete(topic);
			else this.held.set(topic, payload);
		}
		return messages.length;
	}

	get topics(): string[] {
		return [...this.held.keys()].sort();
	}
}

const open = (
	format: (typeof FORMAT_NAMES)[number],
	published?: Published,
): AnyExporter =>
	openExporter(format, readExportOptions(format, {}), published);

const input = ({ forecast, solar }: MadeForecast, nowMs: number) => ({
	forecast,
	facts: solar,
	nowMs,
	topic: `pv/${solar.site_id}/forecast`,
});

/** A record as it comes back from a file. */
const stored = ({ published }: AnyExporter) =>
	Published.parse(JSON.parse(JSON.stringify(published)));

/** Three days with a forecast each morning and a look every minute, as a node's timer looks. */
function threeDays(exporter: AnyExporter, broker: Retained, sites: string[]) {
	const all = sites.map((id) => site(id));
	const start = all[0]?.days[0]?.start ?? 0;
	for (let minute = 0; minute < 3 * 24 * 60; minute += 1) {
		const now = start + minute * MINUTE;
		if (minute % 1440 === 360) {
			const day = Math.floor(minute / 1440);
			const date = all[0]?.days[day]?.date ?? "";
			// Each forecast begins with its day and reaches as far as the first.
			for (const id of sites) {
				const made = site(id, { date, days: 7 - day });
				broker.take(exporter.update(input(made, now)));
			}
		}
		const next = exporter.nextRenewal(now);
		const sent = broker.take(exporter.renew(now));
		// A timer may sleep until then.
		if (sent === 0 && next !== null) assert.ok(next > now);
	}
}

const DOCUMENT_TOPICS = (id: string) => ({
	solcast: ["d3", "d4", "d5", "today", "tomorrow"].map(
		(day) => `pv/${id}/solcast/${day}`,
	),
	evcc: [`pv/${id}/evcc`],
});

describe("published: three days", () => {
	it("solcast: the days that are left, for each site, then none", () => {
		const broker = new Retained();
		const exporter = open("solcast");
		threeDays(exporter, broker, ["a", "b"]);
		const { a, b } = {
			a: DOCUMENT_TOPICS("a").solcast,
			b: DOCUMENT_TOPICS("b").solcast,
		};
		// Seven days, two midnights later five.
		assert.deepEqual(broker.topics, [...a, ...b]);
		broker.take(exporter.remove("a"));
		assert.deepEqual(broker.topics, b);
		broker.take(open("solcast", stored(exporter)).remove(undefined));
		assert.deepEqual(broker.topics, []);
	});

	it("solcast: today is the site's at its midnight, without a forecast", () => {
		const made = site("a", { zone: "Asia/Kathmandu" });
		const exporter = open("solcast");
		const { start: day2 } = made.days[1] ?? { start: 0 };
		const evening = exporter.update(input(made, day2 - 1));
		assert.equal(exporter.nextRenewal(day2 - 1), day2);
		assert.deepEqual(exporter.renew(day2 - 1), []);
		const night = exporter.renew(day2);
		assert.deepEqual(night[0]?.payload, evening[1]?.payload);
		assert.equal(night[0]?.topic, "pv/a/solcast/today");
		assert.deepEqual(
			night.filter(({ payload }) => payload === "").map(({ topic }) => topic),
			["pv/a/solcast/d7"],
		);
		assert.deepEqual(exporter.renew(day2 + MINUTE), []);
	});

	it("Home Assistant: discovery, state and a curve per day, then none", () => {
		const broker = new Retained();
		const exporter = open("home-assistant");
		threeDays(exporter, broker, ["a", "b"]);
		const topics = (id: string) => [
			`homeassistant/device/solar_yield_${id}/config`,
			...[0, 1, 2, 3, 4].map((day) => `pv/${id}/home-assistant/day/${day}`),
			`pv/${id}/home-assistant/state`,
		];
		assert.deepEqual(broker.topics, [...topics("a"), ...topics("b")].sort());
		broker.take(exporter.remove("b"));
		assert.deepEqual(broker.topics, topics("a").sort());
		// Forgotten: no birth message and no clock brings it back, only its forecast.
		const later = (site("a").days[3]?.start ?? 0) + 9 * 60 * MINUTE;
		const births = (exporter as HomeAssistant).birth(later);
		assert.ok(broker.take(births) > 0);
		assert.ok(births.every(({ topic }) => !/\/b\/|_b\//.test(topic)));
		assert.ok(
			exporter
				.renew(later + 5 * MINUTE)
				.every(({ topic }) => !/\/b\//.test(topic)),
		);
		broker.take(open("home-assistant", stored(exporter)).remove(undefined));
		assert.deepEqual(broker.topics, []);
	});

	it("values: a topic per field, then none", () => {
		const broker = new Retained();
		const exporter = open("values");
		threeDays(exporter, broker, ["a"]);
		assert.ok(broker.topics.length > 25);
		for (const topic of broker.topics)
			assert.match(topic, /^pv\/a\/([a-z0-9_]+\/)?[a-z0-9_]+$/);
		assert.ok(broker.held.has("pv/a/power_now_w"));
		broker.take(open("values", stored(exporter)).remove("a"));
		assert.deepEqual(broker.topics, []);
	});

	it("values: a forecast that is sent again fills a broker that lost all", () => {
		const made = site("a");
		const now = (made.days[0]?.start ?? 0) + 600 * MINUTE;
		const exporter = open("values");
		const held = () => {
			const broker = new Retained();
			broker.take(exporter.update(input(made, now)));
			return broker.held;
		};
		const first = held();
		assert.ok(first.size > 25);
		assert.deepEqual(held(), first);
		assert.deepEqual(exporter.renew(now + MINUTE), []);
	});

	it("a format of one document: its topic, then none", () => {
		const broker = new Retained();
		const exporter = open("evcc");
		threeDays(exporter, broker, ["a"]);
		assert.deepEqual(broker.topics, DOCUMENT_TOPICS("a").evcc);
		broker.take(exporter.remove("a"));
		assert.deepEqual(broker.topics, []);
		assert.deepEqual(exporter.remove(undefined), []);
	});

	it("another topic before the site takes what lay under the old one away", () => {
		const made = site("a");
		const now = made.days[0]?.start ?? 0;
		const broker = new Retained();
		const exporter = open("apexcharts");
		broker.take(exporter.update(input(made, now)));
		broker.take(
			exporter.update({ ...input(made, now), topic: "house/a/forecast" }),
		);
		assert.deepEqual(broker.topics, ["house/a/apexcharts"]);
	});

	it("a site's demo data go with it", () => {
		const made = makeForecast({
			...DAY,
			solar: { site_id: "a", demo: true },
		});
		const exporter = open("evcc");
		exporter.update(input(made, made.days[0]?.start ?? 0));
		assert.deepEqual(
			exporter.remove("a").map(({ topic, payload }) => [topic, payload]),
			[["pv/demo-a/evcc", ""]],
		);
	});

	for (const format of FORMAT_NAMES) {
		it(`${format}: all it sent is taken back after a restart`, () => {
			const made = site("a");
			const now = (made.days[0]?.start ?? 0) + 600 * MINUTE;
			const broker = new Retained();
			const first = open(format);
			broker.take(first.update(input(made, now)));
			assert.ok(broker.topics.length > 0);
			const second = open(format, stored(first));
			broker.take(second.remove(undefined));
			assert.deepEqual(broker.topics, []);
			assert.deepEqual(stored(second), {});
		});
	}
});

describe("documents for who asks", () => {
	const made = site("a");
	const noon = (made.days[0]?.start ?? 0) + 720 * MINUTE;
	const request = { path: "/", query: {} };

	it("are those of the last forecast at this instant", () => {
		const exporter = open("evcc") as Documents;
		assert.deepEqual(
			exporter.answer(undefined, request, noon)?.[0]?.payload,
			[],
		);
		const [sent] = exporter.update(input(made, noon));
		const [answer] = exporter.answer(undefined, request, noon) ?? [];
		assert.deepEqual(answer, sent);
		const [nextDay] = exporter.answer("a", request, noon + 1440 * MINUTE) ?? [];
		const [first] = (nextDay?.payload ?? []) as { start: string }[];
		assert.equal(
			first?.start,
			new Date(made.days[1]?.start ?? 0).toISOString().replace(".000", ""),
		);
		assert.throws(
			() => exporter.answer("b", request, noon),
			/msg\.siteId is "b", and forecasts are known of a; /,
		);
		exporter.remove("a");
		assert.deepEqual(
			exporter.answer(undefined, request, noon)?.[0]?.payload,
			[],
		);
	});

	it("are those of the site that a reader of Solcast asks for", () => {
		const exporter = openExporter(
			"solcast",
			readExportOptions("solcast", { shape: "api" }),
		) as Documents;
		const asking = (id: string) => ({
			path: `/pv/rooftop_sites/${encodeURIComponent(id)}/forecasts`,
			query: {},
		});
		assert.equal(exporter.answer(undefined, asking("b"), noon), undefined);
		exporter.update(input(made, noon));
		const unknown = (id: string) =>
			assert.throws(
				() => exporter.answer(undefined, asking(id), noon),
				({ kind, message }: SolarYieldError) =>
					kind === "NOT_FOUND" && message.includes("known of a"),
			);
		for (const id of ["b", "A", "a/b", "%", "a "]) unknown(id);
		assert.equal(exporter.answer(undefined, asking("a"), noon)?.length, 1);
		// Through a forecast node, which answers with the only site it has.
		assert.throws(
			() => exporter.update({ ...input(made, noon), request: asking("b") }),
			/site "b", and forecasts are known of a; /,
		);
		exporter.update(input(site("a b"), noon));
		const [answer] = exporter.answer(undefined, asking("a b"), noon) ?? [];
		assert.equal(answer?.topic, "pv/a_b/solcast");
		unknown("b");
	});

	it("name the site where several are known", () => {
		const exporter = open("csv") as Documents;
		for (const id of ["a", "b"]) exporter.update(input(site(id), noon));
		assert.throws(
			() => exporter.answer(undefined, request, noon),
			/msg\.siteId is missing, and forecasts are known of a, b; /,
		);
		const [answer] = exporter.answer("b", request, noon) ?? [];
		assert.equal(answer?.topic, "pv/b/csv");
	});
});

describe("values", () => {
	const made = site("a", { bandHours: 20 });
	const start = made.days[0]?.start ?? 0;
	const at = (hour: number) => start + hour * 60 * MINUTE;

	it("are bare numbers, true or false, and times", () => {
		const messages = (open("values") as ScalarValues).update({
			...input(made, at(12)),
			quota: { remaining: 720 } as QuotaFacts,
		});
		const found = new Map(
			messages.map(({ topic, payload }) => [topic.slice(5), payload]),
		);
		assert.equal(found.get("power_now_w"), made.quarters[48]?.watts);
		assert.equal(found.get("stale"), false);
		assert.match(
			String(found.get("peak_time_today")),
			/^2026-10-24T.*\+02:00$/,
		);
		for (const [field, payload] of found) {
			assert.ok(
				["number", "boolean", "string"].includes(typeof payload),
				field,
			);
			assert.notEqual(payload, "");
		}
		const days = made.days.map(({ energy }) => energy);
		for (const [field, wanted] of Object.entries({
			...Object.fromEntries(
				days.map((energy, n) => [
					`day_${n}_energy_kwh`,
					n < 2 ? undefined : Math.round(energy * 1e6) / 1e6,
				]),
			),
			day_7_energy_kwh: undefined,
			requests_remaining: 720,
			sent_at: "2026-10-24T10:00:00Z",
			valid_until: "2026-10-24T10:15:00Z",
		}))
			assert.deepEqual(found.get(field), wanted, field);
		const parts = made.solar.strings.map(({ string_id }) => string_id);
		const sum = (field: string) =>
			parts.reduce((all, id) => all + Number(found.get(`${id}/${field}`)), 0);
		assert.ok(Math.abs(sum("energy_today_kwh") - Number(days[0])) < 0.01);
		assert.ok(
			Math.abs(sum("power_now_w") - Number(made.quarters[48]?.watts)) < 1,
		);
		// Unknown from the start.
		assert.ok(!found.has("next_poll_at"));
	});

	it("tell until when they count: three times as long as until the next", () => {
		const broker = new Retained();
		const exporter = open("values") as ScalarValues;
		const until = () =>
			(Date.parse(String(broker.held.get("pv/a/valid_until"))) - at(12)) /
			MINUTE;
		broker.take(exporter.update(input(made, at(12))));
		broker.take(exporter.renew(at(12) + 5 * MINUTE));
		assert.equal(until(), 20);
		const { forecast, solar: facts } = made;
		const nowMs = at(12) + 6 * MINUTE;
		const now = nowValues(forecast, facts, nowMs);
		broker.take(
			exporter.update({ now, every: 15, facts, nowMs, topic: "pv/a/now" }),
		);
		assert.equal(until(), 51);
		assert.deepEqual(exporter.renew(at(12) + 35 * MINUTE), []);
	});

	it("are sent when they change, and cleared when they become unknown", () => {
		const exporter = open("values");
		exporter.update(input(made, at(12)));
		const later = exporter.renew(at(12) + 5 * MINUTE).map(({ topic }) => topic);
		assert.ok(later.includes("pv/a/energy_remaining_today_kwh"));
		assert.ok(!later.includes("pv/a/power_now_w"));
		assert.ok(!later.includes("pv/a/energy_today_kwh"));
		// The band is known for twenty hours, so its edge becomes unknown.
		const clear = (hour: number) =>
			exporter
				.renew(at(hour))
				.filter(({ payload }) => payload === "")
				.map(({ topic }) => topic);
		const gone = clear(34);
		assert.ok(gone.includes("pv/a/power_now_min_w"));
		assert.ok(!clear(35).includes("pv/a/power_now_min_w"));
	});

	it("after a restart clear what was known before and is not now", () => {
		const first = open("values");
		first.update(input(made, at(12)));
		const plain = site("a");
		const second = open("values", stored(first));
		const gone = second
			.update(input(plain, at(12)))
			.filter(({ payload }) => payload === "")
			.map(({ topic }) => topic);
		assert.ok(gone.includes("pv/a/power_now_max_w"));
	});
});

describe("while nothing is known", () => {
	it("evcc is answered with an empty list, others are not answered", () => {
		for (const format of FORMAT_NAMES) {
			const exporter = openExporter(format, readExportOptions(format, {}));
			if (!(exporter instanceof Documents)) continue;
			assert.deepEqual(
				exporter.answer(undefined, readRequest({}), 0),
				format === "evcc"
					? [
							{
								topic: "evcc",
								payload: [],
								retain: false,
								headers: { "content-type": "application/json" },
							},
						]
					: undefined,
			);
		}
	});
});

describe("warnings", () => {
	it("an EMHASS list, unless EMHASS is known to begin with the running step", () => {
		const warning = (raw: Record<string, unknown>) =>
			FORMATS.emhass.warning?.(readExportOptions("emhass", raw)) ?? {
				key: "none",
			};
		assert.match(
			textIn(warning({ shape: "list" })),
			/method_ts_round is first; set that in EMHASS and choose rounding first/,
		);
		assert.equal(warning({ shape: "list", rounding: "first" }).key, "none");
		assert.equal(warning({ shape: "dict" }).key, "none");
	});
});
