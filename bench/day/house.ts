import type { Broker } from "../../test/support/broker";
import {
	accountNode,
	batteryNode,
	forecastNode,
	learnNode,
	windowNode,
} from "../../test/support/own-nodes";
import type { FastClock } from "../node-red";

const TAB = "tab";
const own = (type: string, id: string, more: object) => ({
	id,
	type: `solar-yield-${type}`,
	z: TAB,
	name: "",
	...more,
});
const core = (type: string, id: string, more: object) => ({
	id,
	type,
	z: TAB,
	name: "",
	...more,
});

/** Does something to each message. */
const code = (id: string, func: string, to: string) =>
	core("function", id, { func, outputs: 1, wires: [[to]] });

/** Sends each minute, or each day, of a clock so many times faster than the real one. */
const inject = (
	id: string,
	everyS: number,
	speed: number,
	to: string,
	topic = "",
) =>
	core("inject", id, {
		props: [{ p: "payload" }, { p: "topic", vt: "str" }],
		payload: "",
		payloadType: "date",
		topic,
		repeat: String(everyS / speed),
		once: true,
		onceDelay: 0.5,
		wires: [[to]],
	});

/** Where HTTP exports answer. */
export const ROUTES = ["/evcc", "/open-meteo"] as const;

/**
 * A house with all that a house has: values of each minute, Home Assistant by MQTT,
 * a dashboard, a battery with prices and a state of charge each minute, a boiler in
 * the best hours, a meter to learn from, evcc and Open-Meteo's readers over HTTP.
 *
 * @returns nodes of ours, and what else is in the house
 */
export function house(
	baseUrl: string,
	broker: Broker,
	{ begin, start, speed }: FastClock,
): Record<"ours" | "others", object[]> {
	const forecast = forecastNode({
		include: ["default", "weather", "clearsky", "strings", "variability"],
		wires: [["learn"], [], []],
	});
	const ours = [
		accountNode({ baseUrl, siteId: "site" }),
		forecast,
		learnNode({
			wires: [
				[
					"now",
					"to-home-assistant",
					"to-two-days",
					"to-strings",
					"bat",
					"win",
					"to-evcc",
					"to-open-meteo",
				],
				["sink"],
			],
		}),
		own("now", "now", {
			every: "1",
			wires: [["power", "to-home-assistant", "sink"]],
		}),
		own("export", "to-home-assistant", {
			format: "home-assistant",
			wires: [["mqtt"]],
		}),
		own("export", "to-two-days", {
			format: "chart",
			view: "two-days",
			wires: [["sink"]],
		}),
		own("export", "to-strings", {
			format: "chart",
			view: "strings",
			wires: [["sink"]],
		}),
		own("export", "to-evcc", { format: "evcc", wires: [["answer"]] }),
		own("export", "to-open-meteo", {
			format: "open-meteo",
			wires: [["answer"]],
		}),
		batteryNode({ strategy: "price", wires: [["sink"]] }),
		windowNode({ loadW: "2000", wires: [["sink"], ["sink"]] }),
	];
	const others = [
		{ id: TAB, type: "tab", label: "House" },
		core("junction", "sink", { wires: [[]] }),
		broker.node("broker"),
		core("mqtt out", "mqtt", { broker: "broker" }),
		// What the roof gave: a tenth less than foreseen.
		code(
			"power",
			"return { payload: 0.9 * msg.payload.power_now_w };",
			"learn",
		),
		inject("minute", 60, speed, "soc"),
		code("soc", "return { soc: 50 + 40 * Math.sin(Date.now() / 1e5) };", "bat"),
		inject("day", 86_400, speed, "prices"),
		code(
			"prices",
			`const now = ${start} + (Date.now() - ${begin}) * ${speed};
const hour = Math.floor(now / 3600000) * 3600000;
return { prices: Array.from({ length: 48 }, (_, n) => ({
	start: new Date(hour + n * 3600000).toISOString(),
	price: 0.25 + 0.1 * Math.sin(n / 3),
})) };`,
			"bat",
		),
		...ROUTES.flatMap((url) => [
			core("http in", `in${url}`, {
				url,
				method: "get",
				wires: [[`to-${url.slice(1)}`]],
			}),
		]),
		core("switch", "answer", {
			property: "res",
			propertyType: "msg",
			rules: [{ t: "nnull" }],
			outputs: 1,
			wires: [["response"]],
		}),
		core("http response", "response", {}),
		// A house in which something fails is none to measure.
		core("catch", "errors", { scope: null, wires: [["error"]] }),
		code("error", "return { ...msg, payload: msg.error.message };", "failed"),
		core("http response", "failed", { statusCode: "500" }),
	];
	return { ours, others };
}
