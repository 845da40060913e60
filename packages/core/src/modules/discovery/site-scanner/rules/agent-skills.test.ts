import { describe, expect, it } from 'vitest'
import { sha256 } from '../../../../kernel/digest.ts'
import { agentSkills } from './agent-skills.ts'
import { siteOf, type TestAnswers } from './site-fixture.ts'

const PATH = '/.well-known/agent-skills/index.json'
const FILE = '---\nname: buy\n---\n'
const skill = { name: 'buy', type: 'skill-md', description: 'Buys things.', url: '/skills/buy/SKILL.md' }
const $schema = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json'
const index = (changes: object = {}, file = FILE): TestAnswers => ({
  [PATH]: { body: { $schema, skills: [{ ...skill, digest: `sha256:${sha256(FILE)}`, ...changes }] } },
  '/skills/buy/SKILL.md': { type: 'text/markdown', body: file },
})

describe('agent-skills', () => {
  it.each<[string, TestAnswers, string]>([
    ['an index with digests', index(), 'pass'],
    ['a file of another host', index({ url: 'https://elsewhere.example/SKILL.md' }), 'pass'],
    ['another file', index({}, 'changed'), 'fail'],
    ['a missing file', index({ url: '/missing.md' }), 'fail'],
    ['no digest', index({ digest: undefined }), 'fail'],
    ['a name with capitals', index({ name: 'Buy' }), 'fail'],
    ['a name with two hyphens', index({ name: 'buy--now' }), 'fail'],
    ['a long description', index({ description: 'x'.repeat(1_025) }), 'fail'],
    ['an index without its schema', { [PATH]: { body: { skills: [skill] } } }, 'warn'],
    [
      'files in place of a URL',
      { '/.well-known/skills/index.json': { body: { skills: [{ ...skill, url: undefined, files: ['SKILL.md'] }] } } },
      'warn',
    ],
    ['no index', {}, 'skip'],
    ['no list', { [PATH]: { body: {} } }, 'fail'],
    ['a skill without description', { [PATH]: { body: { skills: [{ ...skill, description: '' }] } } }, 'fail'],
    ['a server error', { [PATH]: { status: 500 } }, 'fail'],
  ])('gives $2 for %s', async (_, answers, status) => {
    const site = siteOf(answers)
    // As the client of a scan does.
    const get: typeof site.get = async (address, headers) =>
      new URL(address, site.url).host === site.url.host
        ? site.get(address, headers)
        : { is: 'failed', reason: 'The request leads to another host.' }
    expect((await agentSkills.check({ ...site, get })).status).toBe(status)
  })
})
