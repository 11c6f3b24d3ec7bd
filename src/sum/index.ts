export { SumParts } from "./parts";
export {
	type RawSumSettings,
	readSumSettings,
	type SumSettings,
} from "./settings";
export { type ForecastSum, type SumFacts, sumForecasts } from "./sum";
