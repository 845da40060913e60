import { describe, expect, it } from 'vitest'
import { llmsTxt } from './llms-txt.ts'
import { siteOf, type TestAnswer } from './site-fixture.ts'

describe('llms-txt', () => {
  it.each<[string, string | TestAnswer, string]>([
    ['a title, a summary and links', '# Site\n\n> All of it.\n\n- [Docs](https://site.example/docs): how\n', 'pass'],
    ['no summary', '# Site\n\n- [Docs](/docs)\n', 'warn'],
    ['no links', '# Site\n\n> All of it.\n', 'warn'],
    ['no title', 'Welcome\n\n- [Docs](/docs)\n', 'fail'],
    ['HTML', { type: 'text/html', body: '# Site\n\n> All\n\n- [Docs](/docs)\n' }, 'fail'],
    ['404', { status: 404 }, 'fail'],
  ])('gives $2 for %s', async (_, answer, status) => {
    expect((await llmsTxt.check(siteOf({ '/llms.txt': answer }))).status).toBe(status)
  })

  it.each(['\n', '[', '- [', '](', '# ', '*\t[\r', '*\t[\u2028'])(
    'reads a million characters of %j in linear time',
    async (text) => {
      const site = siteOf({ '/llms.txt': text.repeat(1_000_000 / text.length) })
      expect(['warn', 'fail']).toContain((await llmsTxt.check(site)).status)
    },
  )
})
