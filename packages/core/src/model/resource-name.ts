/**
 * Resource names in gates, and the slugs they are made from. Names have no hyphens and no segment that starts with a
 * digit (EEP v0.1), so `-` becomes `_` and a slug that starts with a digit gets the prefix `n`. To keep the mapping one to
 * one, a slug that already looks like the result (`n2026`) gets one more `n`.
 */
const toSegment = (slug: string): string => (/^n*\d/.test(slug) ? `n${slug}` : slug).replaceAll('-', '_')
const toSlug = (segment: string): string => (/^n+\d/.test(segment) ? segment.slice(1) : segment).replaceAll('_', '-')

/** Returns the name of a resource: `notes/my-page` is `content.notes.my_page`, `2026` is `content.n2026`. */
export const resourceName = (kind: string, slugs: readonly string[]): string =>
  [kind, ...slugs.map(toSegment)].join('.')

/** Returns the slugs of a named resource: the inverse of {@link resourceName}. */
export const slugsOfResource = (name: string): readonly string[] => name.split('.').slice(1).map(toSlug)

/** A resource as requests may write it: with hyphens, with leading digits, or as a wildcard. */
export const WRITTEN_RESOURCE = /^\*$|^[a-z][a-z0-9_]*(\.[a-z0-9][a-z0-9_-]*)*(\.\*)?$/

/**
 * Normalizes the resource of a request: `content.notes.my-page` becomes `content.notes.my_page`. Normalized names are
 * unchanged.
 */
export const normalizeResource = (written: string): string =>
  written
    .split('.')
    .map((segment) => segment.replaceAll('-', '_').replace(/^(?=\d)/, 'n'))
    .join('.')

/** Whether a resource is a wildcard: `content.*`, or `*` for everything. */
export const isWildcard = (resource: string): boolean => resource === '*' || resource.endsWith('.*')
