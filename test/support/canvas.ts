import type { Page } from "playwright-core";

/** What runs in the page is not of this program's types. */
type Loose = any;

/**
 * What is wrong with where a flow's things are on the editor's canvas: what is out
 * of sight, and what lies or runs over something else.
 */
export function misdrawn(page: Page): Promise<string[]> {
	return page.evaluate(() => {
		const { document, DOMPoint, RED } = globalThis as Loose;
		interface Box {
			readonly what: string;
			/** The node that it belongs to. */
			readonly owner: string;
			readonly left: number;
			readonly right: number;
			readonly top: number;
			readonly bottom: number;
		}
		const found: string[] = [];
		/** Whether the canvas lies there in sight: in Node-RED 5 it goes on below the sidebar. */
		const isSeen = (x: number, y: number) =>
			document.elementFromPoint(x, y)?.closest("#red-ui-workspace-chart");

		const boxes: Box[] = [];
		const add = (what: string, owner: string, element: Loose) => {
			const { left, right, top, bottom } = element.getBoundingClientRect();
			if (right > left) boxes.push({ what, owner, left, right, top, bottom });
		};
		const nameOf = (id: string): string => {
			const node = RED.nodes.node(id);
			// A junction is no node.
			return node
				? `"${RED.utils.getNodeLabel(node, node.type)}"`
				: "a junction";
		};
		for (const group of document.querySelectorAll(".red-ui-flow-node-group")) {
			const { id } = group;
			const name = nameOf(id);
			const frame = group.querySelector(".red-ui-flow-node");
			add(name, id, frame);
			for (const button of group.querySelectorAll(".red-ui-flow-node-button")) {
				add(`the button of ${name}`, id, button);
			}
			const status = group.querySelector(".red-ui-flow-node-status-group");
			if (status && status.style.display !== "none") {
				add(`the status of ${name}`, id, status);
			}
			const inside = frame.getBoundingClientRect();
			const label = group.querySelector(".red-ui-flow-node-label");
			const text = label?.getBoundingClientRect();
			if (text && (text.left < inside.left || text.right > inside.right)) {
				found.push(`the label of ${name} leaves its node`);
			}
		}
		for (const { what, left, right, top, bottom } of boxes) {
			if (!isSeen(left, top) || !isSeen(right, bottom)) {
				found.push(`${what} is out of sight`);
			}
		}
		for (const [index, one] of boxes.entries()) {
			for (const other of boxes.slice(index + 1)) {
				if (one.owner === other.owner) continue;
				const across =
					Math.min(one.right, other.right) - Math.max(one.left, other.left);
				const down =
					Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
				if (across > 0 && down > 0) {
					found.push(`${one.what} lies on ${other.what}`);
				}
			}
		}

		for (const group of document.querySelectorAll(".red-ui-flow-link")) {
			const { source, target } = group.__data__;
			const path = group.querySelector(".red-ui-flow-link-line");
			const toScreen = path.getScreenCTM();
			const length = path.getTotalLength();
			const points = Array.from({ length: 101 }, (_, index) =>
				DOMPoint.fromPoint(
					path.getPointAtLength((index / 100) * length),
				).matrixTransform(toScreen),
			);
			for (const box of boxes) {
				const isEnd = [source.id, target.id].includes(box.owner);
				if (isEnd && !box.what.startsWith("the status")) continue;
				const isTouched = points.some(
					({ x, y }: Loose) =>
						x > box.left && x < box.right && y > box.top && y < box.bottom,
				);
				if (isTouched) {
					const ends = [source.id, target.id].map(nameOf).join(" to ");
					found.push(`the wire from ${ends} runs over ${box.what}`);
				}
			}
		}
		return found;
	});
}
