import type { NodeAPI } from "node-red";
import { createLearner, type Learner, toText } from "../../src/learn/learner";
import { noteText } from "../../src/learn/notes";
import { readRemoval } from "../../src/messages/removal/read-removal";
import { topicLevel } from "../../src/messages/topic";
import { inputError } from "../../src/service/errors/solar-yield-error";
import { show } from "../../src/service/v2/schema-errors";
import { type Clock, systemClock } from "../../src/util/clock";
import { HOUR_MS, QUARTER_MS } from "../../src/util/time";
import { Timer } from "../../src/util/timer";
import { Handover } from "../shared/deploy-handover";
import { handleInput, type Message, tellWarning } from "../shared/handler";
import { refuseInput } from "../shared/invalid-settings";
import { onceDeleted } from "../shared/node-file";
import { languageOf } from "../shared/status";
import { readInput, readUnit } from "./input";
import { LearnFile } from "./learn-file";
import type { LearnConfig, LearnNode } from "./settings";
import { learnStatus } from "./status";
import type { Unit } from "./units";

/** A power cut costs the readings of so long at most: an SD card wears out. */
const SAVED_MS = 6 * HOUR_MS;

/** What is handed over when only this node is deployed anew. */
const handover = new Handover<Learner>();

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
	let learner = left ?? createLearner();
	let saved = clock.now();
	/** The site's date whose begin was last dealt with. */
	let day = 0;
	let told = new Set<string>();

	const message = (leaf: string, parts: object, retain = true) => ({
		topic: `${learner.base}/${leaf}`,
		retain,
		...parts,
	});
	/** The forecast as corrected, undefined while none is known. */
	const corrected = (now: number, cached: boolean) => {
		const parts = learner.corrected(now, cached);
		return parts && message("forecast", parts);
	};
	const save = () => {
		saved = clock.now();
		file.save(toText(learner.state));
	};
	const showStatus = () => {
		if (closed) return;
		node.status(learnStatus(learner, clock.now(), RED._));
	};
	/** Says once what is new among the notes. */
	const tellNotes = () => {
		for (const [key, note] of Object.entries(learner.state.notes)) {
			if (!closed && !told.has(key)) {
				tell(noteText(note));
			}
			told.add(key);
		}
	};
	const begin = (now: number) => {
		told = new Set(Object.keys(learner.state.notes));
		day = learner.today(now);
		showStatus();
	};

	const timer = new Timer(clock, () => {
		try {
			tick(clock.now());
		} catch (error) {
			tell(error);
		}
		arm();
	});
	const arm = () => {
		if (!closed) timer.set(QUARTER_MS - (clock.now() % QUARTER_MS));
	};
	const tick = (now: number) => {
		learner.advance(now);
		const date = learner.today(now);
		const forecast = day > 0 && date > day ? corrected(now, true) : undefined;
		day = date;
		const payload = learner.dailyReport(now, languageOf(RED._));
		const accuracy = payload && message("accuracy", { payload });
		if (forecast ?? accuracy) node.send([forecast, accuracy] as never);
		tellNotes();
		showStatus();
		if (now - saved >= SAVED_MS) save();
	};

	const ready = (async () => {
		const stored = await file.load();
		if (!left && stored) learner = createLearner(stored);
		if (closed) return;
		begin(clock.now());
		arm();
	})().catch(tell);

	node.solarYieldLearn = () => {
		const now = clock.now();
		learner.advance(now);
		return {
			timezone: learner.state.timezone,
			facts: learner.facts(now),
			meters: learner.maps(now),
			notes: learner.notes().map((note) => ({ ...note, text: noteText(note) })),
		};
	};
	node.on("close", (removed: boolean, done: () => void) => {
		closed = true;
		timer.stop();
		ready
			.then(() => {
				if (!removed) handover.leave(RED, node, learner);
				save();
				onceDeleted(RED, node, () => void file.retire());
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
			const own = learner.state.site_id;
			const { siteId = own ?? "" } = removal;
			if (own === null || topicLevel(siteId) !== topicLevel(own)) return;
			const [forecast, accuracy] = ["forecast", "accuracy"].map((leaf) =>
				message(leaf, { payload: "" }),
			);
			learner.forget();
			// The nodes behind it learn of the removal from the message itself.
			answer([Object.assign(msg, forecast), accuracy]);
			return;
		}
		const { operation } = msg;
		if (operation === "report") {
			const payload = learner.report(now, languageOf(RED._));
			answer([null, Object.assign(msg, message("accuracy", { payload }))]);
			return;
		}
		if (operation === "export") {
			const payload = toText(learner.state);
			answer([
				null,
				Object.assign(msg, message("learned", { payload }, false)),
			]);
			return;
		}
		const isAnew = operation === "reset" || operation === "import";
		if (operation && !isAnew) {
			throw inputError("learn.operation", {
				value: show(operation),
				operations: ["report", "reset", "export", "import"],
			});
		}
		let isNew = isAnew;
		if (isAnew) {
			if (operation === "reset") learner.reset(now);
			else learner.import(msg.payload, now);
			save();
			begin(now);
		} else {
			try {
				isNew = takeIn(msg, now);
			} finally {
				tellNotes();
			}
		}
		// The raw forecast of the message is let go before the other is copied to each wire.
		const forecast = isNew ? corrected(now, isAnew) : undefined;
		if (forecast) answer([Object.assign(msg, forecast), null]);
		if (isNew) showStatus();
	});

	/** @returns whether a new forecast came */
	const takeIn = (msg: Message, now: number): boolean => {
		const { reading, isMissing, list, forecast } = readInput(msg, unit, now);
		const isFirst = learner.facts(now).readUntil === 0;
		let isNew = false;
		try {
			if (list) learner.takeList(list, now);
			if (forecast) isNew = learner.takeForecast(msg, forecast.payload, now);
			if (reading) learner.takeReading(reading, now);
			if (isMissing) learner.miss(msg.string_id);
			return isNew;
		} finally {
			day ||= learner.today(now);
			if (list) save();
			if (isFirst || list || isMissing) showStatus();
		}
	};
}
