import { utcText } from "../forecast/zone";
import { QUARTER_MS } from "../util/time";
import type { Format } from "./format";
import { type Scalar, siteRows } from "./rows";

const cell = (value: Scalar | undefined) => {
	const text = value === undefined ? "" : String(value);
	return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** RFC 4180, but lines end with one newline. */
export const csv: Format = {
	help: "For files and spreadsheets: a line per quarter hour with start, end (UTC) and every field; what is unknown is left blank.",
	label: "start and end of a quarter hour",
	contentType: "text/csv; charset=utf-8",
	anyField: true,
	options: [],
	make(source) {
		const rows = siteRows(source);
		const fields = [...new Set(rows.flatMap((row) => Object.keys(row.fields)))];
		const lines = [
			["start", "end", ...fields],
			...rows.map(({ start, fields: known }) => [
				utcText(start),
				utcText(start + QUARTER_MS),
				...fields.map((field) => known[field]),
			]),
		];
		return [
			{
				payload: `${lines.map((line) => line.map(cell).join(",")).join("\n")}\n`,
				span: { from: source.curve.from, to: source.curve.to },
			},
		];
	},
};
