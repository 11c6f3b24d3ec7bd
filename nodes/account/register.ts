import type { NodeAPI } from "node-red";
import type {
	AccountConfig,
	AccountCredentials,
	AccountNode,
} from "../shared/account-lookup";
import { addAccountRoutes } from "./admin";

export = (RED: NodeAPI): void => {
	function Account(this: AccountNode, config: AccountConfig): void {
		RED.nodes.createNode(this, config);
		// Loaded with the first account: an unused package costs nothing.
		const { openAccount } = require("./node") as typeof import("./node");
		openAccount(RED, this, config);
	}
	RED.nodes.registerType<
		AccountNode,
		AccountConfig,
		object,
		AccountCredentials
	>("solar-yield-account", Account, {
		credentials: { apiKey: { type: "password" } },
	});
	addAccountRoutes(RED);
};
