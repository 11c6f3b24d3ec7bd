import { type ErrorKind, SolarYieldError } from "./solar-yield-error";

/** Meaning of error codes of the network and of axios; the first match counts. */
const FAULTS: readonly (readonly [
	code: RegExp,
	kind: ErrorKind,
	key: string,
])[] = [
	[/^(ENOTFOUND|EAI_AGAIN)$/, "NETWORK", "transport.unknown_name"],
	[/^ECONNREFUSED$/, "NETWORK", "transport.no_connections"],
	[
		/^(ENETUNREACH|EHOSTUNREACH|EADDRNOTAVAIL)$/,
		"NETWORK",
		"transport.unreachable",
	],
	[
		/^CERT_(NOT_YET_VALID|HAS_EXPIRED)$/,
		"NETWORK",
		"transport.certificate_time",
	],
	[/CERT|SIGNATURE|ALTNAME/, "NETWORK", "transport.certificate"],
	[/^EPROTO$|SSL/, "NETWORK", "transport.no_https"],
	[/^ERR_(FR_|INVALID_URL)/, "NETWORK", "transport.redirects_nowhere"],
	[/^(ETIMEDOUT|ECONNABORTED)$/, "TIMEOUT", "transport.no_answer_in_time"],
	[/^(Z_|ERR__ERROR_|HPE_(?!INVALID_EOF))/, "RESPONSE", "transport.unreadable"],
	[/^ERR_BAD_RESPONSE$/, "NETWORK", "transport.broke_off"],
	[/^/, "NETWORK", "transport.broke_connection"],
];

/** The error for an answer that is larger than what is read. */
export const tooLarge = (): SolarYieldError =>
	new SolarYieldError("RESPONSE", "service.too_large");

/**
 * The error for an exchange without an answer. Of what the HTTP library threw only
 * its code is taken over.
 *
 * @param host of the service, for the message
 */
export function transportError(error: unknown, host: string): SolarYieldError {
	for (let own = error; own instanceof Error; own = own.cause) {
		if (own instanceof SolarYieldError) return own;
	}
	const { code, message } = error as { code?: unknown; message?: unknown };
	// An answer that ends too early: Node.js gives it the code of a reset connection.
	const isCut = code === "ECONNRESET" && message === "aborted";
	const name = isCut
		? "ERR_BAD_RESPONSE"
		: typeof code === "string"
			? code
			: "no code";
	const [, kind, key] = FAULTS.find(([pattern]) =>
		pattern.test(name),
	) as (typeof FAULTS)[number];
	return new SolarYieldError(
		kind,
		key,
		{ host, code: name, now: { at: Date.now(), withYear: true } },
		{ detail: name },
	);
}
