import type { Page } from "playwright-core";

/** What runs in the page is not of this program's types. */
type Loose = any;

/**
 * What is wrong with where a flow's things are on the editor's canvas: what is out
 * of sight, what lies on something else, and wires that cross.
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
		interface Wire {
			readonly what: string;
			readonly from: string;
			readonly to: string;
			readonly points: readonly (readonly [number, number])[];
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

		const wires: Wire[] = [];
		for (const group of document.querySelectorAll(".red-ui-flow-link")) {
			const { source, sourcePort, target } = group.__data__;
			const path = group.querySelector(".red-ui-flow-link-line");
			const toScreen = path.getScreenCTM();
			const length = path.getTotalLength();
			const points = Array.from({ length: 101 }, (_, index) => {
				const { x, y } = path.getPointAtLength((index / 100) * length);
				const at = new DOMPoint(x, y).matrixTransform(toScreen);
				return [at.x, at.y] as const;
			});
			wires.push({
				what: `the wire from ${nameOf(source.id)} to ${nameOf(target.id)}`,
				from: `${source.id} ${sourcePort}`,
				to: target.id,
				points,
			});
		}
		for (const { what, from, to, points } of wires) {
			const [source] = from.split(" ");
			for (const box of boxes) {
				const isEnd = box.owner === source || box.owner === to;
				if (isEnd && !box.what.startsWith("the status")) continue;
				const isTouched = points.some(
					([x, y]) =>
						x > box.left && x < box.right && y > box.top && y < box.bottom,
				);
				if (isTouched) found.push(`${what} runs over ${box.what}`);
			}
		}
		type Point = readonly [number, number];
		const side = (a: Point, b: Point, c: Point) =>
			Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
		const cross = (a: Point, b: Point, c: Point, d: Point) =>
			side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
		for (const [index, one] of wires.entries()) {
			for (const other of wires.slice(index + 1)) {
				// Wires of one port leave together, those to one node come together.
				if (one.from === other.from || one.to === other.to) continue;
				const isCrossed = one.points.some((point, at) => {
					const next = one.points[at + 1];
					return (
						next &&
						other.points.some((start, from) => {
							const end = other.points[from + 1];
							return end && cross(point, next, start, end);
						})
					);
				});
				if (isCrossed) found.push(`${one.what} crosses ${other.what}`);
			}
		}
		return found;
	});
}
