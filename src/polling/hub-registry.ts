import { createHash } from "node:crypto";
import type { Exchange } from "../service/http/exchange";
import { type Clock, systemClock } from "../util/clock";
import { Hub } from "./hub";
import { AccountFiles, type ReportFault } from "./storage/account-files";

/** What makes two accounts one: where memory is kept, the service, and the key. */
interface HubIdentity {
	/** `solar-yield/` under the user directory. */
	readonly folder: string;
	readonly baseUrl: string;
	readonly apiKey: string;
}

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
 * @param exchange makes the wire when the hub is new
 */
export function hubFor(
	{ folder, baseUrl, apiKey }: HubIdentity,
	exchange: () => Exchange,
	report: ReportFault,
): Hub {
	const name = createHash("sha256")
		.update(JSON.stringify([folder, baseUrl, apiKey]))
		.digest("hex");
	let hub = hubs.get(name);
	if (!hub) {
		hub = new Hub(
			exchange(),
			new AccountFiles(folder, baseUrl, apiKey, report),
			clock,
			report,
		);
		hubs.set(name, hub);
	}
	return hub;
}
