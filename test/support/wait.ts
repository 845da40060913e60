import { vi } from 'vitest'

/** How long a test waits for what it must see: as long as a busy machine needs. Many checks are requests, so it asks rarely. */
export const LONG = { timeout: 120_000, interval: 50 }

/** Waits until a check passes, for as long as a busy machine needs. */
export const soon = <Result>(check: () => Result) => vi.waitFor(check, LONG)
