/** Whether a type matches one of some patterns: itself, `content.*` or `*`, with or without the prefix of the service. */
export function matchesTypes(patterns: readonly string[], type: string, prefix: string): boolean {
  const names = prefix === '' ? [type] : [type, `${prefix}${type}`]
  return patterns.some((pattern) => {
    if (pattern === '*') return true
    if (!pattern.endsWith('.*')) return names.includes(pattern)
    const above = pattern.slice(0, -1)
    return names.some((name) => `${name}.`.startsWith(above))
  })
}
