import { describe, expect, it } from 'vitest'
import { agentSkills } from './agent-skills.ts'
import { siteOf, type TestAnswers } from './site-fixture.ts'

const PATH = '/.well-known/agent-skills/index.json'
const skill = { name: 'buy', description: 'Buys things.', url: '/skills/buy/SKILL.md' }

describe('agent-skills', () => {
  it.each<[string, TestAnswers, string]>([
    ['a list', { [PATH]: { body: { skills: [skill] } } }, 'pass'],
    [
      'files in place of a URL',
      { '/.well-known/skills/index.json': { body: { skills: [{ ...skill, url: undefined, files: ['SKILL.md'] }] } } },
      'pass',
    ],
    ['no index', {}, 'skip'],
    ['no list', { [PATH]: { body: {} } }, 'fail'],
    ['a skill without description', { [PATH]: { body: { skills: [{ ...skill, description: '' }] } } }, 'fail'],
    ['a server error', { [PATH]: { status: 500 } }, 'fail'],
  ])('gives $2 for %s', async (_, answers, status) => {
    expect((await agentSkills.check(siteOf(answers))).status).toBe(status)
  })
})
