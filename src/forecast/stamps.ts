import { utcText } from "../util/time";
import type { Zone } from "../util/zone";

export class StampWriter {
	constructor(
		readonly zone: Zone,
		readonly stampZone: "local" | "utc",
	) {}
	write(instant: number): string {
		return this.stampZone === "utc"
			? utcText(instant)
			: this.zone.format(instant);
	}
}
