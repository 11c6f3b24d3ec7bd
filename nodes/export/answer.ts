import {
	type AnyExporter,
	Documents,
	type ExportMessage,
	FORMAT_NAMES,
	FORMATS,
	HomeAssistant,
	readRequest,
} from "../../src/export";
import { factsFromInput, readQuotaFacts } from "../../src/messages/facts";
import {
	forecastFromInput,
	readPayload,
} from "../../src/messages/input/forecast-input";
import { nowFromInput } from "../../src/messages/input/now-input";
import { readSiteId } from "../../src/messages/selection";
import { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import { isBlank, isObject } from "../../src/util/guards";
import { MINUTE_MS } from "../../src/util/time";
import type { Message } from "../shared/handler";

/** Messages to be published after one was received. */
export function messagesAfter(
	exporter: AnyExporter,
	msg: Message,
	nowMs: number,
): ExportMessage[] {
	if (exporter instanceof HomeAssistant) {
		const status = exporter.statusIn(msg);
		if (status === "online") return exporter.birth(nowMs);
		if (status !== undefined) return [];
	}
	if (exporter instanceof Documents) {
		return isBare(msg, exporter.onAnyMessage)
			? answerRequest(exporter, msg, nowMs)
			: makeDocuments(exporter, msg, nowMs);
	}
	const { topic } = msg;
	const quota = readQuotaFacts(msg.quota);
	const payload = readPayload(msg.payload);
	const now = nowFromInput(payload);
	if (now) {
		const every = typeof msg.every === "number" ? msg.every : undefined;
		const facts = factsFromInput(msg);
		return exporter.update({ now, every, facts, quota, nowMs, topic });
	}
	const { forecast, solar: facts } = forecastFromInput({ ...msg, payload });
	return exporter.update({ forecast, facts, quota, nowMs, topic });
}

function makeDocuments(
	documents: Documents,
	msg: Message,
	nowMs: number,
): ExportMessage[] {
	const { forecast, solar: facts } = forecastFromInput(msg);
	const { topic, siteId } = msg;
	const request = readRequest(msg.req);
	return documents.update({ forecast, facts, nowMs, topic, siteId, request });
}

/** Whether a message asks and brings no forecast: an HTTP request, for some formats any without a payload or with an inject's time. */
function isBare({ req, payload }: Message, onAnyMessage: boolean): boolean {
	if (isObject(req) && isObject(payload)) {
		return !("values" in payload || payload instanceof Uint8Array);
	}
	if (isObject(req)) return isBlank(payload);
	return onAnyMessage && (isBlank(payload) || typeof payload === "number");
}

/** Answers from the last forecast; before the first, as the format's reader bears it. */
function answerRequest(
	documents: Documents,
	msg: Message,
	nowMs: number,
): ExportMessage[] {
	const siteId = readSiteId(msg.siteId);
	const known = documents.answer(siteId, readRequest(msg.req), nowMs);
	if (known) return known;
	throw new SolarYieldError(
		"INPUT",
		"nodes.no_forecast",
		{},
		{ retryAt: nowMs + MINUTE_MS },
	);
}

/** Every format with its options, as `RED.settings.solarYieldExportFormats` in the editor; its words are in the catalogue. */
export const formatTable = () =>
	FORMAT_NAMES.map((name) => ({ name, options: FORMATS[name].options }));
