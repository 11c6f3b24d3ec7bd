import type { Exchange } from "../service/http/exchange";
import type { Text } from "../texts/texts";
import { type Clock, systemClock } from "../util/clock";
import { Hub } from "./hub";
import { AccountFiles } from "./storage/account-files";

const hubs = new Map<string, Hub>();
let clock = systemClock;

/** Sets the clock of the hubs that are made from now on, so that tests need not wait. */
export function useClock(other: Clock): void {
	clock = other;
}

/** Resolves when no hub is at work, so that tests need not guess how long. */
export async function hubsIdle(): Promise<void> {
	for (const hub of hubs.values()) await hub.idle();
}

/**
 * The hub of a base URL and key: one in the process, however many config nodes,
 * tabs or subflow instances name it (behaviour: One request per new forecast). It lives as long as the
 * process, so that a request under way outlives a deploy; without subscribers
 * it does nothing.
 *
 * @param folder where memory is kept: `solar-yield/` under the user directory
 * @param exchange makes the wire when the hub is new
 */
export function hubFor(
	folder: string,
	baseUrl: string,
	apiKey: string,
	exchange: () => Exchange,
	report: (text: Text) => void,
): Hub {
	const name = JSON.stringify([folder, baseUrl, apiKey]);
	let hub = hubs.get(name);
	if (!hub) {
		const files = new AccountFiles(folder, baseUrl, apiKey, report);
		hub = new Hub(exchange(), files, clock, report);
		hubs.set(name, hub);
	}
	return hub;
}
