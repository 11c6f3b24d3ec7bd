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
import { readInput, readUnit, takeRows } from "./input";
import type { LearnConfig, LearnNode } from "./settings";
import { learnStatus, learnView } from "./status";

/** A power cut costs the readings of so long at most: an SD card wears out. */
const SAVED_MS = 6 * HOUR_MS;

/** A node that corrects each forecast by what its meter has shown, and tells once a day how good it was (behaviour: Learning). */
class Learn extends FollowerNode<Learner> {
	protected override readonly leaves = ["forecast", "accuracy"];
	protected override readonly file = new NodeFile(this.RED, this.node, {
		read: (content) => createLearner(readLearned(String(content))),
		write: ({ state }: Learner) => toText(state),
	});
	readonly #unit;
	#learner = this.before ?? createLearner();
	#saved = this.clock.now();
	/** The site's date of which a forecast was sent last. */
	#day = this.#learner.today(this.clock.now());
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
		node.solarYieldLearn = () => learnView(this.#learner, clock.now());
	}

	protected override async load(): Promise<void> {
		const stored = await this.file.load();
		if (!this.before && stored) this.#learner = stored;
		this.#begin();
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
			case "export":
				return [null, this.#message("learned", toText(learner.state), false)];
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
		this.#begin();
		return this.#corrected(now, true);
	}

	protected override remove(removal: Removal, now: number): Answer {
		if (!removal.names(this.#learner.state.site_id ?? "")) return null;
		this.#learner.forget();
		return super.remove(removal, now);
	}

	protected override next(now: number): number {
		return nextOf(QUARTER_MS, now);
	}

	protected override tick(now: number): Answer {
		const learner = this.#learner;
		const isNewDay = ![0, learner.today(now)].includes(this.#day);
		const forecast = isNewDay && this.#corrected(now, true);
		const accuracy = learner.isReportDue(now) ? this.#report(now) : null;
		this.#tellNotes();
		if (now - this.#saved >= SAVED_MS) this.#save(now);
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
		const { reading, list, forecast } = readInput(msg, this.#unit, now);
		let isNew = false;
		try {
			if (list) takeRows(learner, list, now);
			if (forecast) isNew = learner.takeForecast(msg, forecast.payload, now);
			if (reading) learner.takeReading(reading, now);
			if (reading === null) learner.miss(msg.string_id);
		} finally {
			if (isNew && learner.input) {
				const { solar } = learner.input;
				const base = siteTopicOf(msg.topic, solar, this.followed?.base);
				this.followed = { ...learner.input, base };
			}
			if (list) this.#save(now);
			this.#tellNotes();
		}
		return isNew && this.#corrected(now, false);
	}

	/** The forecast as corrected, undefined while none is known. */
	#corrected(now: number, cached: boolean): object | undefined {
		this.#day = this.#learner.today(now);
		const parts = this.#learner.corrected(now, cached);
		return parts && { ...this.#message("forecast", null), ...parts };
	}

	#report(now: number): object {
		const report = this.#learner.report(now, languageOf(this.RED._));
		return this.#message("accuracy", report);
	}

	#message(leaf: string, payload: unknown, retain = true) {
		const { site_id, demo } = this.#learner.state;
		const facts = { site_id: site_id ?? "", demo };
		const base = this.followed?.base ?? siteTopic(DEFAULT_PREFIX, facts);
		return { topic: `${base}/${leaf}`, payload, retain };
	}

	#save(now: number): void {
		this.#saved = now;
		void this.file.save(this.#learner);
	}

	#begin(): void {
		this.#told = new Set(Object.keys(this.#learner.state.notes));
	}

	/** Says once what is new among the notes. */
	#tellNotes(): void {
		for (const [key, note] of Object.entries(this.#learner.state.notes)) {
			if (this.#told.has(key)) continue;
			tellWarning(this.RED, this.node, noteText(note));
			this.#told.add(key);
		}
	}
}

/** Wires a `solar-yield-learn` node. */
export const openLearn = opener(Learn);
