import type { EditorNode } from "../../shared/editor/editor-api";
import { localNumber } from "../../shared/editor/numbers";
import { request } from "../../shared/editor/request";
import { note } from "../../shared/editor/words";
import type { V1Creation, V1MoveAnswer } from "../dialog-answers";
import { withUnit } from "./units";

type ReportEntry = V1MoveAnswer["report"][number];
/** The unit of a V1 parameter. */
type UnitOf = (parameter: string) => string | undefined;

const part = (name: string) => $(`#solar-yield-v1-${name}`);
const cell = (text: string) => $("<td>").text(text);

/** Units of a site's fields, by their last name. */
const UNITS: Readonly<Record<string, string>> = {
	latitude: "degrees",
	longitude: "degrees",
	slope: "degrees",
	orientation: "degrees",
	power_kw: "kW",
	temperature_coefficient: "%/°C",
	height_above_ground: "m",
	clip_max_percent: "%",
	clip_min_percent: "%",
	axis_azimuth: "degrees",
	axis_tilt: "degrees",
	max_angle: "degrees",
};

/** Lines of what to enter for a site: field and value. */
const siteLines = ({
	latitude,
	longitude,
	strings,
	config = {},
}: V1MoveAnswer["site"]): [field: string, value: unknown][] => [
	["latitude", latitude],
	["longitude", longitude],
	...strings.flatMap((string, index) =>
		Object.entries(string).map(([field, value]): [string, unknown] => [
			`strings[${index}].${field}`,
			value,
		]),
	),
	...Object.entries(config).flatMap(([group, leaves]) =>
		Object.entries(leaves).map(([leaf, value]): [string, unknown] => [
			`config.${group}.${leaf}`,
			value,
		]),
	),
];

/** A set of parameters as it stands in the dialog. */
interface SetOfDialog {
	readonly params: Readonly<Record<string, unknown>>;
}

/**
 * Shows the site, and what becomes of each parameter: of those that are set the lost
 * ones first, all others folded.
 */
function showPlan(
	{ site, report }: V1MoveAnswer,
	{ params }: SetOfDialog,
	unitOf: UnitOf,
	node: EditorNode,
): void {
	const valueText = (value: unknown, unit: string | undefined) =>
		value === null
			? ""
			: withUnit(
					typeof value === "number" ? localNumber(value) : String(value),
					unit,
					node,
				);
	part("site")
		.empty()
		.append(
			siteLines(site).map(([field, value]) => {
				const unit = UNITS[field.split(".").at(-1) ?? ""];
				return $("<tr>").append(cell(field), cell(valueText(value, unit)));
			}),
		);
	const row = ({ parameter, value, result, note: remark }: ReportEntry) =>
		$("<tr>").append(
			cell(parameter),
			cell(valueText(value, unitOf(parameter))),
			cell(node._(`solar-yield-v1.result.${result}`)).append(
				$("<span>", { class: "solar-yield-v1-small" }).text(remark),
			),
		);
	const isLost = ({ result }: ReportEntry) => result === "none";
	const given = report.filter(({ parameter }) => parameter in params);
	const unset = report.filter(({ parameter }) => !(parameter in params));
	part("report")
		.empty()
		.append(
			[...given.filter(isLost), ...given.filter((it) => !isLost(it))].map(row),
		);
	part("unset").empty().append(unset.map(row));
	part("unset-count").text(
		node._("solar-yield-v1.move.unset", { count: unset.length }),
	);
}

/** What became of the creation: a site, or what to do on a plan that cannot create one. */
function creationText(answer: V1Creation, node: EditorNode): string {
	if (answer.plan !== undefined) {
		return `${answer.plan} ${node._("solar-yield-v1.move.web_app")}`;
	}
	const { site_id: id, notes } = answer;
	return [node._("solar-yield-v1.move.created", { id }), ...notes].join(" ");
}

/**
 * Readies the part that shows the site of a set of parameters and creates it.
 *
 * @param set the parameters as they stand in the dialog
 * @param unitOf units of the parameters, once they are known
 */
export function prepareMove(
	node: EditorNode,
	set: () => SetOfDialog,
	unitOf: UnitOf,
): void {
	/** The set whose move is on show; what is created is what was shown. */
	let planned: object | undefined;
	const moved = part("moved");
	const button = part("create");
	const created = part("created");
	moved.hide();

	part("move").on("click", () => {
		const asked = set();
		note(part("move-note"), "");
		request<V1MoveAnswer>("POST", "v1/move", asked).then(
			(move) => {
				planned = asked;
				showPlan(move, asked, unitOf, node);
				note(created, "");
				button.prop("disabled", false);
				part("site-name").val($("#node-input-name").val() as string);
				moved.show();
			},
			(error: Error) => note(part("move-note"), error.message, true),
		);
	});

	const create = () => {
		button.prop("disabled", true);
		note(created, node._("solar-yield-v1.move.creating"));
		request<V1Creation>("POST", "v1/create-site", {
			...planned,
			account: $("#node-input-account").val(),
			name: part("site-name").val(),
		}).then(
			(answer) => {
				const isRefused = answer.plan !== undefined;
				note(created, creationText(answer, node), isRefused);
				if (isRefused) button.prop("disabled", false);
			},
			(error: Error) => {
				note(created, error.message, true);
				button.prop("disabled", false);
			},
		);
	};
	button.on("click", () => {
		const name = part("site-name").val() || "–";
		const text = node._("solar-yield-v1.move.confirm", { name });
		const question = RED.notify($("<p>").text(text)[0] as HTMLElement, {
			modal: true,
			fixed: true,
			buttons: [
				{
					text: RED._("common.label.cancel"),
					click: () => question.close(),
				},
				{
					text: node._("solar-yield-v1.move.create"),
					class: "primary",
					click() {
						question.close();
						create();
					},
				},
			],
		});
	});
}
