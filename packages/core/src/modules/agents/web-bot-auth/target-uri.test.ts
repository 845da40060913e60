import { expect, it } from 'vitest'
import { targetUriOf } from './target-uri.ts'

const service = new URL('https://profiles.example:8443')

it.each([
  ['/pages?a=%2f', 'https://profiles.example:8443/pages?a=%2f'],
  ['//pages', 'https://profiles.example:8443//pages'],
  ['https://profiles.example:8443/pages?a=1', 'https://profiles.example:8443/pages?a=1'],
  ['HTTP://Profiles.Example:8443/', 'https://profiles.example:8443/'],
  ['http://evil.example/pages', undefined],
  ['http://profiles.example/pages', undefined],
  ['http://profiles.example:8443@evil.example/pages', undefined],
  ['http://profiles.example:8443?a/pages', undefined],
  ['http://profiles.example:8443', undefined],
  ['*', undefined],
])('the target %s is %s', (url, target) => {
  expect(targetUriOf(url, service)).toBe(target)
})
