import { needs } from "../support/needs";
import { QUICK } from "./run";
import { Missing } from "./support";

describe("client libraries of other programs read what we send", () => {
	for (const [name, run] of Object.entries(QUICK)) {
		it(name, async function () {
			try {
				await run();
			} catch (error) {
				if (!(error instanceof Missing)) throw error;
				needs(this, error.message);
			}
		}).timeout(600_000);
	}
});
