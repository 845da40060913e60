/** Memoizes a function of a string, for up to `maxTexts` different strings. */
export function memoized<Value>(work: (text: string) => Value, maxTexts = 500): (text: string) => Value {
  const known = new Map<string, Value>()
  return (text) => {
    if (known.has(text)) return known.get(text) as Value
    const value = work(text)
    if (known.size >= maxTexts) known.clear()
    known.set(text, value)
    return value
  }
}
