import { expect } from 'vitest'
import type { Person } from './accounts.ts'
import type { TestApp } from './app.ts'
import { client, type Headers } from './client.ts'

type Fields = Readonly<Record<string, unknown>>

/** The requests for profiles that tests send again and again, as one account where no other headers are given. */
export function profileRequests(app: () => TestApp, ada: () => Person) {
  let number = 0
  const fresh = () => `name-${++number}`
  const { get } = client(app)
  const post = (payload: Fields, headers: Headers = ada().headers) => client(app).post('/profiles', payload, headers)
  return {
    /** A username that is not taken. */
    fresh,
    get,
    json: async (url: string, headers: Headers = {}) => (await get(`${url}?format=json`, headers)).json(),
    post,
    put: (path: string, payload: Fields, headers: Headers = ada().headers) =>
      client(app).put(`/profiles${path}`, payload, headers),
    remove: (path: string, headers: Headers = ada().headers) => client(app).delete(`/profiles${path}`, headers),
    /** Creates an organization, and returns its path. */
    async organization(fields: Fields = {}) {
      const username = fresh()
      const response = await post({ profile_type: 'organization', username, ...fields })
      expect(response.statusCode, response.body).toBe(200)
      return `/o/${username}`
    },
  }
}
