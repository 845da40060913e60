import { describe, expect, it } from 'vitest'
import { aiCrawlers } from './ai-crawlers.ts'
import { siteOf, type TestAnswers } from './site-fixture.ts'

const statusOf = async (answers: TestAnswers) => (await aiCrawlers.check(siteOf(answers))).status

describe('ai-crawlers', () => {
  it('passes when AI crawlers are named and some may read the page', async () => {
    const body = 'User-agent: *\nAllow: /\n\nUser-agent: CCBot\nDisallow: /\n\nUser-agent: GPTBot\nAllow: /\n'
    const finding = await aiCrawlers.check(siteOf({ '/robots.txt': body }))
    expect(finding.status).toBe('pass')
    expect(finding.evidence).toMatch(/^named: GPTBot, CCBot; allowed: (?!.*CCBot)GPTBot/)
  })

  it('warns when no AI crawler is named', async () => {
    expect(await statusOf({ '/robots.txt': 'User-agent: *\nAllow: /\n' })).toBe('warn')
  })

  it('warns when the page is forbidden to all of them', async () => {
    const allow = 'User-agent: EEP-Site-Scanner\nAllow: /\n\n'
    expect(await statusOf({ '/robots.txt': `${allow}User-agent: *\nDisallow: /\n` })).toBe('warn')
  })

  it('is skipped without a robots.txt', async () => {
    expect(await statusOf({})).toBe('skip')
  })
})
