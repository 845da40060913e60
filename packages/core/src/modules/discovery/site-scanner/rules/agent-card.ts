import { fail, pass, type SiteRule, skip } from '../rule.ts'
import { describe, isFilled, isMissing, isRecord, isWebUrl, jsonOf } from '../site.ts'

/** The A2A agent card of the site is valid. */
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
    return pass(`The agent card has ${card.skills.length} skills.`, String(card.name))
  },
}
