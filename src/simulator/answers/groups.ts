import type { Plan } from "../plans";
import { invalid } from "./http-error";

/** The field groups in the order in which `available` lists them; `all` stands for all but the paid ones. */
const FREE_GROUPS = [
	"default",
	"weather",
	"irradiance",
	"clearsky",
	"strings",
] as const;

export type GroupName = (typeof FREE_GROUPS)[number] | "variability";

/** The values of `include` resolved (spec, Endpoints, rules 1 and 2); 422 for an unknown one. */
export function readGroups(include: readonly string[]): ReadonlySet<GroupName> {
	const groups = new Set<GroupName>();
	for (const [index, name] of (include.length > 0
		? include
		: ["default"]
	).entries()) {
		if (name === "all") for (const group of FREE_GROUPS) groups.add(group);
		else if (isGroup(name)) groups.add(name);
		else
			throw invalid(
				["query", "include", index],
				`Input should be one of ${[...FREE_GROUPS, "variability", "all"].join(", ")}`,
			);
	}
	return groups;
}

/** Every group that the plan may ask for; `all` is never listed. */
export function availableGroups(plan: Plan): readonly GroupName[] {
	return plan.variability ? [...FREE_GROUPS, "variability"] : FREE_GROUPS;
}

function isGroup(name: string): name is GroupName {
	return (
		name === "variability" || (FREE_GROUPS as readonly string[]).includes(name)
	);
}
