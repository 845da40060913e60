const isSubtree = (pattern: string) => pattern.endsWith('.*')

/**
 * Whether a pattern covers a resource: `*` covers everything, `a.b.*` covers `a.b` and everything below it, any other
 * pattern covers only itself.
 */
export function covers(pattern: string, resource: string): boolean {
  if (pattern === '*' || pattern === resource) return true
  if (!isSubtree(pattern)) return false
  const root = pattern.slice(0, -2)
  return resource === root || resource.startsWith(`${root}.`)
}

const EXACT_BONUS = 1000

/**
 * The specificity of a pattern for a resource (EEP v0.1): -1 when it does not match, 0 for `*`, higher for longer
 * patterns, highest for an exact match.
 */
export function specificity(pattern: string, resource: string): number {
  if (!covers(pattern, resource)) return -1
  if (pattern === '*') return 0
  return isSubtree(pattern) ? pattern.length : pattern.length + EXACT_BONUS
}

/** Every pattern that covers a resource, the most specific first. */
function coveringPatterns(resource: string): readonly string[] {
  const patterns = [resource]
  for (let end = resource.length; end > 0; end = resource.lastIndexOf('.', end - 1)) {
    patterns.push(`${resource.slice(0, end)}.*`)
  }
  return [...patterns, '*']
}

// A gate can have 2,000 patterns, and a table of contents a thousand pages.
const sets = new WeakMap<readonly string[], ReadonlySet<string>>()

/**
 * Returns the most specific pattern of a list for a resource; undefined when none covers it. The cost depends on the depth
 * of the resource, not on the length of the list. Lists are indexed on first use, so they must not change afterwards.
 */
export function closestPattern(patterns: readonly string[], resource: string): string | undefined {
  const known = sets.get(patterns) ?? new Set(patterns)
  sets.set(patterns, known)
  return coveringPatterns(resource).find((pattern) => known.has(pattern))
}
