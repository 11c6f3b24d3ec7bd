import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "mocha";
import { historyMessages } from "../../src/messages/history-messages";
import {
	type History,
	HistoryReader,
	historyDays,
} from "../../src/polling/historical-reader";
import { Hub } from "../../src/polling/hub";
import { siteSource } from "../../src/polling/source/source";
import { SolarYieldClient } from "../../src/service/client";
import type { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import type { HistoricalRange } from "../../src/service/v2/request-parameters";
import { FakeClock } from "../support/fake-clock";
import { ACCOUNT } from "../support/house";
import { MemoryStorage } from "../support/memory-storage";
import { Simulator } from "../support/service/simulator";
import type { Variants } from "../support/service/variants";
import { HOUR } from "../support/time";

const KEY = "key-of-the-test";
const SITE = "site_a";
/** Both have the change to winter time in them, at different offsets. */
const PLACES = {
	Berlin: {
		latitude: 52.52,
		longitude: 13.41,
		change: "2026-10-25",
		quarters: 100,
	},
	Adelaide: {
		latitude: -34.9,
		longitude: 138.6,
		change: "2026-10-04",
		quarters: 92,
	},
	Kathmandu: {
		latitude: 27.7,
		longitude: 85.3,
		change: "2026-10-15",
		quarters: 96,
	},
};
const OCTOBER: HistoricalRange = {
	startDate: "2026-10-01",
	endDate: "2026-10-31",
};

function world(
	variants: Partial<Variants> = {},
	place: keyof typeof PLACES = "Berlin",
) {
	const clock = new FakeClock("2026-11-27T08:12:33Z");
	const simulator = new Simulator({ now: () => clock.time, variants });
	simulator.addAccount({ apiKey: KEY, plan: "plus" });
	const { latitude, longitude } = PLACES[place];
	simulator.addSite(KEY, {
		id: SITE,
		name: place,
		latitude,
		longitude,
		strings: [
			{ id: "str_a", slope: 30, orientation: 180, power_kw: 6 },
			{ id: "str_b", slope: 20, orientation: 270, power_kw: 4 },
		],
	});
	const storage = new MemoryStorage();
	const folder = mkdtempSync(join(tmpdir(), "solar-yield-history-"));
	const path = join(folder, "history-account");
	const restart = () => {
		const exchange = simulator.exchange(KEY);
		const hub = new Hub(exchange, storage, clock);
		void hub.setAccount("account", ACCOUNT);
		return {
			hub,
			reader: new HistoryReader(hub, new SolarYieldClient(exchange), path),
		};
	};
	const ask = (
		reader: HistoryReader,
		range: HistoricalRange = OCTOBER,
		include: ("default" | "strings" | "weather")[] = ["default", "strings"],
	) =>
		reader.ask({
			source: siteSource(SITE),
			range,
			include,
			params: {},
			interval: "end",
		});
	return { clock, simulator, folder, restart, ask };
}

const messagesOf = (
	history: History,
	first: number,
	last: number,
	whole: boolean,
) =>
	historyMessages(
		history,
		{
			selection: { include: ["default", "strings"], timezone: "local" },
			topic: "solar-yield",
			demo: false,
		},
		{ first, last },
		whole,
		"id",
	) as any[];

describe("history", () => {
	const variants: Partial<Variants>[] = [
		{},
		{ timestamps: "naive" },
		{ shuffledRows: true },
		{ nullAtNight: true },
		{ firstRow: "00:15" },
		{ idField: "site_id", siteStringIndex: false, errorBody: "html" },
		{ timestamps: "naive", shuffledRows: true, nullAtNight: true },
	];
	const energies = new Map<string, number>();
	for (const place of Object.keys(PLACES) as (keyof typeof PLACES)[]) {
		for (const variant of place === "Berlin"
			? variants
			: variants.slice(0, 2)) {
			it(`has the days of ${place} whole with ${JSON.stringify(variant)}`, async () => {
				const { restart, ask } = world(variant, place);
				const history = await ask(restart().reader);
				const days = historyDays(history);
				assert.equal(days.length, 31);
				let energy = 0;
				for (const [index, day] of days.entries()) {
					const [rows, a, b] = messagesOf(history, day, day, false);
					const date = rows.payload.daily[0].date;
					assert.equal(date, `2026-10-${String(index + 1).padStart(2, "0")}`);
					// A day's last row comes with the stamps of the next.
					const cut = variant.firstRow !== "00:15" && index === 30 ? 1 : 0;
					const { change, quarters } = PLACES[place];
					const count = date === change ? quarters : 96;
					assert.equal(rows.payload.values.length, count - cut);
					assert.equal(a.payload.values.length, count - cut);
					assert.ok(rows.payload.values[0].timestamp.startsWith(date));
					const parts = [a, b].map((it) => it.payload.daily[0].pv_energy_kwh);
					// A night that nobody says to be dark is unknown, not 0.
					if (variant.nullAtNight) {
						assert.deepEqual(parts, [null, null]);
						assert.ok(rows.solar.gaps > 0);
						continue;
					}
					const sum = parts[0] + parts[1];
					const whole = rows.payload.daily[0].pv_energy_kwh;
					assert.ok(Math.abs(sum - whole) < 0.02, `${date}: ${sum}, ${whole}`);
					assert.equal(rows.solar.gaps, 0);
					energy += sum;
				}
				if (variant.nullAtNight) return;
				const known = energies.get(place) ?? energy;
				energies.set(place, known);
				assert.ok(Math.abs(energy - known) < 0.1, `${energy}, ${known}`);
			});
		}
	}

	it("keeps what is over on disk, apart for each range, groups and site", async () => {
		const { clock, simulator, folder, restart, ask } = world();
		const { reader } = restart();
		assert.equal((await ask(reader)).cached, false);
		assert.equal((await ask(reader)).cached, true);
		assert.equal((await ask(restart().reader)).cached, true);
		assert.equal((await ask(reader, OCTOBER, ["weather"])).cached, false);
		// With today in it, it is kept for the running quarter hour.
		assert.equal((await ask(reader, { period: "2d" })).cached, false);
		assert.equal((await ask(reader, { period: "2d" })).cached, true);
		assert.equal(readdirSync(folder).length, 3);
		const asked = simulator.requests.filter(({ counted }) => counted).length;
		assert.equal(asked, 3);

		for (const name of readdirSync(folder)) {
			writeFileSync(join(folder, name), "{ broken");
		}
		assert.equal((await ask(reader)).cached, false);
		await reader.forget("site_b");
		assert.equal((await ask(reader)).cached, true);
		await reader.forget(SITE);
		assert.equal((await ask(reader)).cached, false);
		assert.equal((await ask(reader, { period: "2d" })).cached, false);

		await clock.runTo(clock.time + 24 * HOUR, async () => {});
		assert.equal((await ask(reader)).cached, false);
	});

	it("keeps it in memory where there is no folder", async () => {
		const { restart } = world();
		const { hub } = restart();
		const { simulator } = world();
		const client = new SolarYieldClient(simulator.exchange(KEY));
		const reader = new HistoryReader(hub, client, "/dev/null/history");
		const query = {
			source: siteSource(SITE),
			range: OCTOBER,
			include: ["default" as const],
			params: {},
			interval: "end" as const,
		};
		assert.equal((await reader.ask(query)).cached, false);
		assert.equal((await reader.ask(query)).cached, true);
		await reader.forget(SITE);
		assert.equal((await reader.ask(query)).cached, false);
	});

	it("waits after a burst limit, as forecasts do", async () => {
		const { restart, ask, simulator, clock } = world();
		const { hub, reader } = restart();
		const handle = simulator.handle.bind(simulator);
		simulator.handle = (request) =>
			request.path.startsWith("/v2/historical")
				? { status: 429, headers: { "retry-after": "120" }, body: "" }
				: handle(request);
		const refused = async (): Promise<SolarYieldError> =>
			ask(reader).then(
				() => assert.fail("was not refused"),
				(error) => error,
			);
		assert.equal((await refused()).kind, "RATE");
		simulator.handle = handle;
		const held = await refused();
		assert.equal(held.kind, "RATE");
		assert.match(held.message, /send the message again later$/);
		assert.equal((await hub.account("historical")).own, 0);
		await clock.runTo(clock.time + 121_000, async () => {});
		assert.equal((await ask(reader)).cached, false);
		assert.equal((await hub.account("historical")).own, 1);
		assert.equal((await hub.account()).own, 0);
	});
});
