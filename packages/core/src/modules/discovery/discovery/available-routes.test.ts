import { expect, it } from 'vitest'
import { offerOf } from './available-routes.ts'

const route = (path: string, method = 'GET') => ({ method, path, auth: 'none', tag: 'profiles', summary: '' })

it('finds a route by method and path', () => {
  const offer = offerOf([route('/profiles', 'POST')])
  expect(offer.has('/profiles')).toBe(false)
  expect(offer.has('/profiles', 'POST')).toBe(true)
})
