import { sha256 } from '../../../../kernel/digest.ts'
import { fail, pass, type SiteRule, skip, warn } from '../rule.ts'
import { describe, firstFound, isFilled, isRecord, jsonOf, type Site } from '../site.ts'

const PATHS = ['/.well-known/agent-skills/index.json', '/.well-known/skills/index.json'] as const
const SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json'
const NAME = /^(?=.{1,64}$)[a-z0-9]+(-[a-z0-9]+)*$/
const MAX_DESCRIPTION = 1_024
/** The number of files whose digests are compared: a scan has few requests. */
const MAX_FILES = 1

type Skill = Readonly<Record<string, unknown>>

const isSkill = (skill: unknown): skill is Skill =>
  isRecord(skill) &&
  isFilled(skill.name) &&
  isFilled(skill.description) &&
  (isFilled(skill.url) || (Array.isArray(skill.files) && skill.files.length > 0))

/** Whether the file of a skill differs from its digest. Undefined when the file cannot be read here. */
async function differs(site: Pick<Site, 'get'>, { url, digest }: Skill, base: string): Promise<boolean | undefined> {
  if (!isFilled(url) || !isFilled(digest) || !URL.canParse(url, base)) return undefined
  const file = await site.get(new URL(url, base).href)
  if (file.is !== 'answer' || file.isCut) return undefined
  return file.status !== 200 || digest.toLowerCase() !== `sha256:${sha256(file.body)}`
}

/** The index of agent skills, where the site has one, lists each skill with its file and the digest of it. */
export const agentSkills: SiteRule = {
  id: 'agent-skills',
  category: 'discovery',
  summary: 'The index of agent skills, if the site has one, is valid, and its digests are those of the files',
  weight: 2,
  fix: `List each skill in /.well-known/agent-skills/index.json with name, description, url and digest, under "$schema": "${SCHEMA}".`,
  doc: 'https://agentskills.io/',
  async check(site) {
    const found = await firstFound(site, PATHS)
    if (!found) return skip('The site has no index of agent skills.')
    if (found.is !== 'answer') return skip(found.reason)
    const index = found.status === 200 ? jsonOf(found) : undefined
    const skills = index?.skills
    if (!Array.isArray(skills)) return fail('The index of agent skills has no list of skills.', describe(found))
    if (!skills.every(isSkill)) return fail('A skill of the index lacks name, description, or url and files.')
    const misnamed = skills.find(({ name }) => !NAME.test(String(name)))
    if (misnamed)
      return fail('The name of a skill is not lowercase letters, digits and hyphens.', String(misnamed.name))
    const long = skills.find(({ description }) => String(description).length > MAX_DESCRIPTION)
    if (long) return fail(`The description of a skill is longer than ${MAX_DESCRIPTION} characters.`, String(long.name))
    if (index?.$schema !== SCHEMA)
      return warn('The index of agent skills is not of version 0.2.0.', String(index?.$schema))
    if (!skills.every(({ digest }) => isFilled(digest))) return fail('A skill of the index has no digest.')
    for (const skill of skills.slice(0, MAX_FILES)) {
      if (await differs(site, skill, found.url)) {
        return fail('The digest of a skill is not that of its file.', String(skill.name))
      }
    }
    return pass(`The index lists ${skills.length} agent skills.`)
  },
}
