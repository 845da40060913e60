import type { Move } from '../../kernel/errors.ts'

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/**
 * Returns the rest of a segment after a name: empty, or a suffix such as `.json`. Undefined when the segment has
 * another name.
 */
function restOf(segment: string, name: string): string | undefined {
  const text = decoded(segment)
  if (text === name) return ''
  return text.startsWith(`${name}.`) ? text.slice(name.length) : undefined
}

/**
 * Returns the URL with moved names replaced. The rest of the path, the query and the prefix of the listener are kept.
 * Undefined when no name in it moved.
 */
export function movedUrl(url: string, moves: readonly Move[]): string | undefined {
  if (moves.length === 0) return undefined
  const end = url.indexOf('?')
  const [path, query] = end < 0 ? [url, ''] : [url.slice(0, end), url.slice(end)]
  const segments = path.split('/')
  for (const { below = [], from, to } of moves) {
    for (const [at, segment] of segments.entries()) {
      const rest = restOf(segment, from)
      const stands = below.every((name, index) => decoded(segments[at - below.length + index] ?? '') === name)
      if (rest === undefined || !stands) continue
      return segments.with(at, encodeURIComponent(to) + rest).join('/') + query
    }
  }
  return undefined
}
