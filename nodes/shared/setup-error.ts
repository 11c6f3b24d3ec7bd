import { SolarYieldError } from "../../src/service/errors/solar-yield-error";

/** What a person has yet to choose or to correct, as statuses tell it apart. */
type Setup = "no_account" | "account_disabled" | "account" | "no_site";

/** An `INPUT` error of what a node needs before it can do anything. */
export class SetupError extends SolarYieldError {
	readonly setup: Setup;

	constructor(setup: Setup, message: string) {
		super("INPUT", message);
		this.setup = setup;
	}
}

/** Neither the node nor its account names a site. */
export const noSiteError = (): SetupError =>
	new SetupError(
		"no_site",
		"siteId is blank here and in the account; choose a site in one of them",
	);
