// A proxy in a process of its own: it hands requests on and makes tunnels, wants a
// name and a password where it is told some, and tells what it hears.
const { createServer, request } = require("node:http");
const { connect } = require("node:net");

const [, , credentials] = process.argv;
const isKnown = (headers) =>
	!credentials ||
	headers["proxy-authorization"] ===
		`Basic ${Buffer.from(credentials).toString("base64")}`;
const server = createServer((asked, response) => {
	const { method, headers, url } = asked;
	process.send({ heard: `${method} ${url}` });
	if (!isKnown(headers)) return response.writeHead(407).end("who are you?");
	const { "proxy-authorization": _, ...others } = headers;
	const handedOn = request(url, { method, headers: others }, (answer) => {
		response.writeHead(answer.statusCode, answer.headers);
		answer.pipe(response);
	});
	asked.pipe(handedOn);
});
server.on("connect", ({ headers, url }, socket) => {
	process.send({ heard: `CONNECT ${url}` });
	socket.on("error", () => {});
	if (!isKnown(headers)) {
		return socket.end("HTTP/1.1 407 Who are you\r\nContent-Length: 0\r\n\r\n");
	}
	const { hostname, port } = new URL(`http://${url}`);
	const through = connect(Number(port), hostname, () => {
		socket.write("HTTP/1.1 200 Connected\r\n\r\n");
		socket.pipe(through).pipe(socket);
	}).on("error", () => socket.destroy());
	socket.on("data", (bytes) =>
		process.send({ passed: bytes.toString("latin1") }),
	);
});
server.listen(0, "127.0.0.1", () =>
	process.send({ port: server.address().port }),
);
