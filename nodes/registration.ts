import type { Node, NodeAPI, NodeDef } from "node-red";
import { isObject } from "../src/util/guards";
import { answer, fromEditor } from "./admin";
import type { BatteryNode } from "./battery/node";
import type { LearnNode } from "./learn/settings";
import type { AccountNode } from "./shared/account-lookup";
import {
	get,
	type Open,
	post,
	type RegisteredType,
} from "./shared/registered-type";
import { v1Type } from "./v1/registration";

/** All that works, loaded with the first node: an unused package costs nothing. */
type Code = typeof import("./node");

/** The deployed node of a type; null for another type's id, too. */
function nodeOf<Own>(RED: NodeAPI, type: string, id: unknown) {
	const node = RED.nodes.getNode(String(id));
	return (node?.type === `solar-yield-${type}` ? node : null) as Own | null;
}
const accountOf = (RED: NodeAPI, id: unknown) =>
	nodeOf<AccountNode>(RED, "account", id);
const batteryOf = (RED: NodeAPI, id: unknown) =>
	nodeOf<BatteryNode>(RED, "battery", id)?.solarYield;

/** The types of nodes, by what follows `solar-yield-`. None of the routes costs quota but `ask-now`, which says so. */
const NODES = {
	account: {
		open: ({ openAccount }) => openAccount,
		more: { credentials: { apiKey: { type: "password" } } },
		routes: [
			post("check", ({ checkAccount }, RED, { body }) =>
				checkAccount(RED, body ?? {}, accountOf(RED, body?.id)),
			),
			post("ask-now", ({ askNow }, RED, { body }) =>
				askNow(accountOf(RED, body?.id)),
			),
			get("accounts", ({ accountsInEditor }, RED) => accountsInEditor(RED)),
			get("account/:id", ({ accountFacts }, RED, { params }) =>
				accountFacts(accountOf(RED, params.id)),
			),
		],
	},
	forecast: {
		open: ({ openForecast }) => openForecast,
		routes: [
			get("forecast/:id", ({ forecastPreview }, RED, { params, query }) =>
				forecastPreview(RED, String(params.id), query),
			),
		],
	},
	now: { open: ({ openNow }) => openNow },
	export: {
		open: ({ openExport }) => openExport,
		more: {
			settings: {
				solarYieldExportFormats: {
					exportable: true,
					/** The table of formats, for the dialog; made when an editor opens. */
					get value() {
						return (require("./node") as Code).formatTable();
					},
				},
			},
		},
	},
	sum: { open: ({ openSum }) => openSum },
	learn: {
		open: ({ openLearn }) => openLearn,
		routes: [
			get("learn/:id", (_code, RED, { params }) =>
				nodeOf<LearnNode>(RED, "learn", params.id)?.solarYieldLearn?.(),
			),
		],
	},
	site: {
		open: ({ openSite }) => openSite,
		routes: [
			get(
				"site/:account",
				({ readStoredSite }, RED, { params, query }) =>
					readStoredSite(RED, params.account, query.siteId),
				true,
			),
			post("site/:account/create", ({ createSite }, RED, { params, body }) =>
				createSite(RED, params.account, body?.system),
			),
			post("site/:account/strings", ({ saveStrings }, RED, { params, body }) =>
				saveStrings(RED, params.account, body ?? {}),
			),
		],
	},
	history: { open: ({ openHistory }) => openHistory },
	v1: v1Type,
	battery: {
		open: ({ openBattery }) => openBattery,
		routes: [
			get("battery/:id", (_code, RED, { params }) =>
				batteryOf(RED, params.id)?.view(),
			),
			post(
				"battery/:id",
				(_code, RED, { params, body }) =>
					batteryOf(RED, params.id)?.planWith(isObject(body) ? body : {}),
				"read",
			),
		],
	},
	window: {
		open: ({ openWindow }) => openWindow,
		routes: [
			get("window/:id", ({ windowPreview }, RED, { params }) =>
				windowPreview(nodeOf(RED, "window", params.id)),
			),
			post(
				"window/:id",
				({ windowsWith }, RED, { params, body }) =>
					windowsWith(nodeOf(RED, "window", params.id), body),
				"read",
			),
		],
	},
} satisfies Readonly<Record<string, RegisteredType<Code>>>;

export const TYPES = Object.keys(NODES) as (keyof typeof NODES)[];

/**
 * What Node-RED calls to load a type: it registers the type and the routes of its dialog.
 *
 * @param wire in place of the type's own, in tests
 */
export function registration(name: keyof typeof NODES, wire?: Open) {
	const { open, routes = [], more = {} }: RegisteredType<Code> = NODES[name];
	const code = () => require("./node") as Code;
	return (RED: NodeAPI): void => {
		function Constructor(this: Node, config: NodeDef): void {
			RED.nodes.createNode(this, config);
			(wire ?? open(code()))(RED, this as never, config as never);
		}
		RED.nodes.registerType(`solar-yield-${name}`, Constructor, more);
		for (const { method, path, needs, isGuarded, work } of routes) {
			RED.httpAdmin[method](
				`/solar-yield/${path}`,
				RED.auth.needsPermission(`solar-yield.${needs}`),
				...(isGuarded ? [fromEditor] : []),
				answer((request) => work(code(), RED, request)),
			);
		}
	};
}
