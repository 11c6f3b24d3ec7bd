import { QUARTER_MS, utcText } from "../../util/time";
import type { Format } from "../format";
import { type FieldRow, type Scalar, siteRows } from "../source/rows";
import type { Source } from "../source/source";

/** V1's column names (spec V1, "Resources and their fields"; spec V2, "Versioning"). */
const COLUMNS: Readonly<Record<string, string>> = {
	pv_power: "pv_watts",
	pv_power_clearsky: "pv_watts_clearsky",
	ghi: "GHI",
	dhi: "DHI",
	bni: "BNI",
	temp: "temp",
	weather_code: "weather_code",
};

/** Peak power of the site in kW, null while a string's is unknown. */
function peakPower({ facts }: Source): number | null {
	const powers = facts.strings.map(({ power_kw }) => power_kw);
	const sum = powers.reduce<number>((kw, power) => kw + (power ?? 0), 0);
	return powers.includes(null) || sum === 0 ? null : sum;
}

function v1Row(
	{ start, fields }: FieldRow,
	kwp: number | null,
): Record<string, Scalar> {
	const row: Record<string, Scalar> = {
		dtm: utcText(start + QUARTER_MS)
			.replace("T", " ")
			.replace("Z", ""),
	};
	for (const [field, column] of Object.entries(COLUMNS)) {
		const value = fields[field];
		if (value === undefined) continue;
		row[column] = value;
		// W per kWp, which V2 no longer sends, from the powers.
		if (kwp !== null && column.startsWith("pv_")) {
			row[column.replace("pv", "spec")] =
				Math.round((Number(value) / kwp) * 100) / 100;
		}
	}
	return row;
}

/** A V1 forecast's body made of a V2 forecast, so that flows built on V1 live on. */
export const v1: Format = {
	contentType: "application/json",
	options: [],
	make(source) {
		const kwp = peakPower(source);
		return [
			{
				payload: {
					data: "forecast",
					data_timezone: "utc",
					values: siteRows(source).map((row) => v1Row(row, kwp)),
				},
				span: { from: source.curve.from, to: source.curve.to },
			},
		];
	},
};
