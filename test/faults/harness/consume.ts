import assert from "node:assert/strict";
import { forecastPart } from "../../../src/battery/forecast-adapter";
import { FORMAT_NAMES, readExportOptions } from "../../../src/export";
import { nowValues } from "../../../src/forecast/now";
import {
	dayMessages,
	forecastMessages,
} from "../../../src/messages/forecast-messages";
import { forecastFromInput } from "../../../src/messages/input/forecast-input";
import type { ForecastSnapshot } from "../../../src/polling/source/snapshots";
import { SolarYieldError } from "../../../src/service/errors/solar-yield-error";
import { GROUP_NAMES } from "../../../src/service/v2/groups";
import { exportForecast } from "../../support/export-forecast";
import { SITE } from "../../support/house";

/** What went wrong outside of every handler while a case ran. */
export class Bystander {
	readonly seen: unknown[] = [];
	readonly #note = (error: unknown) => {
		this.seen.push(error);
	};
	constructor() {
		process.on("unhandledRejection", this.#note);
		process.on("uncaughtExceptionMonitor", this.#note);
	}
	stop(): void {
		process.off("unhandledRejection", this.#note);
		process.off("uncaughtExceptionMonitor", this.#note);
	}
}

const SELECTION = { forecastDays: null, pastDays: 30 } as const;

/** Fails on what is no JSON number: it would reach flows as null, or break what reads it. */
function assertJson(value: unknown, path: string, depth = 0): void {
	if (typeof value === "number") {
		assert.ok(Number.isFinite(value), `${path} is ${value}`);
	} else if (depth < 12 && value !== null && typeof value === "object") {
		for (const [name, inner] of Object.entries(value)) {
			assertJson(inner, `${path}.${name}`, depth + 1);
		}
	}
}

/** Own words for a refusal: only then may a consumer do without the forecast. */
function refuses(work: () => void): void {
	try {
		work();
	} catch (error) {
		assert.ok(
			error instanceof SolarYieldError,
			`not one of ours: ${String(error).slice(0, 300)}`,
		);
	}
}

/** Uses a forecast that was accepted in every way the nodes do. */
export function consume(state: ForecastSnapshot): void {
	for (const timezone of ["local", "utc"] as const) {
		const presentation = {
			key: SITE,
			selection: { include: [...GROUP_NAMES], timezone, ...SELECTION },
			topic: "solar-yield",
			demo: false,
		};
		const [forecasts, ...more] = forecastMessages(
			state,
			presentation,
			false,
			() => "id",
		).map((messages) => [...messages]);
		const [first] = forecasts ?? [];
		const days = dayMessages(state, presentation, false, "id");
		JSON.stringify([forecasts, more, [...days]]);
		assert.ok(first);
		assertJson(first.solar, "solar");
		refuses(() => {
			const { forecast, solar } = forecastFromInput(first);
			const now = nowValues(forecast, solar, state.now);
			assertJson(now, "now");
			forecastPart(forecast, state.now);
			for (const format of FORMAT_NAMES) {
				refuses(() => {
					const messages = exportForecast(
						format,
						readExportOptions(format, {}),
						{
							forecast,
							facts: solar,
							nowMs: state.now,
							topic: first.topic,
							...(format === "home-assistant" && { now }),
						},
					);
					assertJson(messages, format);
				});
			}
		});
	}
}
