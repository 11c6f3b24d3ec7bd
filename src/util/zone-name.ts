import { Zone } from "./zone";
export const isZoneName = (text: string): boolean =>
	Zone.of(text) !== undefined;
