import { registration, TYPES } from "../../nodes/registration";

/** A route that the package adds to the editor's, as Node-RED is given it. */
export interface Route {
	readonly method: "GET" | "POST";
	/** Below `/solar-yield/`. */
	readonly path: string;
	readonly permission: string;
	/** The guard, where there is one, and what answers. */
	readonly handlers: readonly ((...args: any[]) => void)[];
}

/** All routes; `RED` is what else their answers need. */
export function routesOf(RED: object = {}): Route[] {
	const routes: Route[] = [];
	const note =
		(method: Route["method"]) =>
		(path: string, permission: string, ...handlers: Route["handlers"][]) => {
			routes.push({
				method,
				path: path.replace("/solar-yield/", ""),
				permission,
				handlers: handlers as never,
			});
		};
	for (const type of TYPES) {
		registration(type)({
			nodes: { registerType: () => {} },
			auth: { needsPermission: (name: string) => name },
			httpAdmin: { get: note("GET"), post: note("POST") },
			...RED,
		} as never);
	}
	return routes;
}
