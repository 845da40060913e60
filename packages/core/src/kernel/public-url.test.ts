import { expect, it } from 'vitest'
import { normalUrl, pathBelow } from './public-url.ts'

it.each([
  ['https://日本語.example', 'https://xn--wgv71a119e.example'],
  ['https://bücher.example/Profile', 'https://xn--bcher-kva.example/Profile'],
  ['HTTPS://Profiles.Example:443/', 'https://profiles.example'],
  ['http://profiles.example:8080/a/', 'http://profiles.example:8080/a'],
  ['http://[::1]:3000', 'http://[::1]:3000'],
])('writes %s as %s', (text, url) => {
  expect(normalUrl(text)).toEqual({ url })
})

it.each([
  ['https://user:secret@profiles.example', 'user name'],
  ['https://profiles.example.', 'dot'],
  ['https://', 'URL'],
  ['ftp://profiles.example', 'http'],
  ['https://profiles.example/?a=1', 'query'],
  ['https://profiles.example/#', 'fragment'],
])('refuses %s', (text, problem) => {
  expect(normalUrl(text)).toEqual({ problem: expect.stringContaining(problem) })
})

it.each([
  ['https://bücher.example/u/ada?a=1#b', '/u/ada?a=1#b'],
  ['https://xn--bcher-kva.example', '/'],
  ['https://BÜCHER.example:443/u', '/u'],
  ['https://xn--bcher-kva.example.evil.example/u', undefined],
  ['https://evil.example/https://xn--bcher-kva.example/u', undefined],
  ['http://xn--bcher-kva.example/u', undefined],
  ['/u/ada', undefined],
])('finds the path of %s below the service', (address, path) => {
  expect(pathBelow('https://xn--bcher-kva.example', address)).toBe(path)
})

it('does not take another path for one below the base path', () => {
  expect(pathBelow('https://a.example/eep', 'https://a.example/eep/u')).toBe('/u')
  expect(pathBelow('https://a.example/eep', 'https://a.example/eeper/u')).toBeUndefined()
})
