import type { HostAdapter } from './host-adapter.ts'

/**
 * Variables that Kubernetes and Docker set for each linked service: a service called `eep` has `EEP_SERVICE_HOST` and
 * `EEP_PORT=tcp://10.0.0.1:80`.
 */
const LINK_NAME = /_(SERVICE_(HOST|PORT)(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_\w+)?)$/
const LINK_VALUE = /^(tcp|udp|sctp):\/\//

/** The maximum edit distance of a misspelt name: with a prefix of this host, and without one. */
const MAX_DISTANCE = { own: 4, other: 1 }
/** Shorter names are similar to too many others, such as HOST and HOME, or PORT and PATH. */
const MIN_LENGTH = 8

/**
 * Returns unknown variables that seem to be meant for this host: names with its prefixes, and misspelt names
 * of variables that are not set. One sentence each.
 *
 * @param set - the variables that are set
 */
export function unknownVariables(
  set: ReadonlyMap<string, string>,
  adapters: readonly Pick<HostAdapter, 'variables' | 'prefixes'>[],
): readonly string[] {
  const all = new Set(adapters.flatMap(({ variables }) => Object.keys(variables)))
  const prefixes = adapters.flatMap((adapter) => adapter.prefixes)
  return [...set].flatMap(([name, text]) => {
    if (all.has(name) || LINK_NAME.test(name) || LINK_VALUE.test(text)) return []
    const isOwn = prefixes.some((prefix) => name.startsWith(prefix))
    if (!isOwn && name.length < MIN_LENGTH) return []
    const candidates = [...all].filter((known) => isOwn || !set.has(known))
    const likely = mostLike(name, candidates, MAX_DISTANCE[isOwn ? 'own' : 'other'])
    if (!isOwn && likely === undefined) return []
    return [`unknown variable ${name}${likely === undefined ? '' : `; did you mean ${likely}?`}`]
  })
}

function mostLike(name: string, candidates: readonly string[], maxDistance: number): string | undefined {
  const [nearest] = candidates
    .map((candidate) => ({ known: candidate, distance: distance(name, candidate) }))
    .sort((left, right) => left.distance - right.distance)
  return nearest && nearest.distance <= maxDistance ? nearest.known : undefined
}

/**
 * Returns the edit distance of two words: added, removed, replaced and swapped letters. Libraries for Levenshtein's distance count
 * swapped letters as two: `DATABASE_ULR` would be as far from `DATABASE_URL` as `APP_SECRET` is from `EEP_SECRET`.
 */
function distance(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let row = 1; row <= from.length; row += 1) {
    const next = [row]
    rows.push(next)
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = at(row - 1, column - 1) + (from[row - 1] === to[column - 1] ? 0 : 1)
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      const swapped = isSwapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY
      next.push(Math.min(replaced, swapped, at(row - 1, column) + 1, at(row, column - 1) + 1))
    }
  }
  return at(from.length, to.length)
}
