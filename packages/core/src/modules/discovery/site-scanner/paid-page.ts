import type { Site, SiteAnswer } from './site.ts'
import { isOfSite, listedUrls } from './sitemap-urls.ts'

const MAX_TRIED = 3
/** Challenges of a site are parsed up to this length. */
const MAX_CHALLENGES = 4_096

/** The `WWW-Authenticate` of an answer, as far as it is parsed. */
export const challengesOf = ({ headers }: Pick<SiteAnswer, 'headers'>): string =>
  (headers.get('www-authenticate') ?? '').slice(0, MAX_CHALLENGES)

/** The first URLs of `llms.txt` in lines that speak of payments. */
async function announced(site: Site): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  const text = await site.get('/llms.txt')
  if (text.is !== 'answer' || text.status !== 200) return found
  for (const whole of text.body.split('\n', 2_000)) {
    const line = whole.slice(0, 4_096)
    if (!/\b(gated|paid|402|x402|price)\b/i.test(line)) continue
    // Without the opening bracket in the class, a line of brackets would take time in proportion to its square.
    const address = /\]\(([^()\s]{1,2048})\)/.exec(line)?.[1]
    if (address === undefined || !URL.canParse(address, site.url.href)) continue
    const { href } = new URL(address, site.url)
    if (isOfSite(site, href)) found.add(href)
    if (found.size === MAX_TRIED) break
  }
  return found
}

async function search(site: Site): Promise<SiteAnswer | undefined> {
  const scanned = await site.get(site.url.href, { accept: 'text/html' })
  if (scanned.is === 'answer' && scanned.status === 402) return scanned
  const named = await announced(site)
  const candidates = named.size > 0 ? named : new Set((await listedUrls(site)).toReversed())
  for (const address of [...candidates].slice(0, MAX_TRIED)) {
    const answer = await site.get(address, { accept: 'application/json' })
    if (answer.is === 'answer' && answer.status === 402) return answer
  }
  return undefined
}

const searches = new WeakMap<Site, Promise<SiteAnswer | undefined>>()

/**
 * Finds a page that must be paid for: the scanned one, one that `llms.txt` calls gated, or the last ones of the sitemap.
 * Undefined when none of them returns 402. It is looked for once in a scan.
 */
export function findPaidPage(site: Site): Promise<SiteAnswer | undefined> {
  const found = searches.get(site) ?? search(site)
  searches.set(site, found)
  return found
}
