import { expect, it } from 'vitest'
import { compactRoutes, offerOf } from './offered-route.ts'

const route = (path: string, method = 'GET') => ({ method, path, auth: 'none', tag: 'profiles', summary: '' })

it('writes routes that differ in the prefix of the profile only as one', () => {
  const routes = [route('/u/{username}'), route('/agent/{username}'), route('/u/{username}/content/{path}')]
  expect(compactRoutes(routes).map(({ path }) => path)).toEqual([
    '/{prefix}/{username}',
    '/{prefix}/{username}/content/{path}',
  ])
})

it('leaves other routes as they are', () => {
  const routes = [route('/users/{id}'), route('/u'), route('/profiles'), route('/profiles', 'POST')]
  expect(compactRoutes(routes)).toEqual(routes)
})

it('knows a route by method and path', () => {
  const offer = offerOf([route('/profiles', 'POST')])
  expect(offer.has('/profiles')).toBe(false)
  expect(offer.has('/profiles', 'POST')).toBe(true)
})
