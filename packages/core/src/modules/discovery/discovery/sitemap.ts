import type { ListedAddress, ListedKind, ListedPart } from '../../../ports/storage/discovery.ts'

/** How many addresses one sitemap may have (sitemaps.org). */
const MAX_ADDRESSES = 50_000

/** The number of ids per sitemap of a large service. Sitemaps of earlier ids do not change when new ones are added. */
export const PART_SIZE = 10_000

/** How many parts fit into one sitemap, however full they are, with the documents of the service. */
export const MAX_PARTS = MAX_ADDRESSES / PART_SIZE - 1

export interface SitemapEntry {
  readonly url: string
  readonly updatedAt?: Date | undefined
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

const escapeXml = (text: string) => text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '')

const list = (root: string, item: string, entries: readonly SitemapEntry[]) => {
  const lines = entries.map(({ url, updatedAt }) => {
    const changed = updatedAt === undefined ? '' : `<lastmod>${updatedAt.toISOString()}</lastmod>`
    return `<${item}><loc>${escapeXml(url)}</loc>${changed}</${item}>`
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`,
    ...lines,
    `</${root}>`,
    '',
  ].join('\n')
}

/** A sitemap. */
export const urlSet = (entries: readonly SitemapEntry[]): string => list('urlset', 'url', entries)

/** The path of the sitemap of one part. */
export const partPath = (kind: ListedKind, part: number): string => `/sitemap-${kind}-${part}.xml`

/** The path of the sitemap of the documents of the service itself. */
export const SITE_SITEMAP = '/sitemap-site.xml'

/** A sitemap of sitemaps, for a service with more addresses than one may have. */
export const sitemapIndex = (
  publicUrl: string,
  parts: readonly (ListedPart & { readonly kind: ListedKind })[],
): string =>
  list('sitemapindex', 'sitemap', [
    { url: publicUrl + SITE_SITEMAP },
    ...parts.map(({ kind, part, updatedAt }) => ({ url: publicUrl + partPath(kind, part), updatedAt })),
  ])

/** Listed addresses as entries; `pathOf` gives the path of each. */
export const entriesOf = (
  publicUrl: string,
  addresses: readonly ListedAddress[],
  pathOf: (address: ListedAddress) => string,
): SitemapEntry[] => addresses.map((address) => ({ url: publicUrl + pathOf(address), updatedAt: address.updatedAt }))
