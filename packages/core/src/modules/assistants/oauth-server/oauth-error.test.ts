import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { errorRedirect, oauthError, redirectWith } from './oauth-error.ts'

const ISSUER = 'https://profiles.example'

describe('an error of OAuth', () => {
  it('has the body of RFC 6749, with the code beside it', () => {
    const { status, body } = oauthError('invalid_grant', 'The code has expired')
    expect({ status, body }).toEqual({
      status: 400,
      body: { error: 'invalid_grant', error_description: 'The code has expired', code: 'invalid_grant' },
    })
  })

  it('has only characters in its description that OAuth permits', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(oauthError('invalid_request', text).message).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]{0,300}$/)
      }),
    )
  })
})

describe('an answer in the address of an app', () => {
  it('keeps the query that the address has', () => {
    const at = (uri: string) => redirectWith(uri, { code: 'eepc_1' }, { issuer: ISSUER })
    const added = 'code=eepc_1&iss=https%3A%2F%2Fprofiles.example'
    expect(at('https://app.example/back')).toBe(`https://app.example/back?${added}`)
    expect(at('https://app.example/back?a=b%20c')).toBe(`https://app.example/back?a=b%20c&${added}`)
    expect(at('https://app.example/back?')).toBe(`https://app.example/back?${added}`)
    expect(at('cursor://anysphere.cursor-mcp/oauth/callback')).toBe(
      `cursor://anysphere.cursor-mcp/oauth/callback?${added}`,
    )
  })

  it('gives back any state as it was, and lets no byte of it break out of the query', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const state = text.toWellFormed()
        const address = errorRedirect('https://app.example/back', oauthError('access_denied', 'No'), {
          state,
          issuer: ISSUER,
        })
        expect(address).toMatch(/^[\x21-\x7e]+$/)
        const { origin, pathname, searchParams, hash } = new URL(address)
        expect([origin, pathname, hash]).toEqual(['https://app.example', '/back', ''])
        expect(searchParams.get('state')).toBe(state)
        expect(searchParams.get('iss')).toBe(ISSUER)
        expect(searchParams.get('error')).toBe('access_denied')
      }),
    )
  })

  it('names no code that OAuth does not know', () => {
    const address = errorRedirect('https://app.example/', { code: 'rate_limited', message: 'Wait' }, { issuer: ISSUER })
    expect(new URL(address).searchParams.get('error')).toBe('server_error')
  })
})
