import { expect, it } from 'vitest'
import { withoutSecrets } from './logged-url.ts'

it.each([
  ['/auth/oauth/github/callback?code=abc&state=def', '/auth/oauth/github/callback?code=[Redacted]&state=[Redacted]'],
  ['/api/auth/oauth/oidc/callback?iss=a&code=abc', '/api/auth/oauth/oidc/callback?iss=a&code=[Redacted]'],
  ['/verify?token=abc', '/verify?token=[Redacted]'],
  ['/stream/signals?types=a.*&api_key=eep_abc#x', '/stream/signals?types=a.*&api_key=[Redacted]'],
  ['/verify?%74oken=abc&TOKEN=def&token', '/verify?token=[Redacted]&token=[Redacted]&token=[Redacted]'],
])('keeps secrets of %s to itself', (url, logged) => {
  expect(withoutSecrets(url)).toBe(logged)
})

it.each(['/u/ada', '/?', '/search?q=token&scope=all', '/u/ada?format=json&&=', '/u/ada?%=1&%ff=2'])(
  'leaves %s as it is',
  (url) => {
    expect(withoutSecrets(url)).toBe(url)
  },
)
