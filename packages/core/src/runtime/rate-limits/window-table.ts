/** An entry of a {@link createWindowTable window table}: it is replaced when its window is over. */
export interface WindowEntry {
  readonly resetAtMs: number
}

const SWEEP_EVERY_MS = 60_000

/**
 * Keeps one entry for each key until the window of the entry is over. Holds at most `maxKeys` entries: when there are more,
 * it drops those whose windows are over, and then the oldest one.
 *
 * @param create - makes the entry of a key that has none, or whose window is over
 */
export function createWindowTable<Entry extends WindowEntry>(
  maxKeys: number,
  create: (key: string, windowMs: number, nowMs: number) => Entry,
) {
  const entries = new Map<string, Entry>()
  let sweptAtMs = Date.now()

  function sweep(nowMs: number): void {
    sweptAtMs = nowMs
    for (const [key, { resetAtMs }] of entries) if (resetAtMs <= nowMs) entries.delete(key)
  }

  return {
    /** The entry of a key. A key always has windows of the same length. */
    get(key: string, windowMs: number): Entry {
      const nowMs = Date.now()
      const known = entries.get(key)
      if (known && known.resetAtMs > nowMs) return known
      const entry = create(key, windowMs, nowMs)
      // Deleted first, so that the order of the map stays the order in which windows began.
      entries.delete(key)
      entries.set(key, entry)
      if (entries.size > maxKeys || nowMs - sweptAtMs >= SWEEP_EVERY_MS) sweep(nowMs)
      if (entries.size > maxKeys) entries.delete(entries.keys().next().value as string)
      return entry
    },
  }
}
