import { expect, test } from 'vitest'
import { CAPABILITIES, skillsOf } from './capabilities.ts'

const ada = { username: 'ada', fullName: 'Ada Lovelace', capabilities: [] as readonly string[] }

test('makes a skill of each of the seven traits', () => {
  const skills = skillsOf({ ...ada, capabilities: CAPABILITIES })
  expect(skills.map(({ id }) => id)).toEqual([...CAPABILITIES])
  for (const { name, description, tags, examples } of skills) {
    expect(name).not.toBe('')
    expect(description).toContain('Ada Lovelace')
    expect(tags.length).toBeGreaterThan(0)
    expect(examples.length).toBeGreaterThan(0)
  }
})

test('promises no messages and no live streams, which the service does not have', () => {
  const skills = skillsOf({ ...ada, capabilities: CAPABILITIES })
  expect(JSON.stringify(skills)).not.toMatch(/messag|written to|live|as it happens|stream(?!able)|tell me when/i)
})

test('ignores unknown traits and returns each trait once, in a fixed order', () => {
  expect(skillsOf(ada)).toEqual([])
  const capabilities = ['verifiable', 'levitating', 'contactable', 'verifiable']
  expect(skillsOf({ ...ada, capabilities }).map(({ id }) => id)).toEqual(['contactable', 'verifiable'])
})

test('calls who has no name by the username', () => {
  const [skill] = skillsOf({ username: 'ada', fullName: null, capabilities: ['hireable'] })
  expect(skill?.description).toContain('ada')
})
