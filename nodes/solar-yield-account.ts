import type { NodeAPI } from "node-red";
import type {
	AccountConfig,
	AccountCredentials,
	AccountNode,
} from "../src/runtime/account";
import { addAdminRoutes } from "../src/runtime/admin";

export = (RED: NodeAPI): void => {
	function Account(this: AccountNode, config: AccountConfig): void {
		RED.nodes.createNode(this, config);
		// Loaded with the first account: an unused package costs nothing.
		const { openAccount } =
			require("../src/runtime/account") as typeof import("../src/runtime/account");
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
	addAdminRoutes(RED);
};
