import type { Node, NodeAPI } from "node-red";
import type { ExportConfig } from "./node";

export = (RED: NodeAPI): void => {
	function Export(this: Node, config: ExportConfig): void {
		RED.nodes.createNode(this, config);
		const { openExport } = require("./node") as typeof import("./node");
		openExport(RED, this, config);
	}
	RED.nodes.registerType("solar-yield-export", Export, {
		settings: {
			solarYieldExportFormats: {
				exportable: true,
				/** The table of formats, for the dialog; made when an editor opens. */
				get value() {
					const { formatTable } = require("./node") as typeof import("./node");
					return formatTable();
				},
			},
		},
	});
};
