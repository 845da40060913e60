import { expect, it } from 'vitest'
import { bazaarExtension } from './bazaar-extension.ts'
import { ORIGIN, siteOf, type TestAnswers } from './site-fixture.ts'

const info = { input: { type: 'http', method: 'GET', queryParams: { format: 'json' } } }
const schema = {
  type: 'object',
  properties: {
    input: {
      type: 'object',
      properties: { type: { const: 'http' }, method: { enum: ['GET'] }, queryParams: { type: 'object' } },
      required: ['type', 'method'],
      additionalProperties: false,
    },
  },
  required: ['input'],
}
const resource = { url: `${ORIGIN}/paid`, serviceName: 'Ada', tags: ['looms'], iconUrl: `${ORIGIN}/icon.png` }
const answers = (extensions: object, more: object = resource): TestAnswers => {
  const required = { x402Version: 2, resource: more, accepts: [{ scheme: 'exact' }], extensions }
  const header = Buffer.from(JSON.stringify(required)).toString('base64')
  return { '/': { status: 402, headers: { 'payment-required': header } } }
}

it.each<[string, TestAnswers, string]>([
  ['a valid extension', answers({ bazaar: { info, schema } }), 'pass'],
  ['no extension', answers({}), 'warn'],
  ['no paid page', { '/': 'open' }, 'skip'],
  ['no schema', answers({ bazaar: { info } }), 'fail'],
  ['another input', answers({ bazaar: { info: { input: { type: 'ftp' } }, schema: {} } }), 'fail'],
  [
    'a member that its schema refuses',
    answers({ bazaar: { info: { input: { ...info.input, more: 1 } }, schema } }),
    'fail',
  ],
  ['a member that its schema demands', answers({ bazaar: { info: { input: { type: 'http' } }, schema } }), 'fail'],
  ['a long name', answers({ bazaar: { info, schema } }, { ...resource, serviceName: 'x'.repeat(33) }), 'fail'],
  ['too many tags', answers({ bazaar: { info, schema } }, { ...resource, tags: [...'abcdef'] }), 'fail'],
  [
    'an icon without https',
    answers({ bazaar: { info, schema } }, { ...resource, iconUrl: 'http://a.example/i' }),
    'fail',
  ],
])('finds %s', async (_, site, status) => {
  expect((await bazaarExtension.check(siteOf(site))).status).toBe(status)
})

it('does not follow patterns, references and depth of the schema of a site', async () => {
  let deep: object = {}
  for (let level = 0; level < 500; level += 1) deep = { properties: { input: deep } }
  const hostile = { ...deep, pattern: '(a+)+$', $ref: 'https://other.example/schema' }
  const site = siteOf(answers({ bazaar: { info, schema: hostile } }))
  expect((await bazaarExtension.check(site)).status).toBe('pass')
})
