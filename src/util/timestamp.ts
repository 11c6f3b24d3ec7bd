import { readStamp } from "./zone";

export { dateDay, dateText, utcText } from "./time";
export { isPossible, readHttpDate, readInstant } from "./zone";

export function readWallClock(text: string): number {
	const { ms, offset } = readStamp(text);
	return Number.isNaN(offset) ? ms : Number.NaN;
}
export const readDate = (text: string): number =>
	readWallClock(`${text.slice(0, 10)}T00:00`);
