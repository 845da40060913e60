import { describe, expect, it } from 'vitest'
import { createRewriter } from './rewrite-addresses.ts'

const rewrite = createRewriter(
  { issuer: 'https://old.example', did: 'did:web:old.example:o:acme' },
  { publicUrl: 'https://new.example', did: 'did:web:new.example:o:acme', url: 'https://new.example/o/acme' },
  new Map([[7, 70]]),
)

describe('createRewriter', () => {
  it('replaces links to files of the archive, absolute and relative', () => {
    expect(rewrite('[a](/files/7) <https://old.example/media/7> https://old.example/files/7?key=x')).toBe(
      '[a](/files/70) <https://new.example/media/70> https://new.example/files/70?key=x',
    )
  })

  it('replaces links to files that end a sentence', () => {
    expect(rewrite('See /files/7. Or https://old.example/files/7, /files/7! Was it /files/7?')).toBe(
      'See /files/70. Or https://new.example/files/70, /files/70! Was it /files/70?',
    )
    expect(rewrite('The plan (/files/7.), /files/7: it')).toBe('The plan (/files/70.), /files/70: it')
  })

  it('replaces the addresses and the DID of the profile', () => {
    expect(rewrite('https://old.example/o/acme/content/a, did:web:old.example:o:acme.')).toBe(
      'https://new.example/o/acme/content/a, did:web:new.example:o:acme.',
    )
  })

  it('keeps addresses of other files, profiles and services', () => {
    const text =
      '/files/8 /files/77 /files/7.5 /files/7.md https://other.example/files/7 https://old.example/o/acme-2 did:web:old.example:o:acme-2'
    expect(rewrite(text)).toBe(text)
  })
})
