import { fail, pass, type SiteRule, skip } from '../rule.ts'
import { describe, isFilled, isMissing, isRecord, isWebUrl, jsonOf, type Site } from '../site.ts'

/** The bindings that A2A defines. Others are named by a URI. */
const CORE_BINDINGS: ReadonlySet<unknown> = new Set(['JSONRPC', 'GRPC', 'HTTP+JSON'])

interface Binding {
  readonly name: unknown
  readonly url: unknown
}

/** The bindings of a card. Version 0.x names the main one by `preferredTransport`, which is JSON-RPC by default. */
function bindingsOf(card: Readonly<Record<string, unknown>>): readonly Binding[] {
  const { supportedInterfaces, additionalInterfaces, preferredTransport, url } = card
  const records = (value: unknown) => (Array.isArray(value) ? value.filter(isRecord) : [])
  const supported = records(supportedInterfaces).map((each) => ({ name: each.protocolBinding, url: each.url }))
  const additional = records(additionalInterfaces).map((each) => ({ name: each.transport, url: each.url }))
  const main = isFilled(preferredTransport) ? preferredTransport : supported.length === 0 ? 'JSONRPC' : undefined
  return [...(main === undefined ? [] : [{ name: main, url }]), ...supported, ...additional]
}

/** The fault in the bindings and capabilities of a card; undefined for none. */
async function faultOf(site: Pick<Site, 'get'>, card: Readonly<Record<string, unknown>>): Promise<string | undefined> {
  const core = bindingsOf(card).filter(({ name }) => CORE_BINDINGS.has(name))
  const { streaming, pushNotifications } = isRecord(card.capabilities) ? card.capabilities : {}
  if (core.length === 0 && (streaming === true || pushNotifications === true)) {
    return 'The agent card claims streaming or push notifications of A2A without a binding of A2A.'
  }
  for (const { name, url } of core) {
    if (name !== 'JSONRPC' || !isWebUrl(url)) continue
    // An endpoint for POST alone returns 405. Nothing is sent to it.
    if (isMissing(await site.get(url))) return 'The agent card names a JSON-RPC endpoint that does not exist.'
  }
  return undefined
}

/** The A2A agent card of the site is valid, and its bindings exist. */
export const agentCard: SiteRule = {
  id: 'agent-card',
  category: 'discovery',
  summary: 'An A2A agent card describes what agents can do with the site',
  weight: 4,
  fix: 'Serve /.well-known/agent-card.json with name, description, url or supportedInterfaces, version, capabilities and skills.',
  doc: 'https://a2a-protocol.org/latest/specification/',
  async check(site) {
    const current = await site.get('/.well-known/agent-card.json')
    const answer = isMissing(current) ? await site.get('/.well-known/agent.json') : current
    if (answer.is !== 'answer') return skip(answer.reason)
    if (answer.status !== 200) return fail('The site has no agent card.', describe(answer))
    const card = jsonOf(answer)
    if (!card) return fail('The agent card is not a JSON object.', describe(answer))
    const missing = ['name', 'description', 'version'].filter((name) => !isFilled(card[name]))
    if (missing.length > 0) return fail(`The agent card lacks ${missing.join(', ')}.`)
    const interfaces = Array.isArray(card.supportedInterfaces) ? card.supportedInterfaces : []
    if (!isWebUrl(card.url) && !interfaces.some((each) => isRecord(each) && isWebUrl(each.url))) {
      return fail('The agent card has no url.')
    }
    if (!isRecord(card.capabilities)) return fail('The agent card has no capabilities.')
    const isSkill = (skill: unknown) =>
      isRecord(skill) &&
      ['id', 'name', 'description'].every((name) => isFilled(skill[name])) &&
      Array.isArray(skill.tags)
    if (!Array.isArray(card.skills) || card.skills.length === 0 || !card.skills.every(isSkill)) {
      return fail('The agent card has no skills, or one without id, name, description or tags.')
    }
    const fault = await faultOf(site, card)
    if (fault !== undefined) return fail(fault)
    return pass(`The agent card has ${card.skills.length} skills.`, String(card.name))
  },
}
