import { Simulator } from "./simulator";

/** The key of the demo account; it opens nothing but the built-in simulator. */
const DEMO_KEY = "demo";
const DEMO_SITE = "site_demo";

/**
 * The built-in demo: one account on the plus plan with one house in Berlin
 * that has modules to the east and to the west. `now` gives epoch ms.
 */
export function createDemo(now: () => number): {
	simulator: Simulator;
	apiKey: string;
	siteId: string;
} {
	const simulator = new Simulator({ now });
	simulator.addAccount({ apiKey: DEMO_KEY, plan: "plus" });
	simulator.addSite(DEMO_KEY, {
		id: DEMO_SITE,
		name: "Demo house",
		latitude: 52.52,
		longitude: 13.41,
		strings: [
			{ id: "str_demo_east", slope: 35, orientation: 90, power_kw: 4.8 },
			{ id: "str_demo_west", slope: 35, orientation: 270, power_kw: 5.2 },
		],
	});
	return { simulator, apiKey: DEMO_KEY, siteId: DEMO_SITE };
}
