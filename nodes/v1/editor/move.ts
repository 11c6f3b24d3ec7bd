import type { EditorNode } from "../../shared/editor/editor-api";
import { request } from "../../shared/editor/request";
import { note } from "../../shared/editor/words";
import type { V1Creation, V1MoveAnswer } from "../dialog-answers";

const part = (name: string) => $(`#solar-yield-v1-${name}`);
const cell = (text: string) => $("<td>").text(text);

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

function showPlan({ site, report }: V1MoveAnswer, node: EditorNode): void {
	part("site")
		.empty()
		.append(
			siteLines(site).map(([field, value]) =>
				$("<tr>").append(cell(field), cell(String(value))),
			),
		);
	part("report")
		.empty()
		.append(
			report.map(({ parameter, value, result, note: remark }) =>
				$("<tr>").append(
					cell(parameter),
					cell(value === null ? "" : String(value)),
					cell(node._(`solar-yield-v1.result.${result}`)).append(
						$("<span>", { class: "solar-yield-v1-small" }).text(remark),
					),
				),
			),
		);
}

/** What became of the creation: a site, or what to do on a plan that cannot create one. */
function creationText(answer: V1Creation, node: EditorNode): string {
	if (answer.plan !== undefined) {
		return `${answer.plan} ${node._("solar-yield-v1.move.web_app")}`;
	}
	const key = answer.removed > 0 ? "created_cleaned" : "created";
	return node._(`solar-yield-v1.move.${key}`, {
		id: answer.site_id,
		count: answer.removed,
	});
}

/**
 * Readies the part that shows the site of a set of parameters and creates it.
 *
 * @param set the parameters as they stand in the dialog
 */
export function prepareMove(node: EditorNode, set: () => object): void {
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
				showPlan(move, node);
				note(created, "");
				button.prop("disabled", false);
				part("site-name").val($("#node-input-name").val() as string);
				moved.show();
				// It lies below what is on show.
				moved[0]?.scrollIntoView({ block: "start" });
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
