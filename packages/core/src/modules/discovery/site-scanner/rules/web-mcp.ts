import { findPaidPage } from '../paid-page.ts'
import { fail, pass, type SiteRule, skip, warn } from '../rule.ts'
import type { Site } from '../site.ts'

/** The part of a page that is read, and how many of its forms. */
const MAX_HTML = 500_000
const MAX_FORMS = 50
const MAX_TAG = 4_096

/** A form that is a tool of agents in browsers. */
interface FormTool {
  readonly name: string
  readonly hasDescription: boolean
  readonly isSubmittedByAgents: boolean
  readonly isPost: boolean
  /** The names of fields without a description. */
  readonly undescribed: readonly string[]
}

const attribute = (tag: string, name: string): string | undefined =>
  new RegExp(
    `[\\s"']${name}(?:\\s{0,9}=\\s{0,9}(?:"([^"]{0,2048})"|'([^']{0,2048})'|([^\\s"'>]{1,2048})))?(?=[\\s/>])`,
    'i',
  )
    .exec(tag)
    ?.slice(1)
    .concat('')
    .find((value) => value !== undefined)

const FIELD = /<(?:input|select|textarea)\b[^<>]{0,4096}>/gi
const NO_PARAMETER = /^(?:hidden|submit|button|reset|image)$/i

function toolOf(tag: string, inside: string): FormTool | undefined {
  const name = attribute(tag, 'toolname')
  if (name === undefined) return undefined
  const fields = [...inside.matchAll(FIELD)].flatMap(([field]) => {
    const named = attribute(field, 'name')
    if (named === undefined || NO_PARAMETER.test(attribute(field, 'type') ?? '')) return []
    return [{ named, isDescribed: Boolean(attribute(field, 'toolparamdescription')) }]
  })
  const described = new Set(fields.filter(({ isDescribed }) => isDescribed).map(({ named }) => named))
  return {
    name,
    hasDescription: Boolean(attribute(tag, 'tooldescription')),
    isSubmittedByAgents: attribute(tag, 'toolautosubmit') !== undefined,
    isPost: attribute(tag, 'method')?.toLowerCase() === 'post',
    undescribed: [...new Set(fields.map(({ named }) => named))].filter((named) => !described.has(named)),
  }
}

/** The forms that are tools. */
function toolsIn(html: string): readonly FormTool[] {
  const text = html.slice(0, MAX_HTML)
  return text
    .split(/<form(?=[\s>])/i, MAX_FORMS + 1)
    .slice(1)
    .flatMap((part) => {
      const end = part.indexOf('>')
      const [inside = ''] = part.slice(end + 1).split(/<\/form/i, 1)
      return end < 0 ? [] : (toolOf(`<form${part.slice(0, Math.min(end, MAX_TAG))}>`, inside) ?? [])
    })
}

async function toolsAt(site: Site, address: string): Promise<readonly FormTool[]> {
  const page = await site.get(address, { accept: 'text/html' })
  return page.is === 'answer' ? toolsIn(page.body) : []
}

/** Forms that are tools of agents in browsers have descriptions, and no agent submits one that changes or buys something. */
export const webMcp: SiteRule = {
  id: 'web-mcp',
  category: 'discovery',
  summary: 'Forms that are tools of agents (WebMCP), if there are any, are described, and people submit those that buy',
  weight: 1,
  fix: 'Give each form with toolname a tooldescription and its fields a toolparamdescription; leave toolautosubmit to forms that only read.',
  doc: 'https://developer.chrome.com/docs/ai/webmcp',
  async check(site) {
    const own = await toolsAt(site, site.url.href)
    if (own.length === 0) return skip('The page has no form that is a tool.')
    const paid = await findPaidPage(site)
    const tools = paid && paid.url !== site.url.href ? [...own, ...(await toolsAt(site, paid.url))] : own
    const hasty = tools.find(({ isSubmittedByAgents, isPost }) => isSubmittedByAgents && isPost)
    if (hasty) return fail('An agent may submit a form that changes or buys something.', hasty.name)
    const bare = tools.find(({ name, hasDescription }) => name === '' || !hasDescription)
    if (bare) return warn('A form that is a tool has no name or no tooldescription.', bare.name)
    const vague = tools.find(({ undescribed }) => undescribed.length > 0)
    if (vague)
      return warn('A field of a tool has no toolparamdescription.', `${vague.name}: ${vague.undescribed.join(', ')}`)
    return pass(`${tools.length} forms are described as tools.`)
  },
}
