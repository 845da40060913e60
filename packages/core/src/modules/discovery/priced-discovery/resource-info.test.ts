import { describe, expect, it } from 'vitest'
import { acceptedTags, isIconUrl, isShortText, sellerInfo } from './resource-info.ts'

const profile = { fullName: 'Ada', username: 'ada', keywords: ['looms'], avatarUrl: 'https://id.example/a.png' }
const service = { serviceName: 'Shops', tags: ['shops'], iconUrl: 'https://id.example/favicon.ico' }

describe('what catalogues accept', () => {
  it.each(['', ' lead', 'né', 'a\tb', 'x'.repeat(33)])('is not the text %j', (text) => {
    expect(isShortText(text)).toBe(false)
  })

  it('are at most five tags, each once', () => {
    expect(acceptedTags(['a', 'A', 'x'.repeat(33), 'b', 'c', 'd', 'e', 'f'])).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it.each([
    'http://id.example/a.png',
    'https://user@id.example/a.png',
    'https://127.0.0.1/a.png',
    'https://2130706433/a.png',
    'https://[::1]/a.png',
    'https://localhost/a.png',
    'https://localhost./a.png',
    'https://a.localhost/a.png',
    '/a.png',
    `https://id.example/${'x'.repeat(2_048)}`,
  ])('is not the icon %s', (url) => {
    expect(isIconUrl(url)).toBe(false)
  })
})

describe('a seller in catalogues', () => {
  it('has its own name, keywords and avatar', () => {
    expect(sellerInfo(profile, undefined, service)).toEqual({
      serviceName: 'Ada',
      tags: ['looms'],
      iconUrl: 'https://id.example/a.png',
    })
  })

  it('has those of the service where its own do not fit, and none where neither does', () => {
    const odd = { ...profile, fullName: 'Ada of the very long and winding name', keywords: ['né'], avatarUrl: null }
    expect(sellerInfo(odd, undefined, service)).toEqual(service)
    const none = { serviceName: 'é', tags: [], iconUrl: 'http://localhost:3000/favicon.ico' }
    expect(sellerInfo(odd, undefined, none)).toEqual({})
  })

  it('shows no field that its gate closes', () => {
    const gates = {
      default_tier: 'public',
      tiers: {
        public: { requirements: [], access: ['profile.*'] },
        paid: {
          requirements: [{ type: 'payment', amount: 1, currency: 'usd', per: 'once' } as const],
          access: ['profile.keywords', 'profile.avatar_url'],
        },
      },
    }
    expect(sellerInfo(profile, gates, service)).toEqual({ ...service, serviceName: 'Ada' })
  })
})
