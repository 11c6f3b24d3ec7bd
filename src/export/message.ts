import { copyOf, type SolarFacts } from "../messages/facts";
import type { Document } from "./format";
import type { Source } from "./source/source";

/** `msg.solar` of an export: the forecast's, and counts of changed quarters. */
interface ExportFacts extends SolarFacts {
	/** Quarters of the document that were interpolated. */
	gaps_filled: number;
	/** Quarters of the document that were below zero and are sent as zero. */
	negatives_raised: number;
}

/** A message ready for the node that follows (`mqtt out`, `http response`, `influxdb batch`, `ui-chart`, `file`). */
export interface ExportMessage {
	topic: string;
	payload: unknown;
	retain: boolean;
	/** Absent where a retained message is taken off a broker. */
	solar?: ExportFacts;
	/** For `http response`. */
	headers?: Record<string, string>;
	/** For `ui-chart`. */
	action?: string;
}

/** Puts a message together from a document of a format. */
export function messageOf(
	topic: string,
	payload: unknown,
	source: Source | undefined,
	facts: SolarFacts,
	document?: Document,
	contentType: string | null = null,
): ExportMessage {
	const { headers, ...extra } = document?.extra ?? {};
	const allHeaders = {
		...(contentType !== null && { "content-type": contentType }),
		...(headers as Record<string, string> | undefined),
	};
	return {
		...extra,
		topic,
		payload,
		retain: true,
		...(Object.keys(allHeaders).length > 0 && { headers: allHeaders }),
		solar: {
			...copyOf(facts),
			...(source && document
				? source.curve.changesIn(document.span)
				: { gaps_filled: 0, negatives_raised: 0 }),
		},
	};
}
