import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { until } from "../support/broker";
import { Collector } from "../support/collector";
import { needs } from "../support/needs";
import { installedUserDir, NodeRed, ROOT } from "../support/node-red-process";
import { linkPackage, packageFolder } from "../support/packages";
import { earlyInHour, type ShiftedClock } from "../support/shifted-clock";

type Message = Record<string, any>;

const PACKAGE = "node-red-contrib-influxdb";
const EXAMPLES = join(ROOT, "examples/19 - InfluxDB");
const EXAMPLE = join(EXAMPLES, "InfluxDB.json");

/** What InfluxDB answers to the query of measured power: a value in 5 minutes. */
function measured(): string {
	const rows = [
		"#datatype,string,long,dateTime:RFC3339,double",
		"#group,false,false,false,false",
		"#default,_result,,,",
		",result,table,_time,_value",
	];
	const start = Math.floor(Date.now() / 86_400_000 - 3) * 86_400_000;
	for (let time = start; time < start + 2 * 86_400_000; time += 300_000) {
		rows.push(`,,0,${new Date(time).toISOString()},1000`);
	}
	return `${rows.join("\r\n")}\r\n\r\n`;
}

describe("the nodes of InfluxDB", () => {
	let red: NodeRed | undefined;
	let clock: ShiftedClock;
	let server: Server;
	/** What a database was told: path with query, and the lines. */
	const written: { url: string; lines: string[] }[] = [];

	before(async function () {
		this.timeout(180_000);
		const folder = packageFolder(PACKAGE) ?? "";
		needs(this, folder ? "" : `${PACKAGE} is not installed`);
		server = createServer((request, response) => {
			const chunks: Buffer[] = [];
			request.on("data", (chunk) => chunks.push(chunk));
			request.on("end", () => {
				const body = Buffer.concat(chunks);
				const isZipped = request.headers["content-encoding"] === "gzip";
				const text = (isZipped ? gunzipSync(body) : body).toString();
				if (request.url?.includes("/query")) {
					response.setHeader("content-type", "text/csv");
					response.end(measured());
					return;
				}
				written.push({ url: request.url ?? "", lines: text.split("\n") });
				response.writeHead(204).end();
			});
		});
		await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
		const userDir = installedUserDir();
		linkPackage(userDir, PACKAGE, folder);
		clock = earlyInHour();
		red = new NodeRed(userDir, clock.env);
		await red.start([]);
	});
	after(async () => {
		await red?.stop();
		server?.closeAllConnections();
		server?.close();
	});

	it("writes the example's points: of the site and each string, of what is to come", async () => {
		const { port } = server.address() as AddressInfo;
		const flow: Message[] = JSON.parse(readFileSync(EXAMPLE, "utf8"));
		const nodes = flow.map(({ d: _disabled, ...node }) =>
			node.type === "influxdb"
				? { ...node, url: `http://127.0.0.1:${port}` }
				: node,
		);
		const asked = clock.now();
		await red?.deploy(nodes, {
			"solar-yield-demo-influxdb": { token: "a-token-of-the-test" },
		});
		// The client of the node writes a thousand lines at once, and the requests
		// may arrive in any order: all are here when each series is whole.
		const countOf = (tag: RegExp) =>
			written.flatMap(({ lines }) => lines).filter((line) => tag.test(line))
				.length;
		await until("the last points", () => {
			const east = countOf(/string=str_demo_east/);
			return (
				written.some(({ lines }) => lines.length % 1000 > 0) &&
				countOf(/string=str_demo_west/) === east &&
				countOf(/^(?!.*string=)/) === east
			);
		});
		const url = written[0]?.url ?? "";
		const lines = written.flatMap((each) => each.lines);
		assert.match(url, /^\/api\/v2\/write\?.*bucket=solar/);
		assert.match(url, /precision=ms/);
		const points = lines.map((line) => {
			const [, tags = "", fields = "", time = ""] =
				/^pv_forecast,(\S+) (\S+) (\d+)$/.exec(line) ?? assert.fail(line);
			const pairs = (text: string) =>
				Object.fromEntries(text.split(",").map((pair) => pair.split("=")));
			return {
				tags: pairs(tags),
				fields: pairs(fields),
				time: Number(time),
			};
		});
		const of = (string: string | undefined) =>
			points.filter(({ tags }) => tags.string === string);
		assert.ok(of(undefined).length > 96);
		assert.equal(of("str_demo_east").length, of(undefined).length);
		assert.equal(of("str_demo_west").length, of(undefined).length);
		assert.ok(points.every(({ tags }) => tags.site === "demo-site_demo"));
		assert.ok(points.every(({ time }) => time > asked && time % 900_000 === 0));
		for (const field of ["power_w", "power_clearsky_w", "temp"]) {
			assert.ok(
				Number.isFinite(Number(of(undefined)[0]?.fields[field])),
				field,
			);
		}
	}).timeout(40_000);

	it("measured power of the example's query teaches, as rows of time and power", async () => {
		const { port } = server.address() as AddressInfo;
		const flow: Message[] = JSON.parse(
			readFileSync(join(EXAMPLES, "Learn from InfluxDB.json"), "utf8"),
		);
		const collector = new Collector();
		await collector.start();
		const { entry, nodes } = collector.nodes("learned", "syli-tab");
		const caught = collector.nodes("errors", "syli-tab");
		try {
			await red?.deploy(
				[
					...flow.map(({ d: _disabled, ...node }) => ({
						...node,
						...(node.type === "influxdb" && {
							url: `http://127.0.0.1:${port}`,
						}),
						...(node.id === "syli-learn" && { wires: [[], [entry]] }),
						...(node.id === "syli-catch" && { wires: [[caught.entry]] }),
					})),
					...nodes,
					...caught.nodes,
					{
						id: "syli-export",
						type: "inject",
						z: "syli-tab",
						props: [{ p: "operation", v: "export", vt: "str" }],
						repeat: "",
						once: false,
						wires: [["syli-learn"]],
					},
				] as never,
				{ "syli-server": { token: "no-real-token" } } as never,
			);
			const days = async (): Promise<Message[]> => {
				await red?.inject("syli-export");
				const last = collector.of("learned").at(-1);
				const { meters } = JSON.parse(last?.payload ?? '{"meters":[]}');
				return meters[0]?.days ?? [];
			};
			const quarters = async () =>
				(await days()).flatMap(({ read, covered }) =>
					read.filter(
						(watts: number, quarter: number) =>
							covered[quarter] > 0.9 &&
							Math.abs(watts / covered[quarter] - 1000) < 1,
					),
				).length;
			await red?.inject("syli-inject-past");
			await until("archived forecasts", async () =>
				(await days()).some(({ foreseen }) => foreseen.some(Number)),
			);
			await red?.inject("syli-inject-measured");
			await until("two days of power", async () => (await quarters()) > 180);
			assert.deepEqual(
				collector.of("errors").map(({ error }) => error.message),
				[],
			);
		} finally {
			await collector.stop();
		}
	}).timeout(60_000);
});
