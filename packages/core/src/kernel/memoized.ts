/** Memoizes a function of one value, compared as in a `Map`, for up to `maxKeys` different ones. */
export function memoized<Key, Value>(work: (key: Key) => Value, maxKeys = 500): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => {
    if (known.has(key)) return known.get(key) as Value
    const value = work(key)
    if (known.size >= maxKeys) known.clear()
    known.set(key, value)
    return value
  }
}
