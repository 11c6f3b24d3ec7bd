/** A number from 0 to 1 that is the same for the same arguments. */
export function chance(...seeds: number[]): number {
	let hash = 2166136261;
	for (const seed of seeds) {
		hash = Math.imul(hash ^ (seed | 0), 16777619);
		hash = Math.imul(hash ^ (hash >>> 15), 2246822519);
	}
	return ((hash ^ (hash >>> 16)) >>> 0) / 4294967296;
}
