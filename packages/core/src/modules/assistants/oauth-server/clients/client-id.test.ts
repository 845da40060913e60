import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkClientId, isDocumentAddress } from './client-id.ts'

const kindOf = (text: string) => {
  try {
    return checkClientId(text)
  } catch (error) {
    return (error as { readonly code: string }).code
  }
}

describe('the id of an app', () => {
  it.each([
    ['https://claude.ai/oauth/mcp-oauth-client-metadata', 'cimd'],
    ['https://app.example/client.json?version=2', 'cimd'],
    ['https://app.example:8443/client', 'cimd'],
    [`eepd_${'aB3_-'.repeat(20)}`, 'registered'],
    ['my-assistant', 'configured'],
    ['com.example.app', 'configured'],
  ])('%j is that of an app that is %s', (text, kind) => expect(kindOf(text)).toBe(kind))

  it.each([
    '',
    'https://app.example',
    'https://app.example/',
    'http://app.example/client',
    'https://app.example/client#',
    'https://app.example/client#a',
    'https://user@app.example/client',
    'https://user:password@app.example/client',
    'https://@app.example/client',
    'https://app.example/a/../client',
    'https://app.example/./client',
    'https://app.example/%2e%2e/client',
    'https://app.example/.%2E/client',
    'https://app.example/client/..',
    'https://APP.example/client',
    'https://app.example:443/client',
    'https://app.example./client',
    'https://app.example\\client',
    'https:app.example/client',
    'https:///app.example/client',
    'https://app.example/cli ent',
    'https://app.example/client\n',
    'https://äpp.example/client',
    'HTTPS://app.example/client',
    'javascript:alert(1)',
    'eepd_short',
    'two words',
    `https://app.example/${'a'.repeat(1_200)}`,
  ])('is not %j', (text) => expect(kindOf(text)).toBe('invalid_client'))

  it('is an address only in the one spelling that parsers return', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (text) => {
        if (isDocumentAddress(text)) expect(new URL(text).href).toBe(text)
      }),
    )
  })

  it('is never read from any text with another error', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(['invalid_client', 'cimd', 'registered', 'configured']).toContain(kindOf(text))
      }),
    )
  })
})
