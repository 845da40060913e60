import { relationsOf } from '../link-header-values.ts'
import { fail, pass, type SiteRule, skip, warn } from '../rule.ts'

/** Relations by which agents find descriptions of a site. */
const DESCRIBING = [
  'api-catalog',
  'service-desc',
  'service-doc',
  'service-meta',
  'describedby',
  'alternate',
  'sitemap',
] as const

/** The page has `Link` headers that lead to its descriptions. */
export const linkHeaders: SiteRule = {
  id: 'link-headers',
  category: 'discovery',
  summary: 'Link headers of the page lead to machine-readable descriptions',
  weight: 4,
  fix: 'Send Link headers (RFC 8288) with relations such as api-catalog, service-desc, describedby, alternate or sitemap.',
  doc: 'https://www.rfc-editor.org/rfc/rfc8288',
  async check(site) {
    const page = await site.get(site.url.href, { accept: 'text/html' })
    if (page.is !== 'answer') return skip(page.reason)
    const rels = relationsOf(page.headers.get('link'))
    if (rels.size === 0) return fail('The page has no Link header.')
    const found = DESCRIBING.filter((rel) => rels.has(rel))
    const evidence = [...rels].join(', ')
    if (found.length === 0) return warn('The Link header leads to no description for machines.', evidence)
    return pass('Link headers lead to descriptions for machines.', evidence)
  },
}
