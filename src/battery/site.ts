export { forecastPart } from "./forecast-adapter";
