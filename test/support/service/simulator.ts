export { Simulator, type SiteSeed } from "../../../src/simulator/simulator";
