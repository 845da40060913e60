const isSubtree = (pattern: string) => pattern.endsWith('.*')

/** `*` covers everything, `a.b.*` covers `a.b` and what is below it, anything else covers itself. */
export function covers(pattern: string, resource: string): boolean {
  if (pattern === '*' || pattern === resource) return true
  if (!isSubtree(pattern)) return false
  const root = pattern.slice(0, -2)
  return resource === root || resource.startsWith(`${root}.`)
}

const EXACT_BONUS = 1000

/** How closely a pattern fits a resource (EEP v0.1): -1 not at all, 0 for `*`, more for longer, most for exact. */
export function specificity(pattern: string, resource: string): number {
  if (!covers(pattern, resource)) return -1
  if (pattern === '*') return 0
  return isSubtree(pattern) ? pattern.length : pattern.length + EXACT_BONUS
}

/** Every pattern that covers a resource, the closest first. */
function coveringPatterns(resource: string): readonly string[] {
  const patterns = [resource]
  for (let end = resource.length; end > 0; end = resource.lastIndexOf('.', end - 1)) {
    patterns.push(`${resource.slice(0, end)}.*`)
  }
  return [...patterns, '*']
}

// A gate lists up to 2,000 patterns, and a table of contents asks for a thousand pages.
const sets = new WeakMap<readonly string[], ReadonlySet<string>>()

/**
 * Returns the pattern of a list that fits a resource best; undefined when none covers it. The cost grows with the depth of the
 * resource, not with the length of the list: lists must not be changed once they were asked.
 */
export function closestPattern(patterns: readonly string[], resource: string): string | undefined {
  const known = sets.get(patterns) ?? new Set(patterns)
  sets.set(patterns, known)
  return coveringPatterns(resource).find((pattern) => known.has(pattern))
}
