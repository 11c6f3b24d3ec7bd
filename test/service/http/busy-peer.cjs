// An HTTP server that hands on what it is asked (or answers "slow"), and that takes no
// connection for as many ms as it is told: the system then lets further ones wait
// without an answer.
const { createServer, request } = require("node:http");

const [, , to] = process.argv;
const server = createServer((asked, response) => {
	if (!to) return response.end("slow");
	const { method, headers, url } = asked;
	const handedOn = request(`${to}${url}`, { method, headers }, (answer) => {
		response.writeHead(answer.statusCode, answer.headers);
		answer.pipe(response);
	});
	asked.pipe(handedOn);
});
server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () =>
	process.send(server.address().port),
);
process.on("message", (ms) => {
	process.send("held", () => {
		const until = Date.now() + ms;
		while (Date.now() < until);
	});
});
