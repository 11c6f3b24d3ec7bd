import type { Node, NodeAPI } from "node-red";
import type { ExportConfig } from "../src/runtime/export";

export = (RED: NodeAPI): void => {
	function Export(this: Node, config: ExportConfig): void {
		RED.nodes.createNode(this, config);
		const { openExport } =
			require("../src/runtime/export") as typeof import("../src/runtime/export");
		openExport(RED, this, config);
	}
	RED.nodes.registerType("solar-yield-export", Export, {
		settings: {
			solarYieldExportFormats: {
				exportable: true,
				/** The table of formats, for the dialog; made when an editor opens. */
				get value() {
					const { formatTable } =
						require("../src/runtime/export-dialog") as typeof import("../src/runtime/export-dialog");
					return formatTable();
				},
			},
		},
	});
};
