import { Hub } from "../../src/polling/hub";
import { siteSource } from "../../src/polling/source/source";
import { AccountFiles } from "../../src/polling/storage/account-files";
import { httpExchange } from "../../src/service/http/axios-exchange";
import { fastClock } from "./fast-clock";
import { ACCOUNT, KEY, Listener, SITE } from "./house";

/**
 * A process that polls on a clock that runs fast: folder, base URL and the
 * clock's beginning as arguments. It tells its parent of each forecast.
 */
async function main(): Promise<void> {
	const [folder, url, begin] = process.argv.slice(2) as [
		string,
		string,
		string,
	];
	const clock = fastClock(Number(begin));
	const store = new AccountFiles(folder, url, KEY, (text) =>
		process.send?.({ text }),
	);
	const hub = new Hub(httpExchange(url, KEY), store, clock);
	const listener = new Listener(clock.now);
	listener.onForecast = ({ forecast }, cached) =>
		process.send?.({ computedAt: forecast.computed_at, cached });
	await hub.setAccount("account", ACCOUNT);
	hub.subscribe(siteSource(SITE), listener);
	await hub.start();
}

process.on("unhandledRejection", (error) => {
	process.send?.({ text: String(error) });
});
void main();
