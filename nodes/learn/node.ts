import type { NodeAPI } from "node-red";
import {
	type Note,
	type NoteCode,
	noteText,
	type Reading,
	readingFromMessage,
	zoneOf,
} from "../../src/learn";
import { readPayload } from "../../src/messages/input/forecast-input";
import { readRemoval } from "../../src/messages/removal/read-removal";
import { isNoReading } from "../../src/messages/value-readers";
import { inputError } from "../../src/service/errors/solar-yield-error";
import { show } from "../../src/service/v2/schema-errors";
import { type Clock, systemClock } from "../../src/util/clock";
import { isObject } from "../../src/util/guards";
import { QUARTER_MS } from "../../src/util/time";
import { Timer } from "../../src/util/timer";
import { Handover } from "../shared/deploy-handover";
import {
	handleInput,
	type Message,
	refuseInput,
	tellWarning,
} from "../shared/handler";
import { onceDeleted } from "../shared/node-file";
import { languageOf } from "../shared/status";
import { LearnFile } from "./learn-file";
import { Learner, type LearnMessage, type Left } from "./learner";
import type { LearnConfig, LearnNode } from "./settings";
import { learnStatus } from "./status";
import { DEFAULT_UNIT, UNITS, type Unit } from "./units";

/** What is handed over when only this node is deployed anew. */
const handover = new Handover<Left>();

function readUnit(value: unknown): Unit {
	if (value === undefined || value === null || value === "") {
		return DEFAULT_UNIT;
	}
	const unit = UNITS.find((name) => name === value);
	if (unit !== undefined) return unit;
	throw inputError("learn.unit", { value: show(value), choices: UNITS });
}

/** A number in the payload as the reading that the setting says it is. */
const READ: Readonly<Record<Unit, (value: number) => Partial<Reading>>> = {
	W: (power_w) => ({ power_w }),
	kW: (kilowatts) => ({ power_w: 1000 * kilowatts }),
	kWh: (energy_kwh) => ({ energy_kwh }),
	Wh: (wattHours) => ({ energy_kwh: wattHours / 1000 }),
};

/** Notes that are no fault: they come with ordinary meters and starts. */
const UNTOLD: readonly NoteCode[] = [
	"clipping",
	"counter_reset",
	"curtailed",
	"unavailable",
];

const OPERATIONS = ["report", "reset", "export", "import"] as const;
type Operation = (typeof OPERATIONS)[number];

function readOperation(value: unknown): Operation | undefined {
	if (value === undefined || value === null || value === "") return undefined;
	const operation = OPERATIONS.find((name) => name === value);
	if (operation) return operation;
	throw inputError("learn.operation", {
		value: show(value),
		operations: OPERATIONS,
	});
}

/** A payload as a device writes it. */
const textIn = (payload: unknown): unknown =>
	payload instanceof Uint8Array
		? Buffer.from(payload).toString("utf8")
		: payload;

/** The number of a payload, undefined where there is none. */
function numberIn(payload: unknown): number | undefined {
	const text = textIn(payload);
	if (typeof text === "number") return text;
	if (typeof text !== "string" || !/^\s*[-+]?[\d.]/.test(text))
		return undefined;
	const number = Number(text);
	if (Number.isFinite(number)) return number;
	throw inputError("learn.payload", { value: show(text) });
}

const keyOf = ({ code, string_id }: Note) => `${code} ${string_id ?? ""}`;

/**
 * Wires a `solar-yield-learn` node.
 *
 * @param clock decides what now is, and wakes at each quarter hour
 */
export function openLearn(
	RED: NodeAPI,
	node: LearnNode,
	config: LearnConfig,
	clock: Clock = systemClock,
): void {
	let unit: Unit;
	try {
		unit = readUnit(config.unit);
	} catch (error) {
		refuseInput(RED, node, error);
		return;
	}
	let closed = false;
	const tell = (what: unknown) => tellWarning(RED, node, what);
	const file = new LearnFile(RED, node);
	const left = handover.take(node);
	let learner = new Learner(left);
	let quarter = Math.floor(clock.now() / QUARTER_MS);
	/** The site's date whose begin was last dealt with. */
	let day: number | undefined;
	let told = new Set<string>();

	const today = (now: number) => zoneOf(learner.memory.state)?.dayOf(now);
	const showStatus = () => {
		if (closed) return;
		const now = clock.now();
		const { notes, timezone } = learner.memory.state;
		const { demo } = learner;
		const facts = learner.facts(now);
		node.status(learnStatus({ facts, notes, timezone, demo, now }, RED._));
	};
	/** End of the newest quarter that any meter was read for, epoch ms; 0 before the first. */
	const readUntil = () =>
		Math.max(0, ...learner.memory.state.meters.map((it) => it.read_until ?? 0));
	/** Says once what is new among the notes. */
	const tellNotes = () => {
		if (closed) return;
		const { notes, string_ids } = learner.memory.state;
		for (const note of notes) {
			if (told.has(keyOf(note)) || UNTOLD.includes(note.code)) continue;
			tell(noteText(note, string_ids));
		}
		told = new Set(notes.map(keyOf));
	};
	const begin = (now: number) => {
		told = new Set(learner.memory.state.notes.map(keyOf));
		day = today(now);
	};

	const timer = new Timer(clock, () => {
		try {
			tick();
		} catch (error) {
			tell(error);
		}
		arm();
	});
	const arm = () => {
		if (!closed) timer.set(QUARTER_MS - (clock.now() % QUARTER_MS));
	};
	const tick = () => {
		const now = clock.now();
		if (Math.floor(now / QUARTER_MS) === quarter) return;
		quarter = Math.floor(now / QUARTER_MS);
		learner.advance(now);
		const date = today(now);
		if (date !== undefined && day !== undefined && date > day) {
			send(learner.corrected(now, true), undefined);
		}
		day = date;
		send(undefined, learner.dailyReport(now, languageOf(RED._)));
		tellNotes();
		showStatus();
		file.save(learner.memory);
	};
	const send = (one?: LearnMessage, two?: LearnMessage) => {
		if (one ?? two) node.send([one ?? null, two ?? null] as never);
	};

	const ready = (async () => {
		const stored = await file.load();
		if (!left && stored) learner = new Learner({ memory: stored });
		if (closed) return;
		begin(clock.now());
		showStatus();
		arm();
	})().catch((error) => tell(error));

	node.solarYieldLearn = () => {
		learner.advance(clock.now());
		return learner.view(clock.now());
	};
	node.on("close", (removed: boolean, done: () => void) => {
		closed = true;
		timer.stop();
		ready
			.then(() => {
				if (!removed) handover.leave(RED, node, learner.left);
				file.save(learner.memory);
				onceDeleted(RED, node, () => void file.remove());
				node.status({});
				return file.idle();
			})
			.finally(done);
	});
	showStatus();

	handleInput(RED, node, async (msg, answer) => {
		await ready;
		if (closed) return;
		const now = clock.now();
		const removal = readRemoval(msg);
		if (removal) {
			const gone = learner.forget(removal.siteId);
			// The nodes behind it learn of the removal from the message itself.
			if (gone) answer([Object.assign(msg, gone.forecast), gone.accuracy]);
			return;
		}
		const operation = readOperation(msg.operation);
		if (operation) {
			operate(operation, msg, now, answer);
			return;
		}
		const { timezone } = learner.memory.state;
		const readBefore = readUntil();
		const corrected = await takeIn(msg, now);
		// The raw forecast of the message is let go before the other is copied to each wire.
		if (corrected) answer([Object.assign(msg, corrected), null]);
		if (closed) return;
		tellNotes();
		const read = readUntil();
		// Quarters that were read whole outlast a power cut.
		if (read !== readBefore) file.save(learner.memory);
		day ??= today(now);
		if (learner.memory.state.timezone !== timezone || (read && !readBefore)) {
			showStatus();
		}
	});

	/**
	 * Takes in what a message brings: a forecast, a reading, a list of readings.
	 *
	 * @returns the forecast corrected, where one came
	 */
	const takeIn = async (
		msg: Message,
		now: number,
	): Promise<LearnMessage | undefined> => {
		let reading = readingFromMessage(msg, now);
		const isMissing =
			!reading &&
			[msg.power_w, msg.energy_kwh, textIn(msg.payload)].some(isNoReading);
		const number = reading ? undefined : numberIn(msg.payload);
		if (number !== undefined) {
			reading = readingFromMessage({ ...msg, ...READ[unit](number) }, now);
		}
		const payload =
			number === undefined && msg.payload !== undefined
				? readPayloadBeside(msg.payload, reading !== undefined || isMissing)
				: undefined;
		if (Array.isArray(payload)) {
			await learner.takeList(payload, now);
			showStatus();
			return undefined;
		}
		const isForecast = isObject(payload) && "values" in payload;
		if (isMissing && !isForecast) {
			learner.miss(msg.string_id, now);
			showStatus();
			return undefined;
		}
		if (isForecast || !reading) {
			const isAhead = learner.takeForecast(msg, payload, now);
			await learner.takeWaiting(now);
			if (reading) learner.takeReading(reading, now);
			showStatus();
			return isAhead ? learner.corrected(now, false) : undefined;
		}
		learner.takeReading(reading, now);
		return undefined;
	};

	const operate = (
		operation: Operation,
		msg: Message,
		now: number,
		answer: (messages: unknown) => void,
	): void => {
		if (operation === "report" || operation === "export") {
			const message =
				operation === "report"
					? learner.report(now, languageOf(RED._))
					: learner.export();
			answer([null, Object.assign(msg, message)]);
			return;
		}
		if (operation === "reset") learner.reset(now);
		else learner.import(msg.payload, now);
		begin(now);
		file.save(learner.memory);
		showStatus();
		const message = learner.corrected(now, true);
		if (message) answer([Object.assign(msg, message), null]);
	};
}

/** The payload as a value; what stands beside a reading, or its lack, may be anything. */
function readPayloadBeside(payload: unknown, isBeside: boolean): unknown {
	if (!isBeside) return readPayload(payload);
	try {
		return readPayload(payload);
	} catch {
		return undefined;
	}
}
