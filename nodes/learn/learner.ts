import {
	addForecast,
	addReading,
	advance,
	closeTallies,
	correctInput,
	createLearnState,
	curveOfToday,
	exportState,
	factorMap,
	importState,
	type Language,
	type Reading,
	type Report,
	readingsFromList,
	report,
	type StatusFacts,
	statusFacts,
	type Tallies,
	withNote,
	zoneOf,
} from "../../src/learn";
import { noteText } from "../../src/learn/notes";
import {
	copyOf,
	type QuotaFacts,
	readQuotaFacts,
	type SolarFacts,
} from "../../src/messages/facts";
import {
	type ForecastInput,
	forecastFromInput,
} from "../../src/messages/input/forecast-input";
import { siteTopicOf, topicLevel } from "../../src/messages/topic";
import {
	inputError,
	type SolarYieldError,
} from "../../src/service/errors/solar-yield-error";
import { show } from "../../src/service/v2/schema-errors";
import type { Text } from "../../src/texts/texts";
import { yieldToEventLoop } from "../../src/util/yield-to-event-loop";
import type { Message } from "../shared/handler";
import type { LearnView } from "./dialog-answers";
import { freshMemory, type Memory } from "./memory";

/** The last forecast that came in, as far as it lies ahead. */
export interface Known extends ForecastInput {
	/** `<prefix>/<site_id>`. */
	readonly base: string;
	readonly quota: QuotaFacts | undefined;
	/** The payload without its rows. */
	readonly head: Readonly<Record<string, unknown>>;
}

/** What goes to output 1 or 2. */
export interface LearnMessage {
	topic: string;
	payload: unknown;
	solar?: SolarFacts;
	quota?: QuotaFacts;
	retain: boolean;
}

/** What a learner holds. */
export interface Left {
	readonly memory: Memory;
	readonly known: Known | undefined;
	/** Readings that came before any forecast. */
	readonly waiting: Reading[];
	readonly tallies: Tallies;
}

/** Readings of a list that are taken in before other flows may run, and their length as text. */
const STEP = 2000;
const ROW_LENGTH = 100;
/** Readings that wait for the first forecast: a year of one in five minutes. */
const MOST_WAITING = 110_000;

/** What one node knows, gathers and makes of it; no clock, no file, no Node-RED. */
export class Learner {
	#memory: Memory;
	#known: Known | undefined;
	#waiting: Reading[];
	readonly #tallies: Tallies;

	constructor(left?: Partial<Left>) {
		this.#memory = left?.memory ?? freshMemory();
		this.#known = left?.known;
		this.#waiting = left?.waiting ?? [];
		this.#tallies = left?.tallies ?? new Map();
	}

	get memory(): Memory {
		return this.#memory;
	}
	get demo(): boolean {
		return this.#memory.demo === true;
	}
	/** All of it, for another learner that goes on. */
	get left(): Left {
		return {
			memory: this.#memory,
			known: this.#known,
			waiting: this.#waiting,
			tallies: this.#tallies,
		};
	}

	/**
	 * Takes the forecast of a message in.
	 *
	 * @returns whether it lies ahead; one of days that are over only teaches
	 * @throws SolarYieldError `INPUT` when it is none, or of another site
	 */
	takeForecast(msg: Message, payload: unknown, now: number): boolean {
		const input = forecastFromInput({ ...msg, payload });
		const quota = readQuotaFacts(msg.quota);
		const { forecast, solar } = input;
		const { demo } = this.#memory;
		if (demo === false && solar.demo) {
			throw inputError("learn.demo");
		}
		// What demo data taught is worth nothing.
		const isAnew = demo === true && !solar.demo;
		const memory = isAnew ? freshMemory() : this.#memory;
		const state = addForecast(memory.state, input, now);
		if (isAnew) this.#tallies.clear();
		const today = state.meters[0]?.today?.day ?? forecast.zone.dayOf(now);
		this.#memory = {
			demo: solar.demo,
			// A clock that was ahead may have made it a date to come.
			reported: Math.min(memory.reported ?? today, today),
			state,
		};
		const last = forecast.values.starts.at(-1);
		if (last === undefined || last < now) return false;
		const { values, strings, daily, ...head } = payload as Message;
		this.#known = {
			...input,
			base: siteTopicOf(msg.topic, solar),
			quota,
			head: structuredClone(head),
		};
		return true;
	}

	/** Takes a reading in; before the first forecast it waits. */
	takeReading(reading: Reading, now: number): void {
		if (this.#isWaiting) this.#wait([reading], now);
		else
			this.#state(addReading(this.#memory.state, this.#tallies, reading, now));
	}

	/** Notes that a meter had no reading to send. */
	miss(stringId: unknown, now: number): void {
		this.#state(
			withNote(
				this.#memory.state,
				"unavailable",
				typeof stringId === "string" ? stringId : null,
				now,
			),
		);
	}

	/**
	 * Takes readings of the past in; other flows may run in between.
	 *
	 * @throws SolarYieldError `INPUT` naming the first row that is wrong, after the right ones
	 */
	async takeList(rows: readonly unknown[], now: number): Promise<void> {
		const { readings, refused, fault } = readingsFromList(rows, now);
		if (this.#isWaiting) this.#wait(readings, now);
		else await this.#takeAll(readings, now);
		if (refused === 0) return;
		const key = refused === rows.length ? "learn.no_row" : "learn.some_rows";
		const { text } = fault as SolarYieldError;
		throw inputError(key, { fault: text, refused, count: rows.length });
	}

	/** Takes in what waited for the first forecast. */
	async takeWaiting(now: number): Promise<void> {
		if (this.#waiting.length === 0 || this.#isWaiting) return;
		const readings = this.#waiting.sort((a, b) => a.time - b.time);
		this.#waiting = [];
		await this.#takeAll(readings, now);
	}

	get #isWaiting(): boolean {
		return zoneOf(this.#memory.state) === undefined;
	}

	#wait(readings: readonly Reading[], now: number): void {
		this.#waiting = this.#waiting.concat(readings);
		const excess = this.#waiting.length - MOST_WAITING;
		if (excess <= 0) return;
		this.#waiting.splice(0, excess);
		this.#state(withNote(this.#memory.state, "no_forecast", null, now));
	}

	async #takeAll(readings: readonly Reading[], now: number): Promise<void> {
		// Apart from what is gathered of the running quarter.
		const tallies: Tallies = new Map();
		for (let from = 0; from < readings.length; from += STEP) {
			for (const reading of readings.slice(from, from + STEP)) {
				this.#state(addReading(this.#memory.state, tallies, reading, now));
			}
			await yieldToEventLoop(STEP * ROW_LENGTH);
		}
		this.#state(closeTallies(this.#memory.state, tallies));
	}

	#state(state: Memory["state"]): void {
		if (state !== this.#memory.state) {
			this.#memory = { ...this.#memory, state };
		}
	}

	/** Moves on to an instant. */
	advance(now: number): void {
		this.#state(advance(this.#memory.state, now));
	}

	/** The forecast as corrected, undefined while none is known. Fresh objects each time. */
	corrected(now: number, cached: boolean): LearnMessage | undefined {
		const known = this.#known;
		if (!known) return undefined;
		const { payload, solar } = correctInput(
			this.#memory.state,
			known,
			structuredClone(known.head),
			now,
		);
		const facts = () => ({
			...copyOf(solar),
			cached: cached || solar.cached,
		});
		return {
			topic: `${known.base}/forecast`,
			payload: { ...payload, solar: facts() },
			retain: true,
			solar: facts(),
			...(known.quota && { quota: { ...known.quota } }),
		};
	}

	/**
	 * Forgets the last forecast: nothing is sent before the next one. What was learned stays.
	 *
	 * @param siteId undefined for whatever site it is
	 * @returns what takes both outputs' messages off a broker, undefined where they are not of that site
	 */
	forget(
		siteId: string | undefined,
	): { forecast: LearnMessage; accuracy: LearnMessage } | undefined {
		const { site_id } = this.#memory.state;
		if (site_id === null) return undefined;
		if (siteId !== undefined && topicLevel(siteId) !== topicLevel(site_id)) {
			return undefined;
		}
		const cleared = (leaf: string) => ({
			topic: this.#topic(leaf),
			payload: "",
			retain: true,
		});
		const gone = {
			forecast: cleared("forecast"),
			accuracy: cleared("accuracy"),
		};
		this.#known = undefined;
		return gone;
	}

	/** Accuracy up to yesterday, and what was noticed. */
	report(now: number, language: Language): LearnMessage {
		this.advance(now);
		const payload: Report = report(this.#memory.state, now, language);
		return { topic: this.#topic("accuracy"), payload, retain: true };
	}

	/** The daily report when it is due, which it is once on each of the site's dates with a forecast. */
	dailyReport(now: number, language: Language): LearnMessage | undefined {
		const { state, reported } = this.#memory;
		const day = zoneOf(state)?.dayOf(now);
		if (!this.#known || day === undefined) return undefined;
		if (reported !== null && day <= reported) return undefined;
		this.#memory = { ...this.#memory, reported: day };
		return state.meters.some(({ read_until }) => read_until !== null)
			? this.report(now, language)
			: undefined;
	}

	/** What has been learned, as JSON text. */
	export(): LearnMessage {
		return {
			topic: this.#topic("learned"),
			payload: exportState(this.#memory.state),
			retain: false,
		};
	}

	#topic(leaf: string): string {
		const { state, demo } = this.#memory;
		const facts = { site_id: state.site_id ?? "site", demo: demo === true };
		return `${this.#known?.base ?? siteTopicOf(undefined, facts)}/${leaf}`;
	}

	/** Forgets everything but the forecast at hand. */
	reset(now: number): void {
		this.#begin(createLearnState(), now);
	}

	/**
	 * Puts an export in place of what is known.
	 *
	 * @throws SolarYieldError `INPUT` when it is none, or of another site than the forecast
	 */
	import(payload: unknown, now: number): void {
		const state = importState(payload);
		const site = this.#known?.solar.site_id;
		if (site !== undefined && ![site, null].includes(state.site_id)) {
			throw inputError("learn.import_other_site", {
				site: show(state.site_id),
				other: show(site),
			});
		}
		this.#begin(state, now);
	}

	#begin(state: Memory["state"], now: number): void {
		this.#tallies.clear();
		this.#waiting = [];
		const known = this.#known;
		this.#memory = {
			demo: known ? known.solar.demo : null,
			reported: zoneOf(state)?.dayOf(now) ?? this.#memory.reported,
			state: known ? addForecast(state, known, now) : state,
		};
	}

	/** What a status line says. */
	facts(now: number): StatusFacts {
		return statusFacts(this.#memory.state, now);
	}

	/** What the dialog draws. */
	view(now: number): LearnView<Text> {
		const { state } = this.#memory;
		const read = state.meters.filter(({ read_until }) => read_until !== null);
		return {
			timezone: state.timezone,
			facts: this.facts(now),
			meters: read.flatMap(({ string_id }) => {
				const map = factorMap(state, string_id);
				const curve = curveOfToday(state, string_id);
				return map ? [{ string_id, map, curve }] : [];
			}),
			notes: [...state.notes]
				.sort((a, b) => b.last - a.last)
				.map((note) => ({ ...note, text: noteText(note, state.string_ids) })),
		};
	}
}
