import { isBlank } from "../../../src/util/guards";

/** Percent of a round trip that a flow has as a number up to 1; what is no number as it is. */
export function percentText(fraction: unknown): string {
	if (isBlank(fraction)) return "";
	const number = Number(fraction);
	return Number.isNaN(number)
		? String(fraction)
		: String(Number((number * 100).toPrecision(12)));
}

/** The other way round. Up to 1 it can only be meant as the number itself: no battery gives back 1 %. */
export function fractionText(percent: unknown): string {
	if (isBlank(percent)) return "";
	const number = Number(percent);
	if (Number.isNaN(number)) return String(percent).trim();
	return String(number > 1 ? Number((number / 100).toPrecision(12)) : number);
}
