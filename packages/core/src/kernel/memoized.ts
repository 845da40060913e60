/** Keeps what a function of a text returned, for the texts that come again and again: up to `maxTexts` of them. */
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
