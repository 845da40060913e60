import { describe, expect, it } from 'vitest'
import { hasLink, refusalOf, type SendingFacts } from './rules.ts'

const ALLOWED: SendingFacts = { areActive: true, isTrusted: true, isContactable: true, hasNewLink: false }
const silent = { hasWritten: false, blockedAt: null }
const NEW = { own: { ...silent, readSeq: 0 }, other: silent }
const ANSWERED = { ...NEW, other: { ...silent, hasWritten: true } }
const at = new Date(0)

const code = (conversation: Parameters<typeof refusalOf>[0], facts: Partial<SendingFacts> = {}) =>
  refusalOf(conversation, { ...ALLOWED, ...facts })?.code

describe('refusalOf', () => {
  it('lets trusted profiles write to contactable ones', () => {
    expect([code(undefined), code(NEW), code(ANSWERED)]).toEqual([undefined, undefined, undefined])
  })

  it.each([
    ['low_trust', { isTrusted: false }],
    ['low_trust', { isTrusted: false, isContactable: false }],
    ['not_contactable', { isContactable: false }],
    ['links_not_allowed', { hasNewLink: true }],
  ] as const)('answers %s to %o, unless it is a reply', (expected, facts) => {
    expect([code(undefined, facts), code(NEW, facts), code(ANSWERED, facts)]).toEqual([expected, expected, undefined])
  })

  it('blocks both sides, whichever of them blocks, before everything else', () => {
    for (const conversation of [NEW, ANSWERED]) {
      const { own, other } = conversation
      expect(code({ ...conversation, own: { ...own, blockedAt: at } }, { areActive: false })).toBe('blocked')
      expect(code({ ...conversation, other: { ...other, blockedAt: at } }, { isTrusted: false })).toBe('blocked')
    }
  })

  it('closes conversations with a profile that is gone or not active', () => {
    expect(code(ANSWERED, { areActive: false })).toBe('conversation_closed')
    expect(code({ ...NEW, other: null })).toBe('conversation_closed')
  })
})

describe('hasLink', () => {
  it.each(['https://example.com', 'see HTTP://x.y', 'www.example.com', 'go to bit.ly/3x', 'ftp://host/file'])(
    'finds the link in %o',
    (text) => {
      expect(hasLink(text)).toBe(true)
    },
  )
  it.each(['Hello there', 'e.g. and/or', '3.5/4', 'Yes.No', 'at 10:30', 'a: b // c'])('finds none in %o', (text) => {
    expect(hasLink(text)).toBe(false)
  })
})
