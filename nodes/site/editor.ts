import {
	SITE_OPERATIONS,
	type SiteOperation,
} from "../../src/service/v2/sites/site-operations";
import { isBlank } from "../../src/util/guards";
import { nodeType } from "../shared/editor/node-type";
import { chosen, oneOf, type Rule } from "../shared/editor/rules";
import { prepareSite } from "../shared/editor/site-field";
import { withSite } from "../shared/editor/site-label";
import { siteIdRule, systemFault } from "../shared/editor/site-rules";
import { prepareSystem } from "../shared/editor/system-form";
import { note } from "../shared/editor/words";
import { prepareCreation } from "./editor/creation";
import { prepareStrings } from "./editor/strings";

interface Settings {
	readonly account: string;
	readonly siteId: string;
	readonly operation: string;
	/** Flow files of before have none. */
	system?: string;
}

const type = nodeType("solar-yield-site");
const { input, part, property } = type;
/** Its catalogue has the texts for faults of a system. */
const forecast = nodeType("solar-yield-forecast");

/** Operations that are about no stored site. */
const WITHOUT_SITE: readonly string[] = ["list", "create"];
/** Operations of which the strings of a stored site are part. */
const WITH_STRINGS: readonly string[] = [
	"update",
	"add-string",
	"update-string",
	"remove-string",
] satisfies SiteOperation[];

const newSiteRule: Rule = (text, node) =>
	isBlank(text) ||
	chosen(node, "operation") !== "create" ||
	systemFault(text, true);

RED.nodes.registerType<Settings>("solar-yield-site", {
	paletteLabel: type.textOf("title"),
	labelStyle: type.labelStyle,
	inputLabels: type.textOf("input"),
	outputLabels: type.textOf("output"),
	category: "solar yield",
	color: "#FFCC66",
	icon: "solar-yield-site.svg",
	inputs: 1,
	outputs: 1,
	defaults: {
		name: { value: "" },
		account: type.accountProperty(),
		siteId: property("siteId", "", siteIdRule),
		operation: property("operation", "", oneOf(...SITE_OPERATIONS)),
		system: { value: "", validate: forecast.validator("inline", newSiteRule) },
	},
	label() {
		if (this.name) return this.name;
		const isFixed = SITE_OPERATIONS.some((name) => name === this.operation);
		const label = isFixed
			? this._(`solar-yield-site.option.${this.operation}`)
			: this._("solar-yield-site.title");
		return WITHOUT_SITE.includes(this.operation)
			? label
			: withSite(label, this);
	},
	oneditprepare() {
		// Else "Done" would take its blank field for a change.
		this.system ??= "";
		prepareSite(type);
		const tabs = prepareSystem(type, input("system"), {
			isSite: true,
			isOptional: true,
		});
		prepareCreation(type, this);
		prepareStrings(type, this);
		const operation = input("operation");
		if (isBlank(operation.val())) operation.val("");
		operation
			.on("change", () => {
				const chosen = String(operation.val() || "message");
				note(part("operation-hint"), this._(`solar-yield-site.hint.${chosen}`));
				part("siteId-row").toggle(!WITHOUT_SITE.includes(chosen));
				part("create-part").toggle(chosen === "create");
				tabs.resize();
				part("strings-part").toggle(WITH_STRINGS.includes(chosen));
			})
			.trigger("change");
	},
});
