import { expect } from 'vitest'
import { newName } from '../accounts.ts'
import { fixture, get, PREFIXES, post, put, remove } from './fixture.ts'
import { count, type Headers, is, type Row, row, text } from './row.ts'

const newProfile = (fields: object = {}) => ({ profile_type: 'place', username: newName(), type_data: {}, ...fields })
async function place(as: Headers): Promise<string> {
  const { username } = (await post('/profiles', as, newProfile())).json()
  return `/profiles/l/${username}`
}

const profileRecord = expect.objectContaining({ id: count, profile_type: text, username: text, type_data: {} })

export const profiles: readonly Row[] = [
  row(
    'POST /profiles',
    'bearer',
    ...Object.keys(PREFIXES)
      .filter((type) => type !== 'person')
      .map((type) =>
        is(200, `a profile of type ${type}`, (as) => post('/profiles', as, newProfile({ profile_type: type })), {
          success: true,
          username: text,
          id: count,
          url: text,
        }),
      ),
    is(400, 'an unknown type', (as) => post('/profiles', as, newProfile({ profile_type: 'planet' }))),
    is(400, 'type data of another type', (as) => post('/profiles', as, newProfile({ type_data: { sku: '1' } }))),
  ),
  row(
    'GET /profiles/{prefix}/{username}',
    'none',
    is(200, 'a profile', () => get('/profiles/u/ada'), profileRecord),
    is(404, 'an unknown profile', () => get('/profiles/u/unknown-name')),
    is(404, 'a name under another type', () => get('/profiles/o/ada')),
  ),
  row(
    'PUT /profiles/{prefix}/{username}',
    'bearer',
    is(200, 'a field, and leaves the others', async (as) => {
      const path = await place(as)
      await put(path, as, { bio: 'Kept' })
      const answer = await put(path, as, { full_name: 'Changed', files_to_delete: [] })
      expect((await get(path)).json()).toMatchObject({ bio: 'Kept', full_name: 'Changed' })
      return answer
    }),
    is(400, 'a wrong field', async (as) => put(await place(as), as, { full_name: 7 })),
    is(403, 'a caller that is not the owner', async (as) =>
      put(await place(as), fixture.otherUser, { full_name: 'Mine' }),
    ),
  ),
  row(
    'DELETE /profiles/{prefix}/{username}',
    'bearer',
    is(
      200,
      'the owner',
      async (as) => {
        const path = await place(as)
        const answer = await remove(path, as)
        expect((await get(path)).statusCode).toBe(404)
        return answer
      },
      { success: true, message: text },
    ),
    is(403, 'a caller that is not the owner', async (as) => remove(await place(as), fixture.otherUser)),
    is(404, 'an unknown profile', (as) => remove('/profiles/l/unknown-name', as)),
    is(500, 'a storage that fails', async (as) => {
      const path = await place(as)
      fixture.broken = true
      const answer = await remove(path, as)
      fixture.broken = false
      expect((await get(path)).statusCode).toBe(200)
      return answer
    }),
  ),
  row(
    'GET /profiles/{id}/completion',
    'bearer',
    is(200, 'a member of the team', (as) => get(`/profiles/${fixture.shop.profileId}/completion`, as), {
      missing: ['avatar', 'bio', 'socials', 'skills'],
      count: 4,
    }),
    is(404, 'a caller that may not see it', () =>
      get(`/profiles/${fixture.shop.profileId}/completion`, fixture.otherUser),
    ),
  ),
  row(
    'GET /dashboard/profiles',
    'bearer',
    is(
      200,
      'the profiles',
      (as) => get('/dashboard/profiles', as),
      expect.objectContaining({
        profiles: expect.arrayContaining([
          expect.objectContaining({ username: 'ada', type_data: {}, files: [], metrics: expect.any(Object) }),
        ]),
      }),
    ),
  ),
  row(
    'GET /check-username',
    'none',
    is(200, 'a free name', () => get('/check-username?username=free-as-a-bird'), { available: true }),
    is(200, 'a name of any type', () => get('/check-username?username=ada'), { available: false }),
    is(200, 'a name under another type', () => get('/check-username?username=ada&type=event'), { available: true }),
    is(400, 'no name', () => get('/check-username')),
    is(400, 'an unknown type', () => get('/check-username?username=ada&type=planet')),
  ),
]
