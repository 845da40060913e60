import { fail, pass, type SiteRule, skip } from '../rule.ts'
import { describe, firstFound, isFilled, isRecord, jsonOf } from '../site.ts'

const PATHS = ['/.well-known/agent-skills/index.json', '/.well-known/skills/index.json'] as const

/** The index of agent skills, where the site has one, lists each skill with its file. */
export const agentSkills: SiteRule = {
  id: 'agent-skills',
  category: 'discovery',
  summary: 'The index of agent skills, if the site has one, is valid',
  weight: 2,
  fix: 'List each skill in /.well-known/agent-skills/index.json with name, description and the URL of its SKILL.md.',
  doc: 'https://agentskills.io/',
  async check(site) {
    const found = await firstFound(site, PATHS)
    if (!found) return skip('The site has no index of agent skills.')
    if (found.is !== 'answer') return skip(found.reason)
    const skills = found.status === 200 ? jsonOf(found)?.skills : undefined
    if (!Array.isArray(skills)) return fail('The index of agent skills has no list of skills.', describe(found))
    const isSkill = (skill: unknown) =>
      isRecord(skill) &&
      isFilled(skill.name) &&
      isFilled(skill.description) &&
      (isFilled(skill.url) || (Array.isArray(skill.files) && skill.files.every(isFilled)))
    if (!skills.every(isSkill)) return fail('A skill of the index lacks name, description, or url and files.')
    return pass(`The index lists ${skills.length} agent skills.`)
  },
}
