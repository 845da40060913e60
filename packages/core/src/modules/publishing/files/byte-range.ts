import { ifRangeHolds, type Validators } from './preconditions.ts'

/** `whole`: as without a range. `none`: no byte of the file is in it. */
export type WantedBytes = { readonly start: number; readonly end: number } | 'whole' | 'none'

const ONE_RANGE = /^bytes=\s*(?:(\d+)-(\d*)|-(\d+))\s*$/i

/** The requested range of a GET (RFC 9110, 14.2). For several ranges, the whole file is sent. */
export function bytesWanted(
  { range, ifRange }: { readonly range: string | undefined; readonly ifRange: string | undefined },
  size: number,
  validators: Validators,
): WantedBytes {
  if (range === undefined || (ifRange !== undefined && !ifRangeHolds(ifRange, validators))) return 'whole'
  const [found, first, last, suffix] = ONE_RANGE.exec(range) ?? []
  if (found === undefined) return 'whole'
  if (suffix !== undefined) {
    if (Number(suffix) === 0) return 'none'
    // The last bytes of an empty file are the whole file, which no `Content-Range` can express.
    return size === 0 ? 'whole' : { start: Math.max(0, size - Number(suffix)), end: size - 1 }
  }
  const start = Number(first)
  if (last && Number(last) < start) return 'whole'
  return start < size ? { start, end: Math.min(last ? Number(last) : size - 1, size - 1) } : 'none'
}
