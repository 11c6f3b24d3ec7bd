import type { NodeAPI, NodeStatus } from "node-red";
import { createLearner, type Learner, toText } from "../../src/learn/learner";
import { noteText } from "../../src/learn/notes";
import { readLearned } from "../../src/learn/state";
import type { Removal } from "../../src/messages/removal/read-removal";
import {
	DEFAULT_PREFIX,
	siteTopic,
	siteTopicOf,
} from "../../src/messages/topic";
import { inputError } from "../../src/service/errors/solar-yield-error";
import { show } from "../../src/service/v2/schema-errors";
import type { Clock } from "../../src/util/clock";
import { HOUR_MS, QUARTER_MS } from "../../src/util/time";
import { FollowerNode, nextOf, opener } from "../shared/follower-node";
import { type Answer, type Message, tellWarning } from "../shared/handler";
import { NodeFile } from "../shared/node-file";
import { languageOf } from "../shared/status";
import { readInput, readUnit } from "./input";
import type { LearnConfig, LearnNode } from "./settings";
import { learnStatus } from "./status";
import type { Unit } from "./units";

/** A power cut costs the readings of so long at most: an SD card wears out. */
const SAVED_MS = 6 * HOUR_MS;

/** A node that corrects each forecast by what its meter has shown, and tells once a day how good it was (behaviour: Learning). */
class Learn extends FollowerNode<Learner> {
	protected override readonly leaves = ["forecast", "accuracy"];
	protected override readonly file = new NodeFile(this.RED, this.node, {
		read: (content) => createLearner(readLearned(String(content))),
		write: ({ state }: Learner) => toText(state),
	});
	readonly #unit: Unit;
	#learner = this.before ?? createLearner();
	#saved = this.clock.now();
	/** The site's date whose begin was last dealt with. */
	#day = 0;
	/** Notes that were told. */
	#told = new Set<string>();

	constructor(
		RED: NodeAPI,
		node: LearnNode,
		config: LearnConfig,
		clock: Clock,
	) {
		super(RED, node, clock);
		this.#unit = readUnit(config.unit);
		node.solarYieldLearn = () => {
			const now = clock.now();
			const learner = this.#learner;
			learner.advance(now);
			return {
				timezone: learner.state.timezone,
				facts: learner.facts(now),
				meters: learner.maps(now),
				notes: learner
					.notes()
					.map((note) => ({ ...note, text: noteText(note) })),
			};
		};
	}

	protected override async load(): Promise<void> {
		const stored = await this.file.load();
		if (!this.before && stored) this.#learner = stored;
		this.#begin(this.clock.now());
	}

	protected override status(now: number): NodeStatus {
		return learnStatus(this.#learner, now, this.RED._);
	}

	protected override take(msg: Message, now: number): Answer {
		const learner = this.#learner;
		const { operation, payload } = msg;
		switch (operation) {
			case "report":
				return [null, this.#report(now)];
			case "export": {
				const learned = this.#message("learned", toText(learner.state));
				return [null, { ...learned, retain: false }];
			}
			case "reset":
				learner.reset(now);
				break;
			case "import":
				learner.import(payload, now);
				break;
			default:
				if (!operation) return this.#takeIn(msg, now);
				throw inputError("learn.operation", {
					value: show(operation),
					operations: ["report", "reset", "export", "import"],
				});
		}
		this.#save(now);
		this.#begin(now);
		return this.#corrected(now, true);
	}

	protected override remove(removal: Removal, now: number): Answer {
		const { site_id } = this.#learner.state;
		if (site_id === null || !removal.names(site_id)) return null;
		this.#learner.forget();
		return super.remove(removal, now);
	}

	protected override next(now: number): number {
		return nextOf(QUARTER_MS, now);
	}

	protected override tick(now: number): Answer {
		const learner = this.#learner;
		learner.advance(now);
		const date = learner.today(now);
		const isNewDay = this.#day > 0 && date > this.#day;
		this.#day = date;
		const forecast = isNewDay && this.#corrected(now, true)?.[0];
		const payload = learner.dailyReport(now, languageOf(this.RED._));
		this.#tellNotes();
		if (now - this.#saved >= SAVED_MS) this.#save(now);
		const accuracy = payload && this.#message("accuracy", payload);
		return forecast || accuracy ? [forecast || null, accuracy] : null;
	}

	protected override left(): Learner {
		return this.#learner;
	}

	protected override close(): void {
		this.#save(this.clock.now());
	}

	#takeIn(msg: Message, now: number): Answer {
		const learner = this.#learner;
		const unit = this.#unit;
		const { reading, isMissing, list, forecast } = readInput(msg, unit, now);
		let isNew = false;
		try {
			if (list) learner.takeList(list, now);
			if (forecast) isNew = learner.takeForecast(msg, forecast.payload, now);
			if (reading) learner.takeReading(reading, now);
			if (isMissing) learner.miss(msg.string_id);
		} finally {
			const { input } = learner;
			if (isNew && input) {
				const before = this.followed?.base;
				const base = siteTopicOf(msg.topic, input.solar, before);
				this.followed = { ...input, base };
			}
			this.#day ||= learner.today(now);
			if (list) this.#save(now);
			this.#tellNotes();
		}
		return isNew && this.#corrected(now, false);
	}

	/** The forecast as corrected, undefined while none is known. */
	#corrected(now: number, cached: boolean): [object, null] | undefined {
		const parts = this.#learner.corrected(now, cached);
		return parts && [{ ...this.#message("forecast", null), ...parts }, null];
	}

	#report(now: number): object {
		const report = this.#learner.report(now, languageOf(this.RED._));
		return this.#message("accuracy", report);
	}

	#message(leaf: string, payload: unknown) {
		const { site_id, demo } = this.#learner.state;
		const facts = { site_id: site_id ?? "", demo };
		const base = this.followed?.base ?? siteTopic(DEFAULT_PREFIX, facts);
		return { topic: `${base}/${leaf}`, payload, retain: true };
	}

	#save(now: number): void {
		this.#saved = now;
		void this.file.save(this.#learner);
	}

	#begin(now: number): void {
		this.#told = new Set(Object.keys(this.#learner.state.notes));
		this.#day = this.#learner.today(now);
	}

	/** Says once what is new among the notes. */
	#tellNotes(): void {
		for (const [key, note] of Object.entries(this.#learner.state.notes)) {
			if (!this.#told.has(key)) {
				tellWarning(this.RED, this.node, noteText(note));
			}
			this.#told.add(key);
		}
	}
}

/** Wires a `solar-yield-learn` node. */
export const openLearn = opener(Learn);
