import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isEepError } from '../../../kernel/errors.ts'
import { readSiweMessage, type SiweExpectation } from './siwe-message.ts'

const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const NONCE = '0123456789abcdef0123456789abcdef'
const now = new Date('2026-11-20T20:00:00Z')
const expected: SiweExpectation = {
  domain: 'profiles.example',
  uri: 'https://profiles.example',
  chainIds: [8453, 84532],
  now,
}

interface Fields {
  readonly domain?: string
  readonly address?: string
  readonly statement?: string | null
  readonly uri?: string
  readonly version?: string
  readonly chainId?: string
  readonly nonce?: string
  readonly issuedAt?: string
  /** The lines after Issued At. */
  readonly rest?: readonly string[]
}

/** A good message, with some of it changed. */
function message({
  domain = 'profiles.example',
  address = ADDRESS,
  statement = 'Link this wallet.',
  uri = 'https://profiles.example',
  version = '1',
  chainId = '84532',
  nonce = NONCE,
  issuedAt = '2026-11-20T20:00:00Z',
  rest = [],
}: Fields = {}): string {
  return [
    `${domain} wants you to sign in with your Ethereum account:`,
    address,
    '',
    ...(statement === null ? [] : [statement]),
    '',
    `URI: ${uri}`,
    `Version: ${version}`,
    `Chain ID: ${chainId}`,
    `Nonce: ${nonce}`,
    `Issued At: ${issuedAt}`,
    ...rest,
  ].join('\n')
}

const read = (text: string, expectation: Partial<SiweExpectation> = {}) =>
  readSiweMessage(text, { ...expected, ...expectation })

async function codeOf(text: string, expectation: Partial<SiweExpectation> = {}): Promise<string> {
  try {
    await read(text, expectation)
    return 'good'
  } catch (error) {
    if (!isEepError(error)) throw error
    expect(error.status).toBe(400)
    return error.code
  }
}

describe('readSiweMessage', () => {
  it('reads what the signature has to prove', async () => {
    expect(await read(message())).toEqual({ address: ADDRESS, chainId: 84532, nonce: NONCE })
  })

  const good: [string, Fields][] = [
    ['no statement', { statement: null }],
    ['an address without a checksum', { address: ADDRESS.toLowerCase() }],
    ['the scheme before the domain', { domain: 'https://profiles.example' }],
    ['a domain in capital letters', { domain: 'Profiles.Example' }],
    ['a URI with a slash at the end', { uri: 'https://profiles.example/' }],
    ['another chain of ours', { chainId: '8453' }],
    ['a clock that is a minute ahead', { issuedAt: '2026-11-20T20:01:00Z' }],
    ['a clock in another zone', { issuedAt: '2026-11-20T21:00:59.999+01:00' }],
    ['an end that is still ahead', { rest: ['Expiration Time: 2026-11-20T20:00:01Z'] }],
    ['a beginning that is now', { rest: ['Not Before: 2026-11-20T20:00:00Z'] }],
    ['a beginning a minute ahead, as clocks differ', { rest: ['Not Before: 2026-11-20T20:01:00Z'] }],
    ['a request id and resources', { rest: ['Request ID: 7', 'Resources:', '- https://a.example', '- ipfs://b'] }],
  ]
  it.each(good)('takes %s', async (_what, fields) => {
    expect(await read(message(fields))).toMatchObject({ address: ADDRESS })
  })

  const wrong: [string, string, Fields][] = [
    ['siwe_domain_mismatch', 'another domain', { domain: 'evil.example' }],
    ['siwe_domain_mismatch', 'a domain below ours', { domain: 'a.profiles.example' }],
    ['siwe_domain_mismatch', 'our domain with a port', { domain: 'profiles.example:8443' }],
    ['siwe_domain_mismatch', 'another scheme', { domain: 'http://profiles.example' }],
    ['siwe_uri_mismatch', 'the URI of another host', { uri: 'https://evil.example' }],
    ['siwe_uri_mismatch', 'a URI with our host as its user', { uri: 'https://profiles.example@evil.example' }],
    ['siwe_uri_mismatch', 'a URI of another scheme', { uri: 'http://profiles.example' }],
    ['siwe_uri_mismatch', 'a URI below ours', { uri: 'https://profiles.example/login' }],
    ['siwe_chain_unsupported', 'a chain that is not configured', { chainId: '1' }],
    ['siwe_chain_unsupported', 'a chain without end', { chainId: '9'.repeat(40) }],
    ['siwe_version_unsupported', 'version 2', { version: '2' }],
    ['siwe_issued_in_future', 'a date more than a minute ahead', { issuedAt: '2026-11-20T20:01:00.001Z' }],
    ['siwe_issued_in_future', 'tomorrow', { issuedAt: '2026-11-21T20:00:00Z' }],
    ['siwe_expired', 'an end that is now', { rest: ['Expiration Time: 2026-11-20T20:00:00Z'] }],
    ['siwe_not_yet_valid', 'a beginning more than a minute ahead', { rest: ['Not Before: 2026-11-20T20:01:01Z'] }],
    ['invalid_siwe_message', 'a nonce of seven', { nonce: 'abcdefg' }],
    ['invalid_siwe_message', 'a nonce with a hyphen', { nonce: '0123-4567-89' }],
    ['invalid_siwe_message', 'an address with a wrong checksum', { address: ADDRESS.replace('C5', 'c5') }],
    ['invalid_siwe_message', 'a short address', { address: ADDRESS.slice(0, -1) }],
    ['invalid_siwe_message', 'a statement of two lines', { statement: 'One.\nTwo.' }],
    ['invalid_siwe_message', 'a statement with a control character', { statement: 'a\u0007b' }],
    ['invalid_siwe_message', 'a statement in another script', { statement: 'Свяжи' }],
    ['invalid_siwe_message', 'a domain of lookalikes', { domain: 'рrofiles.example' }],
    ['invalid_siwe_message', 'a statement with a key 🗝', { statement: '🗝' }],
    ['invalid_siwe_message', 'a date that is none', { issuedAt: '2026-02-30T20:00:00Z' }],
    ['invalid_siwe_message', 'a date without a zone', { issuedAt: '2026-11-20T20:00:00' }],
    ['invalid_siwe_message', 'a date in words', { issuedAt: 'Fri, 20 Nov 2026 20:00:00 GMT' }],
    ['invalid_siwe_message', 'a leap second', { issuedAt: '2026-11-20T19:59:60Z' }],
    ['invalid_siwe_message', 'lines after its end', { rest: ['and more'] }],
    ['invalid_siwe_message', 'a second nonce', { rest: [`Nonce: ${NONCE}`] }],
    ['invalid_siwe_message', 'more than four kilobytes', { statement: 'a'.repeat(4_096) }],
  ]
  it.each(wrong)('answers %s to %s', async (code, _what, fields) => {
    expect(await codeOf(message(fields))).toBe(code)
  })

  it.each([
    ['nothing', ''],
    ['garbage', 'garbage'],
    ['line ends of another system', message().replaceAll('\n', '\r\n')],
    ['a trailing line end', `${message()}\n`],
    ['a space before it', ` ${message()}`],
    ['no nonce', message().replace(`Nonce: ${NONCE}\n`, '')],
    ['no date', message().replace(/\nIssued At: .*/, '')],
    ['fields in another order', message().replace(/(Version: 1)\n(Chain ID: 84532)/, '$2\n$1')],
    ['two messages', `${message()}\n${message()}`],
  ])('answers invalid_siwe_message to %s', async (_what, text) => {
    expect(await codeOf(text)).toBe('invalid_siwe_message')
  })

  it('goes by the port of the site', async () => {
    const site = { domain: 'localhost:3000', uri: 'http://localhost:3000' }
    expect(await codeOf(message(site), site)).toBe('good')
    expect(await codeOf(message({ ...site, domain: 'localhost' }), site)).toBe('siwe_domain_mismatch')
    expect(await codeOf(message({ ...site, domain: 'localhost:3001' }), site)).toBe('siwe_domain_mismatch')
  })

  it('returns a specific error for any other input', async () => {
    const text = message()
    const change = fc.tuple(fc.nat(text.length), fc.nat(20), fc.string({ unit: 'binary', maxLength: 20 }))
    await fc.assert(
      fc.asyncProperty(change, async ([at, removed, added]) => {
        expect(await codeOf(text.slice(0, at) + added + text.slice(at + removed))).toMatch(
          /^(good|siwe_|invalid_siwe_message)/,
        )
      }),
    )
  })
})
