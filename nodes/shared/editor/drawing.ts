type Add = (
	name: string,
	attributes: Readonly<Record<string, string | number>>,
	text?: string,
) => Element;

/** Adds elements to an SVG drawing, and returns them: name, attributes, text. */
export const drawingIn =
	(svg: Element): Add =>
	(name, attributes, text = "") => {
		const shape = document.createElementNS(svg.namespaceURI, name);
		for (const [key, value] of Object.entries(attributes)) {
			shape.setAttribute(key, String(value));
		}
		shape.textContent = text;
		svg.append(shape);
		return shape;
	};
