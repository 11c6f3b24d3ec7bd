import { stringNames } from "../../forecast/string-names";
import { siteLabel } from "../../messages/topic";
import type { Format } from "../format";
import type { FieldRow } from "../source/rows";
import { fieldRows, siteRows } from "../source/rows";
import type { Source } from "../source/source";
import { powerCurves } from "../source/source";

/** Names with their unit for powers; other fields keep the service's names. */
const NAMES: Readonly<Record<string, string>> = {
	pv_power: "power_w",
	pv_power_min: "power_min_w",
	pv_power_max: "power_max_w",
	pv_power_clearsky: "power_clearsky_w",
};
/** Fields that are tags of a string, and a name that the database reserves. */
const LEFT_OUT = new Set(["string_id", "string_index", "time"]);

const fieldsOf = ({ fields }: FieldRow) =>
	Object.fromEntries(
		Object.entries(fields)
			.filter(([name, it]) => typeof it === "number" && !LEFT_OUT.has(name))
			.map(([name, value]) => [NAMES[name] ?? name, value]),
	);

/** Rows of the site, then of each string, with their tags. */
function tagged(source: Source): [tags: object, rows: FieldRow[]][] {
	const site = siteLabel(source.facts);
	const { strings = [] } = source.forecast;
	const names = stringNames(strings);
	return [
		[{ site, level: "site" }, siteRows(source)],
		...strings.map(({ series }, index): [object, FieldRow[]] => [
			{ site, level: "string", string: names[index] },
			fieldRows(series, powerCurves(series, source.band)),
		]),
	];
}

/** Points for the node `influxdb batch` (node-red-contrib-influxdb). */
export const influxdb: Format = {
	contentType: null,
	anyField: true,
	options: [
		{
			kind: "text",
			name: "measurement",
			pattern: "^[^,\\s\"'\\\\]+$",
			hint: "export.measurement",
			default: "pv_forecast",
		},
		{
			kind: "boolean",
			name: "past",
			default: false,
		},
	],
	make(source, { measurement, past }) {
		const from = past ? Number.NEGATIVE_INFINITY : source.nowMs;
		const points = tagged(source).flatMap(([tags, rows]) =>
			rows
				.filter(({ start }) => start >= from)
				.map((row) => ({
					measurement,
					tags: { ...tags },
					fields: fieldsOf(row),
					timestamp: new Date(row.start),
				}))
				.filter(({ fields }) => Object.keys(fields).length > 0),
		);
		return [{ payload: points, span: { from, to: source.curve.to } }];
	},
};
