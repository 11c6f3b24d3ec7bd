export { SumParts } from "./parts";
export { type ForecastSum, type SumFacts, sumForecasts } from "./sum";
export {
	type RawSumSettings,
	readSumSettings,
	type SumSettings,
} from "./sum-settings";
