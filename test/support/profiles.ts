import { serviceProbe } from '@eep/core/testing'
import { afterAll, expect } from 'vitest'
import { signUp } from './accounts.ts'
import { createTestApp } from './app.ts'
import { client, type Headers } from './client.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * A service with the accounts `ada` and `bob`, and the requests for profiles that tests send again and again: as Ada where
 * no other headers are given. It ends with the test file.
 */
export async function openProfiles() {
  const probe = serviceProbe()
  const { app, close } = await createTestApp({ modules: [probe.module] })
  afterAll(close)
  const [ada, bob] = [await signUp(app, 'ada'), await signUp(app, 'bob')]
  let number = 0
  const fresh = () => `name-${++number}`
  const { get } = client(app)
  const post = (payload: Fields, headers: Headers = ada.headers) => client(app).post('/profiles', payload, headers)
  return {
    app,
    probe,
    ada,
    bob,
    /** A username that is not taken. */
    fresh,
    get,
    json: async (url: string, headers: Headers = {}) => (await get(`${url}?format=json`, headers)).json(),
    post,
    put: (path: string, payload: Fields, headers: Headers = ada.headers) =>
      client(app).put(`/profiles${path}`, payload, headers),
    remove: (path: string, headers: Headers = ada.headers) => client(app).delete(`/profiles${path}`, headers),
    /** Creates an organization, and returns its path. */
    async organization(fields: Fields = {}) {
      const username = fresh()
      const response = await post({ profile_type: 'organization', username, ...fields })
      expect(response.statusCode, response.body).toBe(200)
      return `/o/${username}`
    },
  }
}
