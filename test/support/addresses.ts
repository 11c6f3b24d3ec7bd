import dns from "node:dns";
import { isIP } from "node:net";

const { lookup } = dns;

/** Lets every name stand for these addresses, until `resolveAsBefore`. */
export function resolveTo(...addresses: string[]): void {
	const all = addresses.map((address) => ({ address, family: isIP(address) }));
	dns.lookup = ((_name: string, options: any, done: any) =>
		process.nextTick(() =>
			options.all
				? done(null, all)
				: done(null, all[0]?.address, all[0]?.family),
		)) as any;
}

export function resolveAsBefore(): void {
	dns.lookup = lookup;
}
