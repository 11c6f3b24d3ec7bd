/** Minutes between two messages. */
export const EVERY = [1, 5, 15] as const;
export const DEFAULT_EVERY = 5;
