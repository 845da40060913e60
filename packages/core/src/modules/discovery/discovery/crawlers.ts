import { PAGES_TAG } from '../../../http/html/visits.ts'
import { inline } from '../../../kernel/markdown.ts'
import { AI_CRAWLERS, type CrawlerRules } from '../../../model/crawler-rules.ts'
import type { Offer } from './available-routes.ts'
import type { ServiceInfo } from './manifest.ts'

const NOT_FOR_READING = new Set(['auth', 'system'])

/** The rules for the first segments of paths: those without public content are closed. */
function segmentRules({ routes }: Offer, below: string): readonly string[] {
  const segmentOf = (path: string) => path.split('/')[1] ?? ''
  const needSignIn = new Set(routes.filter(({ auth }) => auth !== 'none').map(({ path }) => segmentOf(path)))
  const open = routes.filter(
    ({ method, path, auth, tag }) =>
      method === 'GET' &&
      auth === 'none' &&
      !NOT_FOR_READING.has(tag) &&
      // Pages beside routes that need a sign-in are of the signed-in person, and send others to the sign-in page.
      !(tag === PAGES_TAG && needSignIn.has(segmentOf(path))),
  )
  const kept = new Set(open.map(({ path }) => segmentOf(path)))
  const closed = [...new Set(routes.map(({ path }) => segmentOf(path)))].filter((segment) => !kept.has(segment)).sort()
  // A rule closes everything that begins with it, so that of `/auth` would close `/auth.md`. The longer rule wins.
  const shadowed = [...kept].filter((segment) => closed.some((start) => segment.startsWith(start))).sort()
  return [
    ...shadowed.map((segment) => `Allow: ${below}/${segment}`),
    ...closed.map((segment) => `Disallow: ${below}/${segment}`),
  ]
}

const yesNo = (value: boolean) => (value ? 'yes' : 'no')

/** What the rules for crawlers depend on. */
export interface RobotsOptions {
  /** The prefix of a listener beside the public URL, such as `/api`. Default: none. */
  readonly prefix?: string | undefined
  /** Whether there are terms at `/license.xml`. Default: false. */
  readonly hasLicense?: boolean | undefined
}

/** Renders the rules for crawlers (RFC 9309) with a content signal, the URL of the terms (RSL 1.0) and that of the sitemap. */
export function robotsTxt(
  { name, publicUrl }: ServiceInfo,
  offer: Offer,
  rules: CrawlerRules,
  { prefix = '', hasLicense = false }: RobotsOptions = {},
): string {
  const { search, aiInput, aiTrain } = rules.contentSignal
  const below = prefix === '' ? new URL(publicUrl).pathname.replace(/\/$/, '') : prefix
  const unwanted = new Set(rules.disallow.map((bot) => bot.toLowerCase()))
  const signal = `Content-Signal: search=${yesNo(search)}, ai-input=${yesNo(aiInput)}, ai-train=${yesNo(aiTrain)}`
  const rulesOfAll = [signal, `Allow: ${below}/`, ...segmentRules(offer, below)]
  const groups = [
    // It is for all crawlers, so it comes before the groups.
    ...(hasLicense ? [[`License: ${publicUrl}/license.xml`]] : []),
    [
      `# ${inline(name)}`,
      '# ai-input: using a page to answer a question. ai-train: training models on it. "no" means not allowed.',
      'User-agent: *',
      ...rulesOfAll,
    ],
    [
      '# Agents that act for a user should start at /.well-known/eep/agent-guide.md',
      ...AI_CRAWLERS.filter((bot) => !unwanted.has(bot.toLowerCase())).map((bot) => `User-agent: ${bot}`),
      ...rulesOfAll,
    ],
    ...(rules.disallow.length > 0
      ? [[...rules.disallow.map((bot) => `User-agent: ${bot}`), `Disallow: ${below}/`]]
      : []),
    ...(offer.has('/sitemap.xml') ? [[`Sitemap: ${publicUrl}/sitemap.xml`]] : []),
  ]
  return `${groups.map((lines) => lines.join('\n')).join('\n\n')}\n`
}
