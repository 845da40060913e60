const MS_EACH = 1
const MAX_MS = 2_000

/**
 * Calls a function for each item, in random order over a short time: 1 ms per item, at most 2 seconds. Clients that are
 * disconnected this way do not all reconnect to other instances at the same moment.
 *
 * @returns the time until the last call, in milliseconds
 */
export function stagger<Item>(items: Iterable<Item>, call: (item: Item) => void): number {
  const list = [...items]
  const withinMs = Math.min(MAX_MS, list.length * MS_EACH)
  for (const item of list) setTimeout(() => call(item), Math.random() * withinMs).unref()
  return withinMs
}
