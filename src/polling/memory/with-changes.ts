/**
 * A memory with some of its fields changed; the one before stays as it is.
 * `Object.assign` takes a third of the time that a spread of so many fields does.
 */
export function withChanges<T extends object>(
	memory: T,
	changes: Partial<T>,
): T {
	return Object.assign({}, memory, changes);
}
