import { SolarYieldError } from "../../../src/service/errors/solar-yield-error";
import { httpExchange } from "../../../src/service/http/axios-exchange";

/** Asks the service at an address by the way that the environment names, and prints what came of it. */
const [, , base = "", key = ""] = process.argv;
httpExchange(
	base,
	key,
)({ method: "GET", path: "/v2/sites/" }).then(
	({ status, body }) => console.log(JSON.stringify({ status, body })),
	(error) =>
		console.log(
			JSON.stringify(
				error instanceof SolarYieldError
					? { kind: error.kind, message: error.message }
					: { message: "no error of ours" },
			),
		),
);
