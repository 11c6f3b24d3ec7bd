import { BlockList, isIP } from "node:net";
import { SolarYieldError } from "../errors/solar-yield-error";

/** A proxy as the HTTP library takes it. */
export interface ProxyAddress {
	readonly protocol: string;
	readonly host: string;
	readonly port: number;
	readonly auth?: { readonly username: string; readonly password: string };
}

/** Value of an environment variable in small or, where it is not set so, in large letters. */
const variable = (name: string) =>
	process.env[name] || process.env[name.toUpperCase()] || "";

const DEFAULT_PORTS: Readonly<Record<string, string>> = {
	"http:": "80",
	"https:": "443",
};
const withoutBrackets = (host: string) => host.replace(/^\[|\]$/g, "");

/** Whether an address lies in a network as `192.168.0.0/16`. */
function isInNetwork(host: string, network: string): boolean {
	const [address = "", length = ""] = network.split("/");
	const family = isIP(address);
	if (family === 0 || family !== isIP(host) || !/^\d{1,3}$/.test(length)) {
		return false;
	}
	if (Number(length) > (family === 6 ? 128 : 32)) return false;
	const list = new BlockList();
	const type = family === 6 ? "ipv6" : "ipv4";
	list.addSubnet(address, Number(length), type);
	return list.check(host, type);
}

/**
 * Whether an entry of `NO_PROXY` is about an address: a host, with a port or without,
 * a domain (`.example.org`, `*.example.org`), a network, or `*`.
 */
function excepts(entry: string, url: URL): boolean {
	const host = withoutBrackets(url.hostname);
	if (entry.includes("/")) return isInNetwork(host, withoutBrackets(entry));
	const [, name = "", port] =
		isIP(entry) === 6
			? [entry, entry]
			: (/^(.*?)(?::(\d+))?$/.exec(entry) ?? []);
	if (port && port !== (url.port || DEFAULT_PORTS[url.protocol])) return false;
	const suffix = name.replace(/^\*/, "");
	return suffix !== name || name.startsWith(".")
		? host.endsWith(suffix)
		: host === withoutBrackets(name);
}

/** User name or password as it was meant; a text that is no percent-encoding stands for itself. */
function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/**
 * The proxy that the environment names for an address: `HTTP_PROXY`, `HTTPS_PROXY`
 * or `ALL_PROXY` in small or large letters, unless `NO_PROXY` excepts it. A proxy
 * without a protocol is one of http. (The HTTP library finds proxies by itself, but
 * hands user and password on as they are written, percent-encoded.)
 *
 * @returns false when the request goes there straight
 * @throws SolarYieldError `NETWORK` when the variable names no proxy that can be used
 */
export function proxyFor(url: URL): ProxyAddress | false {
	const scheme = url.protocol.slice(0, -1);
	const text = variable(`${scheme}_proxy`) || variable("all_proxy");
	const exceptions = variable("no_proxy")
		.toLowerCase()
		.split(/[\s,]+/);
	if (!text || exceptions.some((it) => it !== "" && excepts(it, url))) {
		return false;
	}
	let proxy: URL | undefined;
	try {
		proxy = new URL(text.includes("://") ? text : `http://${text}`);
	} catch {}
	if (!proxy || !/^https?:$/.test(proxy.protocol)) {
		throw new SolarYieldError("NETWORK", "proxy.unusable", {
			scheme,
			variable: `${scheme.toUpperCase()}_PROXY`,
		});
	}
	const { protocol, hostname, port, username, password } = proxy;
	return {
		protocol: protocol.slice(0, -1),
		host: withoutBrackets(hostname),
		port: Number(port || DEFAULT_PORTS[protocol]),
		...((username || password) && {
			auth: { username: decoded(username), password: decoded(password) },
		}),
	};
}
