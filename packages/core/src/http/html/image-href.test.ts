import { expect, it } from 'vitest'
import { imageHref } from './image-href.ts'

const site = { publicUrl: 'https://profiles.example', basePath: '/api' }

it('loads images of the service by their path on the listener, with the key that they need', () => {
  expect(imageHref('https://profiles.example/files/7', site)).toBe('/api/files/7')
  expect(imageHref('https://profiles.example/files/7?key=old', site, { keyOf: (id) => `k${id}` })).toBe(
    '/api/files/7?key=k7',
  )
  expect(imageHref('https://profiles.example/u/ada/badge.svg', site)).toBe('/api/u/ada/badge.svg')
})

it('loads images of other origins by https, if the host allows it', () => {
  expect(imageHref('https://a.example/a.png', site)).toBeUndefined()
  expect(imageHref('https://a.example/a.png', { ...site, remoteImages: true })).toBe('https://a.example/a.png')
  expect(imageHref('http://a.example/a.png', { ...site, remoteImages: true })).toBeUndefined()
})

it('loads no file that the gate of its profile closes', () => {
  // Only what decides about files.
  const gates = { version: 1, default_tier: 'public', tiers: { public: { requirements: [], access: ['content.*'] } } }
  expect(imageHref('https://profiles.example/files/7', site, { gates: gates as never })).toBeUndefined()
})

it('loads nothing without an address', () => {
  expect(imageHref(null, site)).toBeUndefined()
  expect(imageHref('a.png', site)).toBeUndefined()
})
