/** Options of a search index in tests: on a busy machine a statement may take seconds. */
export const PATIENT = { timeoutMs: 60_000 } as const
