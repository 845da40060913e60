import { describe, expect, it } from 'vitest'
import { markdown } from './markdown.ts'
import { siteOf, type TestAnswer } from './site-fixture.ts'

const page = (answer: TestAnswer) =>
  siteOf({ '/': ({ headers }) => (headers.accept === 'text/markdown' ? answer : { type: 'text/html', body: '<p>' }) })
const good = { type: 'text/markdown; charset=utf-8', body: '# Hello' }

describe('markdown', () => {
  it.each<[string, TestAnswer, string]>([
    ['Markdown that varies', { ...good, headers: { vary: 'accept-encoding, Accept' } }, 'pass'],
    ['Markdown without Vary', good, 'warn'],
    ['Markdown that varies by another header', { ...good, headers: { vary: 'Accept-Encoding' } }, 'warn'],
    ['HTML', { type: 'text/html', body: '<p>' }, 'fail'],
    ['HTML that is called Markdown', { ...good, body: ' <!doctype html>' }, 'fail'],
    ['406', { status: 406 }, 'fail'],
    ['402', { status: 402 }, 'skip'],
  ])('gives $2 for a page that returns %s', async (_, answer, status) => {
    expect((await markdown.check(page(answer))).status).toBe(status)
  })
})
