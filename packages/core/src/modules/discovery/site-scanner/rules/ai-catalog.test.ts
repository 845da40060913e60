import { describe, expect, it } from 'vitest'
import { aiCatalog } from './ai-catalog.ts'
import { siteOf, type TestAnswers } from './site-fixture.ts'

const PATH = '/.well-known/ai-catalog.json'
const entry = {
  identifier: 'urn:air:site.example:a2a:service',
  type: 'application/a2a-agent-card+json',
  url: 'https://site.example/card.json',
}
const catalog = { specVersion: '0.9', host: { displayName: 'Site' }, entries: [entry] }
const at = (body: object, card: TestAnswers[string] = { body: {} }): TestAnswers => ({
  [PATH]: { body },
  '/card.json': card,
})

describe('ai-catalog', () => {
  it.each<[string, TestAnswers, string]>([
    ['artifacts that exist', at(catalog), 'pass'],
    ['an embedded artifact', at({ ...catalog, entries: [{ ...entry, url: undefined, data: {} }] }), 'pass'],
    ['no catalogue', {}, 'skip'],
    ['no entries', at({ specVersion: '0.9' }), 'fail'],
    ['no version', at({ ...catalog, specVersion: undefined }), 'fail'],
    ['an entry without type', at({ ...catalog, entries: [{ ...entry, type: '' }] }), 'fail'],
    ['an entry with url and data', at({ ...catalog, entries: [{ ...entry, data: {} }] }), 'fail'],
    ['an artifact that is missing', at(catalog, { status: 404 }), 'fail'],
    ['an artifact of another type', at(catalog, { type: 'text/html', body: '<html>' }), 'fail'],
    ['no host', at({ ...catalog, host: undefined }), 'warn'],
  ])('gives $2 for %s', async (_, answers, status) => {
    expect((await aiCatalog.check(siteOf(answers))).status).toBe(status)
  })
})
