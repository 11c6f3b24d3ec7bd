export {
	type SimulatorServer,
	startSimulatorServer,
} from "../../../src/simulator/server";
