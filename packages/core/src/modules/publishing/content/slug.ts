import slugify from '@sindresorhus/slugify'
import { isSlug } from './address.ts'

export const MAX_SLUG_LENGTH = 96

const cut = (slug: string, length: number) => slug.slice(0, length).replace(/-+$/, '')

/**
 * The `n`th slug of a title: `notes`, `notes-2`, `notes-3`. A title that cannot be transliterated to Latin letters gets the name of
 * its kind: `page-1`.
 */
export function suggestSlug(title: string, kind: string, n = 1): string {
  const stem = cut(slugify(title.normalize('NFKC'), { decamelize: false }), MAX_SLUG_LENGTH)
  if (!isSlug(stem)) return `${kind}-${n}`
  const suffix = `-${n}`
  return n === 1 ? stem : `${cut(stem, MAX_SLUG_LENGTH - suffix.length)}${suffix}`
}

/**
 * The first number whose slug is free. Exponential, then binary search, so that the thousandth page with one title needs twenty lookups.
 */
export async function firstFree(isTaken: (n: number) => Promise<boolean>): Promise<number> {
  if (!(await isTaken(1))) return 1
  let taken = 1
  let free = 2
  while (await isTaken(free)) {
    taken = free
    free *= 2
  }
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2)
    if (await isTaken(middle)) taken = middle
    else free = middle
  }
  return free
}
