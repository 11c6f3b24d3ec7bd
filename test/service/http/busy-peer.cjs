// An HTTP server that answers "slow", and that, once told to hold, takes no connection
// for a while: the system then lets further ones wait without an answer.
const server = require("node:http").createServer((_request, response) =>
	response.end("slow"),
);
server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () =>
	process.send(server.address().port),
);
process.on("message", () => {
	process.send("held", () => {
		const until = Date.now() + 900;
		while (Date.now() < until);
	});
});
