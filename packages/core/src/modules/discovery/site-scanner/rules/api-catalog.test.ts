import { describe, expect, it } from 'vitest'
import { apiCatalog } from './api-catalog.ts'
import { siteOf, type TestAnswer } from './site-fixture.ts'

const type = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'
const linkset = [{ anchor: 'https://site.example/', 'service-desc': [{ href: '/openapi.json' }] }]

describe('api-catalog', () => {
  it.each<[string, TestAnswer, string]>([
    ['a linkset', { type, body: { linkset } }, 'pass'],
    ['a linkset as plain JSON', { body: { linkset } }, 'warn'],
    ['a linkset without links', { type, body: { linkset: [{ anchor: 'https://site.example/' }] } }, 'fail'],
    ['a link without href', { type, body: { linkset: [{ item: [{ url: '/' }] }] } }, 'fail'],
    ['an empty linkset', { type, body: { linkset: [] } }, 'fail'],
    ['a list', { type, body: '[]' }, 'fail'],
    ['404', { status: 404 }, 'fail'],
  ])('gives $2 for %s', async (_, answer, status) => {
    expect((await apiCatalog.check(siteOf({ '/.well-known/api-catalog': answer }))).status).toBe(status)
  })
})
