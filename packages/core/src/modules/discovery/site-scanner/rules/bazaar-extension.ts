import { acceptedTags, isIconUrl, isShortText } from '../../priced-discovery/index.ts'
import { findOffers, NO_OFFER } from '../payment-envelope.ts'
import { fail, pass, type SiteRule, skip, warn } from '../rule.ts'
import { misfitOf } from '../schema-fit.ts'
import { isRecord } from '../site.ts'

/** What catalogues drop of a resource; undefined for nothing. */
function faultOfResource({ serviceName, tags, iconUrl }: Readonly<Record<string, unknown>>): string | undefined {
  if (serviceName !== undefined && !(typeof serviceName === 'string' && isShortText(serviceName))) {
    return 'serviceName is not 1 to 32 printable ASCII characters'
  }
  const isTags = (value: unknown) =>
    Array.isArray(value) && value.every((tag) => typeof tag === 'string') && acceptedTags(value).length === value.length
  if (tags !== undefined && !isTags(tags))
    return 'tags are not up to 5 different texts of 1 to 32 printable ASCII characters'
  if (iconUrl !== undefined && !(typeof iconUrl === 'string' && isIconUrl(iconUrl)))
    return 'iconUrl is not a public https URL'
  return undefined
}

/** The x402 challenge of a paid page describes the page for catalogues. */
export const bazaarExtension: SiteRule = {
  id: 'bazaar-extension',
  category: 'payments',
  summary: 'The x402 challenge of a paid page describes for catalogues how the page is requested',
  weight: 2,
  fix: 'Add extensions.bazaar to PAYMENT-REQUIRED with info and a schema that accepts it, and keep serviceName, tags and iconUrl within the limits of x402.',
  doc: 'https://docs.x402.org/extensions/bazaar',
  async check(site) {
    const offered = await findOffers(site)
    if (!offered) return skip(NO_OFFER)
    const { page, required } = offered
    const fault = isRecord(required.resource) ? faultOfResource(required.resource) : undefined
    if (fault !== undefined) return fail(`Catalogues refuse the resource: ${fault}.`, page.url)
    const bazaar = isRecord(required.extensions) ? required.extensions.bazaar : undefined
    if (bazaar === undefined) return warn('The x402 challenge has no extension bazaar.', page.url)
    if (!isRecord(bazaar) || !isRecord(bazaar.info) || !isRecord(bazaar.schema)) {
      return fail('The extension bazaar lacks info or schema.', page.url)
    }
    const { input } = bazaar.info
    if (!isRecord(input) || (input.type !== 'http' && input.type !== 'mcp')) {
      return fail('The extension bazaar has no input of the type http or mcp.', page.url)
    }
    const misfit = misfitOf(bazaar.info, bazaar.schema)
    if (misfit !== undefined) return fail(`The schema of the extension bazaar refuses its own ${misfit}.`, page.url)
    return pass('The x402 challenge has a valid extension bazaar.', page.url)
  },
}
