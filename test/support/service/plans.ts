export { PLANS, type Plan, type PlanName } from "../../../src/simulator/plans";
