import { describe, expect, it } from 'vitest'
import { linkHeaders } from './link-headers.ts'
import { siteOf } from './site-fixture.ts'

describe('link-headers', () => {
  it.each([
    ['</.well-known/api-catalog>; rel="api-catalog"', 'pass'],
    ['</a>; rel=stylesheet, </openapi.json>; title="a, b; rel=x"; rel="service-desc other"', 'pass'],
    ['</a.css>; rel="preload stylesheet"', 'warn'],
    ['</a>; title="no relation"', 'fail'],
    ['not a link', 'fail'],
  ])('for %s gives %s', async (link, status) => {
    expect((await linkHeaders.check(siteOf({ '/': { headers: { link } } }))).status).toBe(status)
  })

  it('fails without a Link header', async () => {
    expect((await linkHeaders.check(siteOf({ '/': 'x' }))).status).toBe('fail')
  })

  it('reads a long header of open quotes in linear time', async () => {
    const link = '<a>; x="'.repeat(2_000)
    expect((await linkHeaders.check(siteOf({ '/': { headers: { link } } }))).status).toBe('fail')
  })
})
