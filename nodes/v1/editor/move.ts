import type { V1Move, V1Parameter } from "../../../src/v1/parameters";
import type { EditorNode } from "../../shared/editor/editor-api";
import { localNumber } from "../../shared/editor/numbers";
import { request } from "../../shared/editor/request";
import { note } from "../../shared/editor/words";
import type { V1Creation } from "../dialog-answers";
import { withUnit } from "./parameters-form";

const part = (name: string) => $(`#solar-yield-v1-${name}`);
const cell = (text: string) => $("<td>").text(text);

/** The fields of a site with their values, each by its whole name. */
function fieldsOf(value: unknown, name = ""): [name: string, value: unknown][] {
	if (typeof value !== "object" || value === null) return [[name, value]];
	return Object.entries(value).flatMap(([key, inner]) =>
		fieldsOf(
			inner,
			Array.isArray(value)
				? `${name}[${key}]`
				: [name, key].filter(Boolean).join("."),
		),
	);
}

/** A set of parameters as it stands in the dialog. */
interface SetOfDialog {
	readonly params: Readonly<Record<string, unknown>>;
}

/**
 * Readies the part that shows the site of a set of parameters, and what becomes of
 * each parameter, and creates the site.
 *
 * @param set the parameters as they stand in the dialog
 */
export function prepareMove(
	node: EditorNode,
	parameters: readonly V1Parameter[],
	set: () => SetOfDialog,
): void {
	const valueText = (value: unknown, unit: string | undefined) =>
		value === null
			? ""
			: withUnit(
					typeof value === "number" ? localNumber(value) : String(value),
					unit,
					node,
				);
	/** The unit of a parameter, or of a site's field, which may have a name of its own. */
	const unitOf = (name: string) =>
		parameters.find(
			({ name: own, v2 }) =>
				own === name || ("field" in v2 && v2.field === name),
		)?.unit ?? (/^axis_|_angle$/.test(name) ? "degrees" : undefined);

	const show = ({ site, report }: V1Move, { params }: SetOfDialog) => {
		part("site")
			.empty()
			.append(
				fieldsOf(site).map(([field, value]) => {
					const unit = unitOf(field.split(".").at(-1) ?? "");
					return $("<tr>").append(cell(field), cell(valueText(value, unit)));
				}),
			);
		const rows = (entries: V1Move["report"]) =>
			entries.map(({ parameter, value, result, note: remark }) =>
				$("<tr>").append(
					cell(parameter),
					cell(valueText(value, unitOf(parameter))),
					cell(node._(`solar-yield-v1.result.${result}`)).append(
						$("<span>", { class: "solar-yield-v1-small" }).text(remark),
					),
				),
			);
		// Of those that are set the lost ones first, all others folded.
		const given = report.filter(({ parameter }) => parameter in params);
		const unset = report.filter(({ parameter }) => !(parameter in params));
		given.sort(
			(a, b) => Number(b.result === "none") - Number(a.result === "none"),
		);
		part("report").empty().append(rows(given));
		part("unset").empty().append(rows(unset));
		part("unset-count").text(
			node._("solar-yield-v1.move.unset", { count: unset.length }),
		);
	};

	/** The set whose move is on show; what is created is what was shown. */
	let planned: object | undefined;
	const button = part("create");
	const created = part("created");
	part("moved").hide();

	part("move").on("click", () => {
		const asked = set();
		note(part("move-note"), "");
		request<V1Move>("POST", "v1/move", asked).then(
			(move) => {
				planned = asked;
				show(move, asked);
				note(created, "");
				button.prop("disabled", false);
				part("site-name").val($("#node-input-name").val() as string);
				part("moved").show();
			},
			(error: Error) => note(part("move-note"), error.message, true),
		);
	});

	const create = () => {
		button.prop("disabled", true);
		note(created, node._("solar-yield-v1.move.creating"));
		const refused = (text: string) => {
			note(created, text, true);
			button.prop("disabled", false);
		};
		request<V1Creation>("POST", "v1/create-site", {
			...planned,
			account: $("#node-input-account").val(),
			name: part("site-name").val(),
		}).then(
			({ plan, site_id: id, notes = [] }) => {
				if (plan)
					return refused(`${plan} ${node._("solar-yield-v1.move.web_app")}`);
				const made = node._("solar-yield-v1.move.created", { id });
				note(created, [made, ...notes].join(" "));
			},
			(error: Error) => refused(error.message),
		);
	};
	button.on("click", () => {
		const name = part("site-name").val() || "–";
		const text = $("<p>").text(node._("solar-yield-v1.move.confirm", { name }));
		const question = RED.notify(text[0] as HTMLElement, {
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
