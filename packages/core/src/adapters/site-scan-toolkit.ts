import { assertInstalled, loadInstalled } from '../kernel/assert-installed.ts'
import type { HtmlOutline, RobotsRules, SiteScanToolkit } from '../ports/site-scan-toolkit.ts'

/** The module of `robots-parser` is the function, while its types describe one with a default export. */
type RobotsParser = (
  url: string,
  text: string,
) => { isAllowed(url: string, agent: string): boolean | undefined; getSitemaps(): readonly string[] }

/** More scripts than this are not structured data of one page. */
const MAX_SCRIPTS = 20
/** The part of a page that is read. */
const MAX_HTML = 512 * 1024
/** Closing a tag takes time in proportion to the depth, so a page of only nested tags would take seconds. */
const MAX_DEPTH = 1_000

// A file with more rules is not read, because the parser repeats each rule for each agent of its group, and compares
// rules with wildcards with each part of a path.
const MAX_ROBOTS_LINES = 20_000
const MAX_ROBOTS_RULES = 20_000
const MAX_WILDCARD_CHARACTERS = 20_000

const FORBIDS_ALL: RobotsRules = { isAllowed: () => false, sitemaps: [] }

/**
 * Parses `robots.txt` with `robots-parser` and pages with `htmlparser2`, which is loaded with the first page.
 *
 * @throws MissingPackagesError when one of them is not installed
 */
export function siteScanToolkit(): SiteScanToolkit {
  assertInstalled('robots-parser', 'htmlparser2')
  const parseFile = loadInstalled<RobotsParser>('robots-parser')
  return {
    parseRobots(url, text): RobotsRules {
      if (isExcessive(text)) return FORBIDS_ALL
      const rules = parseFile(url, text)
      return {
        // Undefined for a URL of another host, to which the file does not apply.
        isAllowed: (address, agent) => rules.isAllowed(address, agent) ?? false,
        sitemaps: rules.getSitemaps(),
      }
    },
    outlineHtml,
  }
}

/** Whether a `robots.txt` would take more memory or time than those of real sites. Groups agents as the parser does. */
function isExcessive(text: string): boolean {
  const lines = text.split(/\r\n|\r|\n/)
  if (lines.length > MAX_ROBOTS_LINES) return true
  let agents = 0
  const names = new Set<string>()
  let rules = 0
  let wildcards = 0
  let isInAgents = false
  for (const line of lines) {
    const [content = ''] = line.split('#', 1)
    const colon = content.indexOf(':')
    const directive = content.slice(0, Math.max(0, colon)).trim().toLowerCase()
    if (directive === '') continue
    const value = content.slice(colon + 1).trim()
    if (directive === 'user-agent') {
      if (!isInAgents) {
        agents = 0
        names.clear()
      }
      agents += 1
      names.add(value.toLowerCase().split('/', 1)[0]?.trim() ?? '')
    } else if (directive === 'allow' || directive === 'disallow' || directive === 'crawl-delay') {
      rules += Math.max(1, agents)
      // An agent that is repeated has the rule as often.
      if (value.includes('*')) wildcards += value.length * (1 + agents - names.size)
    }
    isInAgents = directive === 'user-agent'
  }
  return rules > MAX_ROBOTS_RULES || wildcards > MAX_WILDCARD_CHARACTERS
}

async function outlineHtml(html: string): Promise<HtmlOutline> {
  const { Parser } = await import('htmlparser2')
  let lang: string | null = null
  let title: string | null = null
  let description: string | null = null
  let headings = 0
  let depth = 0
  const jsonLd: string[] = []
  // The text that is collected: of the title, or of a script.
  let collected: string[] | undefined
  const parser = new Parser({
    onopentag(name, attributes) {
      depth += 1
      if (depth > MAX_DEPTH) parser.pause()
      if (name === 'html') lang ??= attributes.lang?.trim() || null
      if (name === 'h1') headings += 1
      if (name === 'meta' && attributes.name?.toLowerCase() === 'description') {
        description ??= attributes.content?.trim() || null
      }
      const isData = name === 'script' && /^application\/ld\+json\s*(;|$)/i.test(attributes.type ?? '')
      if ((name === 'title' && title === null) || (isData && jsonLd.length < MAX_SCRIPTS)) collected = []
    },
    ontext(text) {
      collected?.push(text)
    },
    onclosetag(name) {
      depth -= 1
      if (!collected || (name !== 'title' && name !== 'script')) return
      const text = collected.join('').trim()
      collected = undefined
      if (name === 'script') jsonLd.push(text)
      else title = text || null
    },
  })
  parser.end(html.slice(0, MAX_HTML))
  return { lang, title, description, jsonLd, headings }
}
