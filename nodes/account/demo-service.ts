import type { Demo } from "../../src/simulator/demo";

let demo: Demo | undefined;
/** The demo service, one per process, so that changes of its sites last. */
export function demoService(): Demo {
	if (!demo) {
		// Real accounts need no demo, and the demo account no HTTP.
		const { createDemo } =
			require("../../src/simulator/demo") as typeof import("../../src/simulator/demo");
		demo = createDemo(Date.now);
	}
	return demo;
}
