import type { Link } from '../../../http/documents/links.ts'
import type { PublicDocument } from '../../../http/documents/public-document.ts'
import { asJson } from '../../../kernel/json.ts'
import { documentOf, list, section, steps } from '../../../kernel/markdown.ts'
import type { Bootstrap, Capabilities, DiscoveryLink } from './capabilities.ts'
import { type CatalogueEntry, catalogueTable } from './error-catalogue.ts'
import { discoverPage, homePage, type NewProfile } from './home-page.ts'
import type { PaymentGuide } from './payment-guide.ts'
import { soldLine } from './sold-endpoints.ts'

const linkLines = (links: readonly DiscoveryLink[]) => list(links.map(({ title, url }) => `[${title}](${url})`))

const railLines = ({ rails }: PaymentGuide) =>
  list(
    rails.flatMap(({ id, protocol, versions = [], accepts }) => {
      const spoken = versions.length === 0 ? protocol : `${protocol}, version ${versions.join(' and ')}`
      const name = spoken === undefined ? `**${id}**` : `**${id}** (${spoken})`
      if (accepts.length === 0) return [name]
      return accepts.map(
        ({ network, asset, currencies }) =>
          `${name}: network \`${network}\`, asset \`${asset}\`, for prices in ${currencies.join(', ')}`,
      )
    }),
  )

/** `GET /`. Its HTML page is for people: see {@link homePage}. */
export function bootstrapDocument(
  data: Bootstrap,
  links: readonly Link[],
  newest: readonly NewProfile[],
): PublicDocument {
  return {
    data: asJson(data),
    markdown: () =>
      documentOf(
        `# ${data.name}`,
        data.description,
        list([
          `DID: \`${data.did}\``,
          `Speaks the entity engagement protocol, version ${data.eep_version}`,
          `Profiles: \`${data.profile_url}\`, as ${data.formats.join(', ')} by \`?format=\` or \`Accept\``,
        ]),
        ...section('Read in this order', steps(data.start.map(({ title, url }) => `[${title}](${url})`))),
      ),
    html: (site) => homePage(data, newest, site),
    links,
    cacheControl: 'public, max-age=300',
  }
}

/** `GET /discover` */
export function capabilitiesDocument(
  data: Capabilities,
  links: readonly Link[],
  newest: readonly NewProfile[],
): PublicDocument {
  const markdown = () => capabilitiesText(data)
  return {
    data: asJson(data),
    markdown,
    html: (site) => discoverPage(capabilitiesText({ ...data, features: [] }), data.features, newest, site),
    links,
    cacheControl: 'public, max-age=3600',
  }
}

function capabilitiesText(data: Capabilities): string {
  const { profile_types, formats, authentication, payment, rate_limits, errors, features } = data
  return documentOf(
    `# ${data.name}`,
    data.description,
    list([`DID: \`${data.did}\``, `EEP ${data.eep_version}`]),
    ...section('Profiles', list(profile_types.map(({ type, url }) => `${type}: \`${url}\``))),
    ...section(
      'Formats',
      list(formats.map(({ format, media_type }) => `\`?format=${format}\` or \`Accept: ${media_type}\``)),
    ),
    ...section('Authentication', list(authentication.map(({ carrier, use }) => `\`${carrier}\`: ${use}`))),
    ...section('Ways to pay', railLines(payment)),
    ...section('How a gated read is paid', steps(payment.steps)),
    ...section(
      'Limits',
      documentOf(
        list(
          rate_limits.groups.map(
            ({ group, requests }) => `${group}: ${requests} requests in ${rate_limits.window_seconds} s`,
          ),
        ),
        `Every response has ${rate_limits.headers.map((name) => `\`${name}\``).join(', ')}; a 429 also \`Retry-After\`.`,
      ).trimEnd(),
    ),
    ...section('Errors', list([`\`${errors.body}\``, errors.problem, `[Every code](${errors.catalogue})`])),
    ...features.flatMap(({ feature, routes }) => [
      `## Routes: ${feature}`,
      list(routes.map(({ route, auth, summary }) => `\`${route}\`${auth === 'none' ? '' : ` (${auth})`}: ${summary}`)),
    ]),
    ...section('Sold endpoints', list(data.sold.map(soldLine))),
    ...section('Go on', linkLines(data.links)),
  )
}

const HEADING = /^# (.+)$/m

/** `GET /.well-known/eep/agent-guide.md`: its JSON and TOON hold the Markdown, because the guide is prose. */
export const guideDocument = (markdown: string): PublicDocument => ({
  data: { title: HEADING.exec(markdown)?.[1] ?? '', markdown },
  markdown: () => markdown,
  cacheControl: 'public, max-age=300',
})

/** `GET /docs/payments` */
export const paymentGuideDocument = (guide: PaymentGuide): PublicDocument => ({
  data: asJson(guide),
  markdown: () =>
    guide.rails.length === 0
      ? documentOf('# How to pay', 'This service currently accepts no payments.')
      : documentOf('# How to pay', ...section('Ways', railLines(guide)), ...section('Steps', steps(guide.steps))),
  cacheControl: 'public, max-age=300',
})

/** `GET /docs/errors` */
export const errorListDocument = (
  entries: readonly CatalogueEntry[],
  url: (code: string) => string,
): PublicDocument => ({
  data: asJson({ errors: entries.map((entry) => ({ ...entry, url: url(entry.code) })) }),
  markdown: () =>
    documentOf(
      '# Errors',
      'The body is `{"error":{"code","message","details?"}}`; with `Accept: application/problem+json` it is RFC 9457.',
      catalogueTable(entries),
    ),
  cacheControl: 'public, max-age=300',
})

/** `GET /docs/errors/{code}` */
export const errorDocument = (entry: CatalogueEntry, url: string, routes: readonly string[]): PublicDocument => ({
  data: asJson({ ...entry, url, routes }),
  markdown: () =>
    documentOf(
      `# ${entry.code}`,
      `Status ${entry.status}. ${entry.message}.`,
      ...section('Returned by', list(routes.map((route) => `\`${route}\``))),
    ),
  cacheControl: 'public, max-age=300',
})
