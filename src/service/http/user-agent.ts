import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** `<package>/<version>` of this package (behaviour: Where the service's description is silent "V2 key header"). */
export const USER_AGENT: string = (() => {
	for (let folder = __dirname; ; folder = dirname(folder)) {
		const file = join(folder, "package.json");
		if (existsSync(file)) {
			const { name, version } = JSON.parse(readFileSync(file, "utf8"));
			return `${name}/${version}`;
		}
	}
})();
