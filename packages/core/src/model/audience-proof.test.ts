import { describe, expect, it } from 'vitest'
import { mergeProofs, provableAudiences, unprovenSearchEngines } from './audience-proof.ts'

const VALUES = [
  'people',
  'browsers',
  'unverified',
  'verified_bots',
  'search_engines',
  'purpose:user',
  'purpose:training',
  'agent:https://crawler.example',
  'agent:https://crawler.example/keys.json',
]
const nothing = mergeProofs([])
const unprovable = (...[proofs, isVouchedFor]: Parameters<typeof provableAudiences>) =>
  VALUES.filter((value) => !provableAudiences(proofs, isVouchedFor)(value))

describe('what proves an audience', () => {
  it('is nothing for programs in a service without signatures, addresses and a classifying host', () => {
    expect(unprovable(nothing, false)).toEqual(VALUES.slice(3))
  })

  it('is a signature for programs, and for purposes that a known signer has', () => {
    const signatures = { signatures: true, searchEngines: [] }
    expect(unprovable(signatures, false)).toEqual(['search_engines', 'purpose:training'])
  })

  it('is the word of the host for origins, and not for the exact URL of keys', () => {
    expect(unprovable(nothing, true)).toEqual([
      'search_engines',
      'purpose:training',
      'agent:https://crawler.example/keys.json',
    ])
  })

  it('is an address for search engines', () => {
    const proofs = mergeProofs([nothing, { signatures: false, searchEngines: ['google'] }])
    expect(provableAudiences(proofs, false)('search_engines')).toBe(true)
    expect(unprovenSearchEngines(proofs)).toEqual(['bing'])
  })
})
