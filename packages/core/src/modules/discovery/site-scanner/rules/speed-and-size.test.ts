import { describe, expect, it } from 'vitest'
import { siteOf, type TestAnswer } from './site-fixture.ts'
import { speedAndSize } from './speed-and-size.ts'

const gzip = { 'content-encoding': 'gzip' }

describe('speed-and-size', () => {
  it.each<[string, TestAnswer, string]>([
    ['small and fast', { bytes: 1_000 }, 'pass'],
    ['compressed', { bytes: 20_000, headers: gzip }, 'pass'],
    ['not compressed', { bytes: 20_000 }, 'warn'],
    ['larger than 256 KB', { bytes: 300_000, headers: gzip }, 'warn'],
    ['larger than 1 MB', { bytes: 2_000_000, headers: gzip }, 'fail'],
    ['slower than 2 seconds', { elapsedMs: 2_500 }, 'warn'],
    ['slower than 4 seconds', { elapsedMs: 4_500 }, 'fail'],
  ])('gives $2 for a page that is %s', async (_, answer, status) => {
    expect((await speedAndSize.check(siteOf({ '/': answer }))).status).toBe(status)
  })

  it('takes the faster of two requests', async () => {
    const site = siteOf({ '/': ({ headers }) => ({ elapsedMs: headers.accept === 'text/html' ? 4_500 : 5 }) })
    expect((await speedAndSize.check(site)).status).toBe('pass')
  })
})
