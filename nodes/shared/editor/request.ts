import { EDITOR_HEADER } from "../editor-header";
import { say } from "./words";

/**
 * Asks Node-RED's own server, by an address relative to the editor's.
 *
 * @returns rejects with an error that says what to do
 */
export function request<Answer>(
	method: "GET" | "POST",
	path: string,
	body?: object,
): Promise<Answer> {
	return new Promise((resolve, reject) => {
		$.ajax({
			method,
			url: `solar-yield/${path}`,
			dataType: "json",
			headers: { [EDITOR_HEADER]: RED.i18n.lang() },
			...(body && {
				contentType: "application/json",
				data: JSON.stringify(body),
			}),
		})
			.done(resolve)
			.fail((answer) => reject(new Error(failureText(answer))));
	});
}

function failureText({ status, responseJSON }: JQuery.jqXHR): string {
	if (responseJSON?.code) return responseJSON.message;
	if (status === 401 || status === 403) return say("common.failure.forbidden");
	if (status === 404) return say("common.failure.not_deployed");
	if (status === 0) return say("common.failure.unreachable");
	return say("common.failure.other", { status });
}
