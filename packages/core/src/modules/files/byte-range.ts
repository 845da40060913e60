/** What identifies a representation (RFC 9110, 8.8). */
export interface Validators {
  readonly etag: string
  readonly lastModified: Date
}

/** `whole`: as if nobody had asked for a range. `none`: no byte of the file is in it. */
export type WantedBytes = { readonly start: number; readonly end: number } | 'whole' | 'none'

/** Whether what a client has of a file is a part of this one; else it gets all of it (RFC 9110, 13.1.5). */
function isSame(ifRange: string, { etag, lastModified }: Validators): boolean {
  const value = ifRange.trim()
  // A weak validator does not say that the bytes are the same.
  if (value.startsWith('"') || value.startsWith('W/')) return value === etag
  return Date.parse(value) === Math.floor(lastModified.getTime() / 1_000) * 1_000
}

const ONE_RANGE = /^bytes=\s*(?:(\d+)-(\d*)|-(\d+))\s*$/i

/** Which bytes the headers of a GET ask for (RFC 9110, 14.2). Of several ranges the file is sent whole. */
export function bytesWanted(
  { range, ifRange }: { readonly range: string | undefined; readonly ifRange: string | undefined },
  size: number,
  validators: Validators,
): WantedBytes {
  if (range === undefined || (ifRange !== undefined && !isSame(ifRange, validators))) return 'whole'
  const [found, first, last, suffix] = ONE_RANGE.exec(range) ?? []
  if (found === undefined) return 'whole'
  if (suffix !== undefined) {
    const length = Math.min(Number(suffix), size)
    return length === 0 ? 'none' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  if (last && Number(last) < start) return 'whole'
  return start < size ? { start, end: Math.min(last ? Number(last) : size - 1, size - 1) } : 'none'
}
