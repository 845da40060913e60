import { describe, expect, it } from 'vitest'
import { checkOf, fail, pass } from '../rule.ts'
import { SITE_RULES } from './index.ts'
import { siteOf, type TestAnswers } from './site-fixture.ts'

describe('the rules', () => {
  it('have unique names, weights from 1 to 10, and links to what they are about', () => {
    const ids = SITE_RULES.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { id, weight, doc, fix, summary } of SITE_RULES) {
      expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      expect([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]).toContain(weight)
      expect(new URL(doc).protocol).toBe('https:')
      expect(Math.min(fix.length, summary.length)).toBeGreaterThan(20)
    }
  })

  const everywhere = (answer: TestAnswers[string]): TestAnswers =>
    new Proxy({}, { get: (_, path) => (path === '/robots.txt' ? 'User-agent: *\n' : answer) })

  it.each<[string, TestAnswers[string]]>([
    ['nothing', ''],
    ['null', { type: 'application/json', body: 'null' }],
    ['deeply nested lists', { type: 'application/json', body: '['.repeat(100_000) }],
    ['lists in place of objects', { body: { linkset: [[]], keys: [[]], skills: [null], accepts: 1, 'x-eep': [] } }],
    ['server errors', { status: 503 }],
    ['402 without anything', { status: 402 }],
    ['no answers', () => ({ is: 'failed', reason: 'The connection failed.' })],
    ['disallowed requests', () => ({ is: 'disallowed', reason: 'robots.txt forbids it.' })],
  ])('find something on a site that answers everything with %s', async (_, answer) => {
    for (const rule of SITE_RULES) {
      const finding = await rule.check(siteOf(everywhere(answer)))
      expect(['pass', 'warn', 'fail', 'skip'], rule.id).toContain(finding.status)
      expect(finding.detail, rule.id).toMatch(/\S/)
    }
  })
})

describe('a check', () => {
  const [rule] = SITE_RULES
  if (!rule) throw new Error('there are no rules')

  it('has a fix when it does not pass', () => {
    expect(checkOf(rule, fail('No.')).fix).toBe(rule.fix)
    expect(checkOf(rule, pass('Yes.')).fix).toBeNull()
  })

  it('has shortened evidence on one line, without control characters and broken pairs', () => {
    const { evidence } = checkOf(rule, fail('No.', `a\u0000\n\u202eb${'\u{1f600}'.repeat(500)}`))
    expect(evidence).toMatch(/^a b\u{1f600}/u)
    expect(evidence?.length).toBeLessThanOrEqual(300)
    expect(evidence?.isWellFormed()).toBe(true)
  })
})
