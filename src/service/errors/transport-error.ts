import { timeText } from "../../util/time-text";
import { type ErrorKind, SolarYieldError } from "./solar-yield-error";

/** Meaning of error codes of the network and of axios; the first match counts. */
const FAULTS: readonly (readonly [
	code: RegExp,
	kind: ErrorKind,
	what: string,
	advice: string,
])[] = [
	[
		/^(ENOTFOUND|EAI_AGAIN)$/,
		"NETWORK",
		"is a name that nobody knows",
		"check the base URL and the network",
	],
	[
		/^ECONNREFUSED$/,
		"NETWORK",
		"refuses connections",
		"check the base URL and its port",
	],
	[
		/^(ENETUNREACH|EHOSTUNREACH|EADDRNOTAVAIL)$/,
		"NETWORK",
		"cannot be reached",
		"check the network",
	],
	[
		/^CERT_(NOT_YET_VALID|HAS_EXPIRED)$/,
		"NETWORK",
		"has a certificate that is not valid at this machine's time, {now}",
		"check this machine's clock first, then the certificate",
	],
	[
		/CERT|SIGNATURE|ALTNAME/,
		"NETWORK",
		"has a certificate that is not trusted",
		"for a private authority set NODE_EXTRA_CA_CERTS",
	],
	[
		/^EPROTO$|SSL/,
		"NETWORK",
		"does not speak https",
		"check whether the base URL begins with http or https as the service does",
	],
	[
		/^ERR_(FR_|INVALID_URL)/,
		"NETWORK",
		"redirects without end, or to no address",
		"check the base URL of the account",
	],
	[
		/^(ETIMEDOUT|ECONNABORTED)$/,
		"TIMEOUT",
		"did not answer in time",
		"check the network and the base URL",
	],
	[
		/^ERR_CANCELED$/,
		"NETWORK",
		"is no longer waited for",
		"nothing needs to be done",
	],
	[
		/^(Z_|ERR__ERROR_|HPE_(?!INVALID_EOF))/,
		"RESPONSE",
		"sent an answer that cannot be read",
		"check whether the base URL begins with http or https as the service does",
	],
	[
		/^ERR_BAD_RESPONSE$/,
		"NETWORK",
		"broke off in the middle of its answer",
		"nothing needs to be done if it is rare",
	],
	[
		/^/,
		"NETWORK",
		"broke the connection",
		"nothing needs to be done if it is rare",
	],
];

/** The error for an answer that is larger than what is read. */
export const tooLarge = (): SolarYieldError =>
	new SolarYieldError(
		"RESPONSE",
		"The service's answer is over 16 MB and was refused; ask for fewer days or groups, or tell the service",
	);

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
	const [, kind, what, advice] = FAULTS.find(([pattern]) =>
		pattern.test(name),
	) as (typeof FAULTS)[number];
	const said = what.replace("{now}", () =>
		timeText(Date.now(), { withYear: true }),
	);
	return new SolarYieldError(kind, `${host} ${said} (${name}); ${advice}`, {
		detail: name,
	});
}
