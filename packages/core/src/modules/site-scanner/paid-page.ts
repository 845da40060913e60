import type { Site, SiteAnswer } from './site.ts'
import { isOfSite, listedUrls } from './sitemap-urls.ts'

const MAX_TRIED = 3

/** URLs of `llms.txt` in lines that speak of payments. */
async function announced(site: Site): Promise<readonly string[]> {
  const text = await site.get('/llms.txt')
  if (text.is !== 'answer' || text.status !== 200) return []
  return text.body
    .split('\n')
    .slice(0, 2_000)
    .map((line) => line.slice(0, 4_096))
    .filter((line) => /\b(gated|paid|402|x402|price)\b/i.test(line))
    .flatMap((line) => /\]\(([^)\s]{1,2048})\)/.exec(line)?.[1] ?? [])
    .filter((address) => URL.canParse(address, site.url.href) && isOfSite(site, new URL(address, site.url).href))
    .map((address) => new URL(address, site.url).href)
}

/**
 * Finds a page that must be paid for: the scanned one, one that `llms.txt` calls gated, or the last ones of the sitemap.
 * Undefined when none of them answers 402.
 */
export async function findPaidPage(site: Site): Promise<SiteAnswer | undefined> {
  const scanned = await site.get(site.url.href, { accept: 'text/html' })
  if (scanned.is === 'answer' && scanned.status === 402) return scanned
  const named = await announced(site)
  const candidates = new Set(named.length > 0 ? named : (await listedUrls(site)).toReversed())
  for (const address of [...candidates].slice(0, MAX_TRIED)) {
    const answer = await site.get(address, { accept: 'application/json' })
    if (answer.is === 'answer' && answer.status === 402) return answer
  }
  return undefined
}
