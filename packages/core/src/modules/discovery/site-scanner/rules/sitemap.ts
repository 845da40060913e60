import { fail, pass, type SiteRule, skip, warn } from '../rule.ts'
import { describe } from '../site.ts'
import { getSitemap, isOfSite, locationsIn } from '../sitemap-urls.ts'

/** The sitemap exists, lists URLs of the site, and `robots.txt` names it. */
export const sitemap: SiteRule = {
  id: 'sitemap',
  category: 'crawling',
  summary: 'A sitemap lists the URLs of the site, and robots.txt names it',
  weight: 5,
  fix: 'Serve an XML sitemap with absolute URLs of this host, and name it in robots.txt with a Sitemap line.',
  doc: 'https://www.sitemaps.org/protocol.html',
  async check(site) {
    const answer = await getSitemap(site)
    if (answer.is !== 'answer') return skip(answer.reason)
    if (answer.status !== 200) return fail('The site has no sitemap.', describe(answer))
    if (!/<(urlset|sitemapindex)[\s>]/.test(answer.body)) return fail('The sitemap is not XML.', describe(answer))
    const urls = locationsIn(answer.body)
    if (urls.length === 0) return fail('The sitemap lists no URL.', describe(answer))
    const foreign = urls.find((address) => !isOfSite(site, address))
    if (foreign !== undefined) return warn('The sitemap lists a URL of another host.', foreign)
    if (site.robotsRules.sitemaps.length === 0) return warn('robots.txt does not name the sitemap.')
    return pass(`The sitemap lists ${urls.length} URLs.`)
  },
}
