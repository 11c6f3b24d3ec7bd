import { newAccountMemory } from "../../src/polling/memory/memory";
import { AccountFiles } from "../../src/polling/storage/account-files";

/**
 * A process that saves without end until it is killed: folder and key as
 * arguments. It says so when its first forecast is on disk.
 */
async function main(): Promise<void> {
	const [folder, apiKey] = process.argv.slice(2) as [string, string];
	const store = new AccountFiles(folder, "http://127.0.0.1", apiKey);
	const loaded = (await store.accountStore.load()) ?? newAccountMemory();
	for (let count = 1; ; count += 1) {
		const memory = { ...loaded, own: { ...loaded.own, forecast: count } };
		const padding = String(count % 10).repeat(1_500_000);
		await Promise.all([
			store.accountStore.save(memory),
			store.answerStore("site-1").save({
				head: {
					key: "site-1",
					system: null,
					answeredAt: count,
					computedAt: count,
					nextPollAt: null,
					pastDays: 0,
					include: ["all"],
					siteZone: null,
					settled: [],
				},
				body: JSON.stringify({ count, padding }),
			}),
		]);
		if (count === 1) process.send?.("ready");
	}
}

void main();
