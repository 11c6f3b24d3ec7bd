import type { Node, NodeAPI } from "node-red";
import { addSiteRoutes } from "./admin";
import type { SiteConfig } from "./node";

export = (RED: NodeAPI): void => {
	function Site(this: Node, config: SiteConfig): void {
		RED.nodes.createNode(this, config);
		const { openSite } = require("./node") as typeof import("./node");
		openSite(RED, this, config);
	}
	RED.nodes.registerType("solar-yield-site", Site);
	addSiteRoutes(RED);
};
