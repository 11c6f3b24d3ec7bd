/** The least of the first `count` values; infinite where there are none. */
export function leastOf(values: Float64Array, count: number): number {
	let found = Number.POSITIVE_INFINITY;
	for (let index = 0; index < count; index += 1) {
		found = Math.min(found, values[index] as number);
	}
	return found;
}

/** The greatest of the first `count` values; minus infinity where there are none. */
export function greatestOf(values: Float64Array, count: number): number {
	let found = Number.NEGATIVE_INFINITY;
	for (let index = 0; index < count; index += 1) {
		found = Math.max(found, values[index] as number);
	}
	return found;
}
