/**
 * Learns from a site's meters how its forecast errs, corrects it, and tells how
 * good it was. A state is plain JSON; each transition gives a new one.
 */
export type { Language } from "../util/language";
export {
	type Accuracy,
	HORIZONS,
	type HorizonAccuracy,
	type MeterReport,
	type Period,
} from "./accuracy";
export {
	type CorrectedForecast,
	correct,
	correctInput,
	type LearnedFacts,
} from "./correct";
export { advance, zoneOf } from "./days";
export { addForecast } from "./forecasts";
export {
	createLearnState,
	exportState,
	importState,
	type LearnState,
	type Note,
	type NoteCode,
	withNote,
} from "./learn-state";
export { noteList, noteText } from "./notes";
export {
	type CurvePoint,
	curveOfToday,
	type FactorMap,
	type FactorPoint,
	factorMap,
	type Report,
	report,
	type StatusFacts,
	statusFacts,
} from "./picture";
export { addReading, closeTallies, type Tallies } from "./readings/gather";
export {
	type Reading,
	readingFromMessage,
	readingsFromList,
} from "./readings/reading";
