import type { Forecast } from "../../src/forecast/forecast";
import type {
	Outputs,
	SolarMessage,
} from "../../src/messages/forecast-messages";
import { yieldToEventLoop } from "../../src/util/yield-to-event-loop";

/** Approximate length of a row in an answer, characters. */
const ROW_LENGTH = 100;

/**
 * Sends messages one by one: of several in one call Node-RED would clone all but the
 * first, which is needless since each has objects of its own. Between those of a
 * large forecast other flows may run. Those of an output without a wire are not made.
 *
 * @param wires ids of the nodes behind each output
 * @param finish what is still to be done to a message
 */
export async function sendEach(
	send: (messages: unknown) => void,
	wires: readonly (readonly string[])[],
	{ values, strings = [], daily }: Forecast,
	outputs: Outputs,
	finish: (message: SolarMessage) => object,
): Promise<void> {
	const rows = (values.rows.length + daily.length) * (1 + strings.length);
	const length = rows * ROW_LENGTH;
	for (const [port, messages] of outputs.entries()) {
		if (!wires[port]?.length) continue;
		for (const message of messages) {
			const ports: unknown[] = outputs.map(() => null);
			ports[port] = finish(message);
			send(ports);
			await yieldToEventLoop(length);
		}
	}
}
