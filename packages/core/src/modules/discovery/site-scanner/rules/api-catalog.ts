import { fail, pass, type SiteRule, skip, warn } from '../rule.ts'
import { describe, isRecord, jsonOf, mediaTypeOf } from '../site.ts'

/** `/.well-known/api-catalog` is a linkset (RFC 9727, RFC 9264). */
export const apiCatalog: SiteRule = {
  id: 'api-catalog',
  category: 'discovery',
  summary: 'An API catalogue (RFC 9727) lists the APIs of the site',
  weight: 4,
  fix: 'Serve /.well-known/api-catalog as application/linkset+json with a link to the description of each API.',
  doc: 'https://www.rfc-editor.org/rfc/rfc9727',
  async check(site) {
    const answer = await site.get('/.well-known/api-catalog')
    if (answer.is !== 'answer') return skip(answer.reason)
    if (answer.status !== 200) return fail('The site has no API catalogue.', describe(answer))
    const linkset = jsonOf(answer)?.linkset
    if (!Array.isArray(linkset) || linkset.length === 0 || !linkset.every(isRecord)) {
      return fail('The API catalogue is not a linkset.', describe(answer))
    }
    const links = linkset.flatMap((context) => Object.values(context)).filter(Array.isArray)
    const isLink = (link: unknown) => isRecord(link) && typeof link.href === 'string'
    if (links.length === 0 || !links.flat().every(isLink)) return fail('The linkset has no links, or one without href.')
    if (mediaTypeOf(answer) !== 'application/linkset+json') {
      return warn('The API catalogue is not application/linkset+json.', describe(answer))
    }
    return pass('The API catalogue is a linkset.')
  },
}
