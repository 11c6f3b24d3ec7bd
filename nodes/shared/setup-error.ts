import { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import type { Values } from "../../src/texts/texts";

/** What a person has yet to choose or to correct, as statuses tell it apart. */
type Setup = "no_account" | "account_disabled" | "account" | "no_site";

/** An `INPUT` error of what a node needs before it can do anything. */
export class SetupError extends SolarYieldError {
	readonly setup: Setup;

	constructor(setup: Setup, key: string, values?: Values) {
		super("INPUT", key, values);
		this.setup = setup;
	}
}

/** Neither the node nor its account names a site. */
export const noSiteError = (): SetupError =>
	new SetupError("no_site", "account.no_site");
