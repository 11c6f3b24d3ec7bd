import {
	baseUrlFault,
	normaliseBaseUrl,
} from "../../src/service/http/base-url";
import { isBlank } from "../../src/util/guards";
import type { AccountFacts, CheckAnswer } from "../shared/dialog-answers";
import type { EditorNode } from "../shared/editor/editor-api";
import { groupName } from "../shared/editor/groups";
import { nodeType } from "../shared/editor/node-type";
import { request } from "../shared/editor/request";
import { isCount, isSwitch, oneOf } from "../shared/editor/rules";
import { siteName, sitePicker } from "../shared/editor/site-picker";
import { siteIdRule } from "../shared/editor/site-rules";
import { makeTabs } from "../shared/editor/tabs";
import { note, number, say, success } from "../shared/editor/words";
import { apiKeyOf } from "./api-key";
import { hasKey, watchAccounts } from "./editor/known-accounts";
import { apiKeyRule, baseUrlRule } from "./editor/rules";
import { usageText } from "./editor/usage";

interface Settings {
	readonly demo: boolean;
	readonly baseUrl: string;
	readonly siteId: string;
	readonly budget: string;
	readonly reserve: string;
	readonly interval: string;
}

/** What is known of a deployed account, nothing of another one. */
type Facts = Partial<AccountFacts>;

const type = nodeType("solar-yield-account");
const { input, part, property } = type;

// Before the type: with it Node-RED adds the accounts of flows that were there without it.
watchAccounts();

RED.nodes.registerType<Settings>("solar-yield-account", {
	category: "config",
	color: "#FFCC66",
	defaults: {
		name: { value: "", validate: type.validator("apiKey", hasKey) },
		baseUrl: property("baseUrl", "", baseUrlRule),
		demo: property("demo", false, isSwitch),
		siteId: property("siteId", "", siteIdRule),
		budget: property("budget", "", isCount),
		reserve: property("reserve", "", isCount),
		interval: property("interval", "end", oneOf("end", "start")),
	},
	credentials: {
		apiKey: {
			type: "password",
			validate: type.validator("apiKey", apiKeyRule),
		},
	},
	paletteLabel: type.textOf("title"),
	label() {
		if (this.name) return this.name;
		if (this.demo) return this._("solar-yield-account.demo");
		return (
			(this.baseUrl || "").replace(/^https?:\/\//, "") ||
			this._("solar-yield-account.title")
		);
	},
	labelStyle: type.labelStyle,
	siteNames: {},
	oneditprepare() {
		type.showDefaults(this);
		const tabs = makeTabs(part("tabs"), [
			{
				pane: part("connection"),
				label: this._("solar-yield-account.tab.connection"),
			},
			{
				pane: part("advanced"),
				label: this._("solar-yield-account.tab.advanced"),
			},
		]);
		const isGood = [this.budget, this.reserve].every(
			(count) => isCount(count, this) === true,
		);
		// What is wrong is seen at once.
		if (!isGood) tabs.open(1);
		const demo = input("demo");
		demo.on("change", () => {
			const isDemo = demo.prop("checked") as boolean;
			part("service").toggle(!isDemo);
			part("tabs-row").toggle(!isDemo);
			if (isDemo) tabs.open(0);
		});
		prepareFacts(this);
	},
});

/** The account as it stands in the dialog. */
const settingsOf = ({ id }: EditorNode) => ({
	id,
	demo: input("demo").prop("checked") as boolean,
	baseUrl: input("baseUrl").val(),
	apiKey: input("apiKey").val(),
});

/** Readies what tells of the account: its requests, its sites, and the buttons that ask for them. */
function prepareFacts(node: EditorNode): void {
	const [usage, checked, asked] = [
		part("usage"),
		part("checked"),
		part("asked"),
	];

	const show = (facts: Facts) => {
		const { available, quota } = facts;
		note(usage, usageText(facts));
		note(
			part("plan"),
			available
				? say("common.plan", { groups: available.map(groupName).join(", ") })
				: "",
		);
		part("reserve-hint").text(
			quota?.limit == null
				? node._("solar-yield-account.hint.reserve")
				: node._("solar-yield-account.hint.reserve_known", {
						count: number(Math.ceil(quota.limit * 0.05)),
					}),
		);
	};

	const settings = () => settingsOf(node);
	const opened = JSON.stringify(settings());
	let seen = opened;
	/** Whether the dialog is about the account that is deployed. */
	const isDeployed = () =>
		!node.changed && JSON.stringify(settings()) === opened;
	let deployed: Facts = {};
	const showDeployed = () => show(isDeployed() ? deployed : {});
	const facts = () =>
		request<Facts>("GET", `account/${encodeURIComponent(node.id)}`);
	facts().then(
		(answer) => {
			deployed = answer;
			showDeployed();
		},
		(error: Error) => note(usage, error.message),
	);
	// What is known of one account says nothing about another.
	for (const name of ["demo", "baseUrl", "apiKey"]) {
		input(name).on("change", () => {
			const now = JSON.stringify(settings());
			if (now === seen) return;
			seen = now;
			note(checked, "");
			showDeployed();
		});
	}

	cleanPasted(node);
	const siteId = input("siteId");
	const picker = sitePicker({
		field: siteId,
		button: part("sites"),
		hint: part("site-note"),
		account: settings,
	});
	part("check").on("click", () => {
		note(checked, node._("solar-yield-account.checking"));
		picker.check().then(
			(answer) => {
				const usable = answer.sites.filter(({ state }) =>
					["active", "temporary"].includes(state),
				);
				const [only] = usable;
				const isOpen = isBlank(siteId.val());
				if (isOpen && only && usable.length === 1) siteId.val(only.site_id);
				siteId.trigger("change");
				success(
					checked,
					[checkedText(answer, node), ...(answer.notes ?? [])].join(" "),
				);
				show(answer);
				if (isOpen && usable.length > 1) picker.open();
			},
			({ message }: Error) => {
				const text = node._("solar-yield-account.checked.failed", { message });
				note(checked, text, true);
			},
		);
	});

	part("ask").on("click", async () => {
		if (!isDeployed()) {
			note(asked, node._("solar-yield-account.asked.deploy"), true);
			return;
		}
		note(asked, node._("solar-yield-account.asking"));
		try {
			const before = await facts();
			const after = await request<Facts>("POST", "ask-now", { id: node.id });
			deployed = after;
			showDeployed();
			const isNew = after.quota?.as_of !== before.quota?.as_of;
			note(
				asked,
				isNew
					? node._("solar-yield-account.asked.yes")
					: node._("solar-yield-account.asked.no"),
			);
		} catch (error) {
			note(asked, (error as Error).message, true);
		}
	});
}

/** Takes off what was copied along with address and key. */
function cleanPasted({ baseUrl }: EditorNode<Partial<Settings>>): void {
	const apiKey = input("apiKey");
	apiKey.on("change", () => {
		const text = String(apiKey.val());
		const key = apiKeyOf(text);
		if (key !== text.trim()) apiKey.val(key).trigger("change");
	});
	const url = input("baseUrl");
	url.on("change", () => {
		const text = String(url.val()).trim();
		// What is stored stays as it is written until a person changes it.
		if (text === baseUrl || baseUrlFault(text)) return;
		const used = normaliseBaseUrl(text);
		if (used !== text) url.val(used).trigger("change");
	});
}

/** What "Check" has found. */
function checkedText({ sites }: CheckAnswer, node: EditorNode): string {
	const [first] = sites;
	if (!first) return node._("solar-yield-account.checked.none");
	return sites.length === 1
		? node._("solar-yield-account.checked.one", { name: siteName(first) })
		: node._("solar-yield-account.checked.many", { count: sites.length });
}
