import { describe, expect, it } from 'vitest'
import { contentSignal } from './content-signal.ts'
import { siteOf } from './site-fixture.ts'

describe('content-signal', () => {
  it.each([
    ['Content-Signal: search=yes, ai-input=yes, ai-train=no', 'pass'],
    ['content-signal:ai-train=no,search=yes , ai-input=no # comment', 'pass'],
    ['Content-Signal: search=yes', 'warn'],
    ['Content-Signal: search=maybe, ai-input=yes, ai-train=no', 'fail'],
    ['Content-Signal: everything', 'fail'],
    ['Allow: /', 'fail'],
    ['# Content-Signal: search=yes, ai-input=yes, ai-train=no', 'fail'],
  ])('for "%s" gives %s', async (line, status) => {
    const site = siteOf({ '/robots.txt': `User-agent: *\n${line}\n` })
    expect((await contentSignal.check(site)).status).toBe(status)
  })

  it('is also read from the header of robots.txt', async () => {
    const headers = { 'content-signal': 'search=yes, ai-input=yes, ai-train=no' }
    expect((await contentSignal.check(siteOf({ '/robots.txt': { body: 'x', headers } }))).status).toBe('pass')
  })
})
