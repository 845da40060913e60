import type { Site, SiteResponse } from './site.ts'

/** The part of a sitemap whose URLs are read. */
const MAX_URLS = 500

/** The first URLs of a sitemap or of an index of sitemaps. */
export const locationsIn = (xml: string): readonly string[] =>
  [...xml.matchAll(/<loc>\s*([^<\s]{1,2048})\s*<\/loc>/g)]
    .slice(0, MAX_URLS)
    .map(([, address]) => String(address).replaceAll('&amp;', '&').replaceAll('&apos;', "'").replaceAll('&quot;', '"'))

/** Whether a URL is of the scanned host. */
export const isOfSite = ({ url }: Pick<Site, 'url'>, address: string): boolean =>
  URL.canParse(address) && new URL(address).origin === url.origin

/** Requests the sitemap that `robots.txt` names first, else `/sitemap.xml`. */
export const getSitemap = (site: Site): Promise<SiteResponse> =>
  site.get(site.robotsRules.sitemaps.find((address) => isOfSite(site, address)) ?? '/sitemap.xml')

/**
 * Returns URLs of the site that its sitemap lists. An index of sitemaps is followed to its last part, where sites put their
 * own content after pages about the service.
 */
export async function listedUrls(site: Site): Promise<readonly string[]> {
  const sitemap = await getSitemap(site)
  if (sitemap.is !== 'answer' || sitemap.status !== 200) return []
  const found = locationsIn(sitemap.body).filter((address) => isOfSite(site, address))
  if (!/<sitemapindex[\s>]/.test(sitemap.body)) return found
  const parts = await Promise.all([...new Set([found.at(0), found.at(-1)])].map((part) => site.get(part ?? '/')))
  return parts
    .flatMap((part) => (part.is === 'answer' && part.status === 200 ? locationsIn(part.body) : []))
    .filter((address) => isOfSite(site, address))
}
