import { expect, it } from 'vitest'
import { redactUrl, secretPathPattern } from './logged-url.ts'

const state = {
  secretPaths: [
    secretPathPattern('/team/invites/:token/accept', 'token'),
    secretPathPattern('/pay/:processor/checkout/:checkoutId', 'checkoutId'),
  ],
}

it.each([
  ['/auth/oauth/github/callback?code=abc&state=def', '/auth/oauth/github/callback?code=[Redacted]&state=[Redacted]'],
  ['/api/auth/oauth/oidc/callback?iss=a&code=abc', '/api/auth/oauth/oidc/callback?iss=a&code=[Redacted]'],
  ['/device?user_code=WDJB-MJHT', '/device?user_code=[Redacted]'],
  ['/verify?token=abc', '/verify?token=[Redacted]'],
  ['/stream/signals?types=a.*&api_key=eep_abc#x', '/stream/signals?types=a.*&api_key=[Redacted]'],
  ['/verify?%74oken=abc&TOKEN=def&token', '/verify?token=[Redacted]&token=[Redacted]&token=[Redacted]'],
  ['/team/invites/abc/accept', '/team/invites/[Redacted]/accept'],
  ['/api/team/invites/abc/acceptt?token=def', '/api/team/invites/[Redacted]/acceptt?token=[Redacted]'],
  ['/TEAM/invites/abc', '/TEAM/invites/[Redacted]'],
  ['/pay/stripe/checkout/cs_1', '/pay/stripe/checkout/[Redacted]'],
])('redacts the credentials of %s', (url, logged) => {
  expect(redactUrl(url, state)).toBe(logged)
})

it.each([
  '/u/ada',
  '/?',
  '/search?q=token&scope=all',
  '/u/ada?format=json&&=',
  '/u/ada?%=1&%ff=2',
  '/team/invites',
  '/team/invites/',
])('leaves %s unchanged', (url) => {
  expect(redactUrl(url, state)).toBe(url)
})
