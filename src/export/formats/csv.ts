import { QUARTER_MS, utcText } from "../../util/time";
import type { Zone } from "../../util/zone";
import { choice, type Format, type OptionValues } from "../format";
import { type Scalar, siteRows } from "../source/rows";
import { siteClock } from "../source/units";

const SEPARATORS: Readonly<Record<string, string>> = {
	comma: ",",
	semicolon: ";",
	tab: "\t",
};

/** How a time is written: UTC for programs, the site's clock for spreadsheets, which read no offset. */
const TIMES: Readonly<Record<string, (instant: number, zone: Zone) => string>> =
	{
		utc: utcText,
		local: siteClock,
	};

/** A writer of lines. */
function lineWriter({ separator, decimal }: OptionValues) {
	const between = SEPARATORS[separator as string] as string;
	const cell = (value: Scalar | undefined) => {
		const text =
			typeof value === "number" && decimal === "comma"
				? String(value).replace(".", ",")
				: String(value ?? "");
		return text.includes(between) || /["\r\n]/.test(text)
			? `"${text.replaceAll('"', '""')}"`
			: text;
	};
	return (cells: readonly (Scalar | undefined)[]) =>
		cells.map(cell).join(between);
}

/** RFC 4180, but lines end with one newline. */
export const csv: Format = {
	contentType: "text/csv; charset=utf-8",
	anyField: true,
	options: [
		choice("separator", Object.keys(SEPARATORS)),
		choice("decimal", ["point", "comma"]),
		choice("times", Object.keys(TIMES)),
	],
	make(source, options) {
		const rows = siteRows(source);
		const fields = [...new Set(rows.flatMap((row) => Object.keys(row.fields)))];
		const line = lineWriter(options);
		const time = TIMES[options.times as string] as (typeof TIMES)[string];
		const lines = [
			line(["start", "end", ...fields]),
			...rows.map(({ start, fields: known }) =>
				line([
					time(start, source.zone),
					time(start + QUARTER_MS, source.zone),
					...fields.map((field) => known[field]),
				]),
			),
		];
		return [
			{
				payload: `${lines.join("\n")}\n`,
				span: { from: source.curve.from, to: source.curve.to },
			},
		];
	},
};
