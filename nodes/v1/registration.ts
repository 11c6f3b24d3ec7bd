import { editorLanguage } from "../shared/editor-language";
import { get, post, type RegisteredType } from "../shared/registered-type";

type V1Code = typeof import("./admin-handlers") & typeof import("./node");

/** V1's entry in the table of `nodes/registration.ts`; loaded before the first use, as that is. */
export const v1Type: RegisteredType<V1Code> = {
	open: ({ openV1 }) => openV1,
	// Users who may only read do not see the values of environment variables.
	routes: [
		get("v1/parameters", ({ v1Table }) => v1Table()),
		...(["check", "move", "create-site"] as const).map((action) =>
			post<V1Code>(`v1/${action}`, ({ V1_ACTIONS }, RED, request) =>
				V1_ACTIONS[action](RED, request.body ?? {}, editorLanguage(request)),
			),
		),
	],
};
