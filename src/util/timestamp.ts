import { readStamp } from "./time";

export { dateDay, dateText, isPossible, readInstant, utcText } from "./time";

export function readWallClock(text: string): number {
	const { ms, offset } = readStamp(text);
	return Number.isNaN(offset) ? ms : Number.NaN;
}
