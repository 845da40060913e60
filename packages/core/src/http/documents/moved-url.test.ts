import { expect, test } from 'vitest'
import { movedUrl } from './moved-url.ts'

const moves = [
  { below: ['u'], from: 'ada', to: 'countess' },
  { from: 'did:web:x.example:u:ada', to: 'did:web:x.example:u:countess' },
]

test.each([
  ['/u/ada', '/u/countess'],
  ['/u/ada/', '/u/countess/'],
  ['/api/u/ada/content/u/ada?format=json&x=/u/ada', '/api/u/countess/content/u/ada?format=json&x=/u/ada'],
  ['/u/%61da/did.json', '/u/countess/did.json'],
  ['/u/ada.json?a', '/u/countess.json?a'],
  ['/profiles/u/ada', '/profiles/u/countess'],
  ['/eep/gates/did:web:x.example:u:ada', '/eep/gates/did%3Aweb%3Ax.example%3Au%3Acountess'],
  ['/eep/gates/did%3Aweb%3Ax.example%3Au%3Aada', '/eep/gates/did%3Aweb%3Ax.example%3Au%3Acountess'],
])('redirects %s to %s', (before, after) => {
  expect(movedUrl(before, moves)).toBe(after)
})

test.each(['/o/ada', '/ada', '/u/adam', '/u', '/resolve?did=did:web:x.example:u:ada', '/u/%'])(
  'does not redirect %s',
  (url) => {
    expect(movedUrl(url, moves)).toBeUndefined()
  },
)
