import { fail, pass, type SiteRule, skip, warn } from '../rule.ts'
import { describe, isFilled, isMissing, isRecord, isWebUrl, jsonOf, mediaTypeOf, type Site } from '../site.ts'

/** The number of URLs that are requested: a scan has few requests. */
const MAX_URLS = 1

type Entry = Readonly<Record<string, unknown>>

const isEntry = (entry: unknown): entry is Entry =>
  isRecord(entry) &&
  isFilled(entry.identifier) &&
  isFilled(entry.type) &&
  (entry.data === undefined ? isWebUrl(entry.url) : entry.url === undefined)

/** Whether a media type is the stated one, or the general one of its suffix: JSON or Markdown. */
function isType(served: string, stated: string): boolean {
  const type = stated.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (served === type) return true
  return (
    (type.endsWith('+json') && served === 'application/json') || (type.endsWith('+md') && served === 'text/markdown')
  )
}

/** The fault in the URL of an entry; undefined for none, and for what cannot be read here. */
async function faultOf(site: Pick<Site, 'get'>, { url, type }: Entry): Promise<string | undefined> {
  if (!isFilled(url)) return undefined
  const answer = await site.get(url)
  if (answer.is !== 'answer') return undefined
  if (answer.status !== 200) return `${url}: ${describe(answer)}`
  return isType(mediaTypeOf(answer), String(type))
    ? undefined
    : `${url}: ${describe(answer)} instead of ${String(type)}`
}

/** The AI Catalog, where the site has one, lists artifacts that exist. */
export const aiCatalog: SiteRule = {
  id: 'ai-catalog',
  category: 'discovery',
  summary: 'The AI Catalog, if the site has one, lists artifacts that exist with the stated types',
  weight: 1,
  fix: 'List each artifact in /.well-known/ai-catalog.json with identifier, type, and url or data; serve it with that type.',
  doc: 'https://ai-catalog.org/',
  async check(site) {
    const answer = await site.get('/.well-known/ai-catalog.json')
    if (isMissing(answer)) return skip('The site has no AI Catalog.')
    if (answer.is !== 'answer') return skip(answer.reason)
    const catalog = answer.status === 200 ? jsonOf(answer) : undefined
    const entries = catalog?.entries
    if (!catalog || !Array.isArray(entries)) return fail('The AI Catalog has no entries.', describe(answer))
    if (!/^\d+\.\d+(\.\d+)?$/.test(String(catalog.specVersion))) return fail('The AI Catalog has no specVersion.')
    if (!entries.every(isEntry))
      return fail('An entry of the AI Catalog lacks identifier, type, or one of url and data.')
    for (const entry of entries.slice(0, MAX_URLS)) {
      const fault = await faultOf(site, entry)
      if (fault !== undefined) return fail('An artifact of the AI Catalog is not there with its type.', fault)
    }
    if (!isRecord(catalog.host) || !isFilled(catalog.host.displayName))
      return warn('The AI Catalog does not name its host.')
    return pass(`The AI Catalog lists ${entries.length} artifacts.`)
  },
}
