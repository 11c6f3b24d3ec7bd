import assert from "node:assert/strict";
import { at, hourly, local, near, read, rows, T0, told } from "./support";

describe("prices come as", () => {
	/** Rows of the two hours. */
	const two = <Row>(
		row: (start: string, end: string, price: number, hour: number) => Row,
		factor = 1,
	): Row[] =>
		[0.3, 0.2].map((price, hour) =>
			row(at(hour), at(hour + 1), price * factor, hour),
		);
	const periods = (factor = 1) =>
		two((start, end, price) => ({ start, end, price }), factor);
	/** A sensor of Home Assistant, with what else its attributes have. */
	const sensor = (attributes: object) => ({
		entity_id: "sensor.price",
		state: "0.3",
		attributes: {
			current_price: 0.3,
			"off peak 1": 0.2,
			currency: "EUR",
			region: "SE3",
			low_price: true,
			event_types: ["rates"],
			options: [{ name: "average", value: 0.25 }],
			...attributes,
		},
		timeSinceChangedMs: 1896681,
	});
	const nordPool = (factor = 1, more = {}) => ({
		unit: "kWh",
		today: two((_start, _end, price) => price, factor),
		tomorrow: [],
		raw_today: two((start, end, value) => ({ start, end, value }), factor),
		raw_tomorrow: [{ start: at(24), end: at(25), value: null }],
		...more,
	});
	const tibber = two((startsAt, _, total) => ({
		total,
		energy: 0.1,
		startsAt,
	}));
	const home = {
		currentSubscription: {
			priceInfo: {
				current: tibber[0],
				today: tibber.slice(0, 1),
				tomorrow: tibber.slice(1),
			},
		},
		consumption: {
			nodes: two((from, to) => ({ from, to, consumption: 1.2 })),
		},
	};
	const epex = (field: string, factor: number) =>
		sensor({
			unit_of_measurement: "EUR/MWh",
			data: two(
				(start_time, end_time, price) => ({
					start_time,
					end_time,
					[field]: price,
				}),
				factor,
			),
		});
	const entsoe = two((time, _, price) => ({
		time: time.replace("T", " ").replace(".000Z", "+00:00"),
		price,
	}));
	const SHAPES: Record<string, unknown> = {
		"Tibber, a list": two((_start, _end, total, hour) => ({
			total,
			startsAt: `2026-07-01T1${2 + hour}:00:00.000+02:00`,
		})),
		"Tibber, a query": { viewer: { homes: [home] } },
		"Tibber, a home without prices first": {
			viewer: { homes: [{ currentSubscription: null }, home, home] },
		},
		"Tibber's action in Home Assistant": {
			prices: {
				Flat: [],
				House: two((start_time, _, price) => ({ start_time, price })),
			},
		},
		"Nord Pool's action in Home Assistant, per MWh": {
			SE3: periods(1000),
			SE4: periods(900),
		},
		"Nord Pool's action, of two days": periods(1000).map((DE) => ({
			DE: [DE],
		})),
		"Nord Pool, a state": sensor(
			nordPool(1, { unit_of_measurement: "EUR/kWh" }),
		),
		"Nord Pool, its attributes": nordPool(),
		"Nord Pool, in cents": sensor(
			nordPool(100, { unit_of_measurement: "c/kWh" }),
		),
		"Nord Pool, in øre": sensor(
			nordPool(100, { unit_of_measurement: "Øre/kWh" }),
		),
		"Nord Pool, per MWh": sensor(
			nordPool(1000, { unit: "MWh", unit_of_measurement: "EUR/MWh" }),
		),
		"Nord Pool, an event": {
			entity_id: "sensor.price",
			old_state: sensor(nordPool(2)),
			new_state: sensor(nordPool()),
		},
		"EPEX spot": epex("price_per_kwh", 1),
		"EPEX spot, per MWh": epex("price_eur_per_mwh", 1000),
		"EPEX spot, in cents": epex("price_ct_per_kwh", 100),
		aWATTar: {
			object: "list",
			data: two(
				(start, end, marketprice) => ({
					start_timestamp: Date.parse(start),
					end_timestamp: Date.parse(end),
					marketprice,
					unit: "Eur/MWh",
				}),
				1000,
			),
		},
		"aWATTar, without its unit": two(
			(start, _, marketprice) => ({
				start_timestamp: Date.parse(start),
				marketprice,
			}),
			1000,
		),
		"Octopus, newest first": {
			count: 2,
			results: two(
				(valid_from, valid_to, price) => ({
					value_exc_vat: price * 0.95,
					value_inc_vat: price,
					valid_from,
					valid_to,
				}),
				100,
			).reverse(),
		},
		"Octopus in Home Assistant, in pounds": sensor({
			rates: two((start, end, value_inc_vat) => ({
				start,
				end,
				value_inc_vat,
				is_capped: false,
			})),
		}),
		"ENTSO-E in Home Assistant": sensor({
			unit_of_measurement: "EUR/kWh",
			prices_today: entsoe.slice(0, 1),
			prices_tomorrow: entsoe.slice(1),
			prices: entsoe,
		}),
		"Energy-Charts": {
			license_info: "CC BY 4.0",
			unix_seconds: [T0 / 1000, T0 / 1000 + 3600],
			price: [300, 200],
			unit: "EUR / MWh",
			deprecated: false,
		},
		"EnergyZero, its action": {
			prices: entsoe.map(({ time, price }) => ({ timestamp: time, price })),
		},
		"EnergyZero, before": {
			Prices: two((readingDate, _, price) => ({ price, readingDate })),
			intervalType: 4,
			average: 0.25,
		},
		"EnergyZero, what is paid": two((start, end, price) => ({
			start,
			end,
			price: { value: String(price) },
		})),
		"Frank Energie": {
			data: {
				marketPricesElectricity: two((from, till, price) => ({
					from,
					till,
					marketPrice: price - 0.1,
					marketPriceTax: 0.04,
					sourcingMarkupPrice: 0.02,
					energyTaxPrice: 0.04,
					perUnit: "KWH",
				})),
			},
		},
		"Energi Data Service": {
			dataset: "DayAheadPrices",
			records: two(
				(start, _, price) => ({
					TimeUTC: start.slice(0, 19),
					TimeDK: local(Date.parse(start)),
					PriceArea: "DK1",
					DayAheadPriceEUR: price / 7.46,
					DayAheadPriceDKK: price,
				}),
				1000,
			).reverse(),
		},
		"Energi Data Service, until 2025": {
			dataset: "Elspotprices",
			records: two(
				(start, _, price) => ({
					HourUTC: start.slice(0, 19),
					HourDK: local(Date.parse(start)),
					PriceArea: "DK1",
					SpotPriceDKK: price,
					SpotPriceEUR: price / 7.46,
				}),
				1000,
			),
		},
		"pörssisähkö, in cents that nobody says": {
			prices: two(
				(startDate, end, price) => ({
					price,
					startDate,
					endDate: new Date(Date.parse(end) - 1).toISOString(),
				}),
				100,
			),
		},
		"Energi Data Service in Home Assistant": sensor({
			today: [0.3, 0.2],
			tomorrow: null,
			raw_today: two((hour, _, price) => ({ hour, price })),
			raw_tomorrow: null,
		}),
		"power saver": {
			priceData: two((start, _, value) => ({ value, start })),
			source: "Other",
		},
		evcc: { result: { rates: periods() } },
		"evcc, its state": {
			forecast: {
				co2: periods(1000),
				feedin: periods(0.3),
				grid: periods(),
			},
		},
		"arrays of times and prices": {
			timestamps: [at(0), at(1)],
			prices: [0.3, 0.2],
		},
		"a date and a clock": two((_start, _end, price, hour) => ({
			date: "2026-07-01",
			time: `1${2 + hour}:00`,
			price,
		})),
		"a price with a unit of its own": two(
			(date, _, total) => ({
				date,
				price: { value: total * 0.8, total, unit: "øre/kWh" },
			}),
			100,
		),
		"names in German": two((von, bis, preis) => ({ von, bis, preis })),
		"the unit in the name": two((time_start, time_end, price) => ({
			NOK_per_kWh: price,
			EUR_per_kWh: price / 10,
			EXR: 11,
			time_start,
			time_end,
		})),
		"the only number there is": two((period, _, rce) => ({
			period,
			rce,
			area: "PL",
		})),
		"by month": {
			"2026-07": periods().slice(0, 1),
			"2026-08": periods().slice(1),
		},
		"Home Assistant, today repeated": {
			raw_today: periods(),
			raw_tomorrow: [periods()[0], { start: at(24), end: at(25), price: null }],
		},
		"JSON text": JSON.stringify(
			two((start, _, price, hour) => ({
				start,
				price: hour === 0 ? String(price) : price,
			})),
		),
	};
	for (const [name, value] of Object.entries(SHAPES)) {
		it(name, () => near(rows(value), hourly(0.3, 0.2)));
	}

	it("no message with a circle, bare numbers, or nothing", () => {
		const circle: Record<string, unknown> = {};
		circle.prices = circle;
		for (const [value, word] of [
			[circle, "prices is"],
			[{ today: [0.3, 0.2] }, 'prices is {"today":[0.3,0.2]}'],
			[{ nothing: 1 }, "prices is"],
			[0.3, "prices is 0.3"],
			["{", 'prices is "{"'],
			["dear", 'prices is "dear"'],
			["", 'prices is ""'],
			[[], "prices is []"],
			[{ prices: [] }, 'prices is {"prices":[]}'],
		] as const) {
			assert.equal(told(value, word, "give rows with a start"), undefined);
		}
		assert.deepEqual(read(null), { value: null, errors: [] });
	});
});
