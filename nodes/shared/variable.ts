/**
 * The environment variable that stands for a whole property: `${NAME}`, or `$(NAME)` as in old
 * flows. Node-RED puts its value in place of it before a node starts, and leaves the
 * text where it is not set.
 */
export function variableOf(text: unknown): string | undefined {
	if (typeof text !== "string") return undefined;
	const [, name, old] = /^\$(?:\{(\S+)\}|\((\S+)\))$/.exec(text.trim()) ?? [];
	return name ?? old;
}
