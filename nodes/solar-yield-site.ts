import type { Node, NodeAPI } from "node-red";
import type { SiteConfig } from "../src/runtime/site";
import { addSiteRoutes } from "../src/runtime/site-admin";

export = (RED: NodeAPI): void => {
	function Site(this: Node, config: SiteConfig): void {
		RED.nodes.createNode(this, config);
		const { openSite } =
			require("../src/runtime/site") as typeof import("../src/runtime/site");
		openSite(RED, this, config);
	}
	RED.nodes.registerType("solar-yield-site", Site);
	addSiteRoutes(RED);
};
