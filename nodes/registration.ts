import type { Request } from "express";
import type { Node, NodeAPI, NodeDef } from "node-red";
import { answer, editorLanguage, fromEditor } from "./admin";
import type { BatteryNode } from "./battery/node";
import type { LearnNode } from "./learn/settings";

/** All that works, loaded with the first node: an unused package costs nothing. */
type Code = typeof import("./node");

/** What a dialog asks, below `solar-yield/` relative to the editor's own address. */
interface Route {
	readonly method: "get" | "post";
	readonly path: string;
	readonly needs: "read" | "write";
	/** Whether only a dialog of ours may ask: it asks the service, reads a variable or changes something. */
	readonly isGuarded: boolean;
	/** The answer; undefined for what is not there. */
	readonly work: (code: Code, RED: NodeAPI, request: Request) => unknown;
}

const get = (path: string, work: Route["work"], isGuarded = false): Route => ({
	method: "get",
	path,
	needs: "read",
	isGuarded,
	work,
});
const post = (
	path: string,
	work: Route["work"],
	needs: Route["needs"] = "write",
): Route => ({ method: "post", path, needs, isGuarded: true, work });

const nodeOf = (RED: NodeAPI, id: unknown) =>
	RED.nodes.getNode(String(id)) as unknown as never;

interface Type {
	/** Wires a node. */
	readonly open: (code: Code) => Open;
	readonly routes?: readonly Route[];
	/** Credentials and settings, as `registerType` takes them. */
	readonly more?: object;
}

/** The types of nodes, by what follows `solar-yield-`. None of the routes costs quota but `ask-now`, which says so. */
const NODES = {
	account: {
		open: ({ openAccount }) => openAccount,
		more: { credentials: { apiKey: { type: "password" } } },
		routes: [
			post("check", ({ checkAccount }, RED, { body }) =>
				checkAccount(RED, body ?? {}, nodeOf(RED, body?.id)),
			),
			post("ask-now", ({ askNow }, RED, { body }) =>
				askNow(nodeOf(RED, body?.id)),
			),
			get("accounts", ({ accountsInEditor }, RED) => accountsInEditor(RED)),
			get("account/:id", ({ accountFacts }, RED, { params }) =>
				accountFacts(nodeOf(RED, params.id)),
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
				(nodeOf(RED, params.id) as LearnNode | null)?.solarYieldLearn?.(),
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
	v1: {
		open: ({ openV1 }) => openV1,
		// Users who may only read do not see the values of environment variables.
		routes: [
			get("v1/parameters", ({ v1Table }) => v1Table()),
			...(["check", "move", "create-site"] as const).map((action) =>
				post(`v1/${action}`, ({ V1_ACTIONS }, RED, request) =>
					V1_ACTIONS[action](RED, request.body ?? {}, editorLanguage(request)),
				),
			),
		],
	},
	battery: {
		open: ({ openBattery }) => openBattery,
		routes: [
			get("battery/:id", (_code, RED, { params }) =>
				(nodeOf(RED, params.id) as BatteryNode | null)?.solarYield?.view(),
			),
		],
	},
	window: {
		open: ({ openWindow }) => openWindow,
		routes: [
			get("window/:id", ({ windowPreview }, RED, { params }) =>
				windowPreview(nodeOf(RED, params.id)),
			),
			post(
				"window/:id",
				({ windowsWith }, RED, { params, body }) =>
					windowsWith(nodeOf(RED, params.id), body),
				"read",
			),
		],
	},
} satisfies Readonly<Record<string, Type>>;

export const TYPES = Object.keys(NODES) as (keyof typeof NODES)[];

type Open = (RED: NodeAPI, node: never, config: never) => void;

/**
 * What Node-RED calls to load a type: it registers the type and the routes of its dialog.
 *
 * @param wire in place of the type's own, in tests
 */
export function registration(name: keyof typeof NODES, wire?: Open) {
	const { open, routes = [], more = {} }: Type = NODES[name];
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
