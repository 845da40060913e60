const MS_EACH = 1
const MAX_MS = 2_000

/**
 * Calls a function for each item, in any order within a short time: 1 ms for each, and at most 2 seconds. Clients that are
 * disconnected in this way do not connect to other instances in the same moment.
 *
 * @returns the time within which the last call is made, in milliseconds
 */
export function spreadOut<Item>(items: Iterable<Item>, call: (item: Item) => void): number {
  const list = [...items]
  const withinMs = Math.min(MAX_MS, list.length * MS_EACH)
  for (const item of list) setTimeout(() => call(item), Math.random() * withinMs).unref()
  return withinMs
}
