export { DEFAULT_VARIANTS, type Variants } from "./answers/variants";
export { createDemo } from "./demo";
export { PLANS, type Plan, type PlanName } from "./plans";
export {
	type SimulatorServer,
	type SimulatorServerOptions,
	startSimulatorServer,
} from "./server";
export {
	type LoggedRequest,
	Simulator,
	type SimulatorRequest,
	type SiteSeed,
} from "./simulator";
export type { SiteRecord, StringRecord } from "./sites";
