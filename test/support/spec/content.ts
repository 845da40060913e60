import { expect } from 'vitest'
import { fixture, get, newUser, PREFIXES, post, put, remove, UNKNOWN_ID } from './fixture.ts'
import { count, done, is, list, moment, type Row, row, text } from './row.ts'

const newPage = (fields: object = {}) => ({
  profile_id: fixture.shop.profileId,
  title: 'A page',
  body: 'Text',
  ...fields,
})
const page = async () => `/manage/pages/${(await post('/manage/pages', fixture.owner, newPage())).json().id}`
const newCategory = (fields: object = {}) => ({ profile_id: fixture.shop.profileId, name: 'A category', ...fields })
const emptyCategory = async () =>
  `/manage/categories/${(await post('/manage/categories', fixture.owner, newCategory())).json().id}`
const reactions = (id: number | string = fixture.openPage) => `/content/pages/${id}/reactions`

const reactionState = {
  counts: { like: count, bookmark: count },
  me: { like: expect.any(Boolean), bookmark: expect.any(Boolean) },
}
const pageRecord = expect.objectContaining({ id: count, title: text, body: text, status: text })
const categoryRecord = expect.objectContaining({ id: count, name: text, parent_id: null })

const SUGGESTED = Object.keys(PREFIXES).filter((type) => type !== 'custom')
const LIMITS = [
  ...['max_files', 'max_batch_files', 'max_batch_size_mb', 'max_storage_mb', 'max_audio_upload_mb'],
  ...[
    'max_video_upload_mb',
    'max_media_size_mb',
    'transcription_minutes_per_month',
    'max_media_duration_minutes_per_file',
  ],
]
const EDITABLE = {
  full_name: 'Ada',
  bio: 'Bio',
  avatar_url: 'https://example.com/a.png',
  email: 'public@example.com',
  skills: ['x'],
  socials: { github: 'https://github.com/ada' },
  agent_instructions: 'Be exact.',
  agent_rules: 'Quote.',
  keywords: ['engine'],
  custom_fields: { born: 1815 },
}
export const content: readonly Row[] = [
  row(
    'GET /manage/profile',
    'bearer',
    is(200, 'the own profile', (as) => get('/manage/profile', as), expect.objectContaining({ username: 'ada' })),
    is(404, 'an account without one', async () => {
      const { headers, account } = await newUser()
      await remove(`/profiles/u/${account.username}`, headers)
      return get('/manage/profile', headers)
    }),
  ),
  row(
    'PUT /manage/profile',
    'bearer',
    is(200, 'the fields of the list, and ignores others', async () => {
      const { headers, account } = await newUser()
      const answer = await put('/manage/profile', headers, {
        ...EDITABLE,
        username: 'taken-away',
        visibility: 'private',
      })
      const { username } = account
      expect((await get('/manage/profile', headers)).json()).toMatchObject({
        ...EDITABLE,
        username,
        visibility: 'public',
      })
      return answer
    }),
    is(400, 'none of them', (as) => put('/manage/profile', as, { username: 'taken-away' })),
  ),
  row(
    'GET /manage/limits',
    'bearer',
    is(
      200,
      'the limits of the tier',
      (as) => get('/manage/limits', as),
      expect.objectContaining(Object.fromEntries(LIMITS.map((name) => [name, count]))),
    ),
  ),
  row(
    'GET /manage/default-categories',
    'bearer',
    ...SUGGESTED.map((type) =>
      is(200, type, (as) => get(`/manage/default-categories?profile_type=${type}`, as), list({ name: text })),
    ),
    is(400, 'no type', (as) => get('/manage/default-categories', as)),
    is(400, 'custom', (as) => get('/manage/default-categories?profile_type=custom', as)),
  ),
  row(
    'GET /manage/slug-preview',
    'bearer',
    is(200, 'a title', (as) => get('/manage/slug-preview?title=Notes%20on%20Zo%C3%AB', as), { slug: 'notes-on-zoe' }),
    is(400, 'no title', (as) => get('/manage/slug-preview', as)),
  ),
  row(
    'GET /manage/categories',
    'bearer',
    is(
      200,
      'a nested tree',
      async (as) => {
        await post('/manage/categories', as, newCategory({ parent_id: fixture.category }))
        return get(`/manage/categories?profile_id=${fixture.shop.profileId}`, as)
      },
      list({ children: [expect.objectContaining({ children: [] })] }),
    ),
    is(400, 'no profile', (as) => get('/manage/categories', as)),
  ),
  row(
    'POST /manage/categories',
    'bearer',
    is(
      201,
      'a category',
      (as) => post('/manage/categories', as, newCategory({ description: 'D', icon: 'I', visibility: 'private' })),
      categoryRecord,
    ),
    is(400, 'no name', (as) => post('/manage/categories', as, { profile_id: fixture.shop.profileId })),
  ),
  row(
    'PUT /manage/categories/{id}',
    'bearer',
    is(200, 'a new name', async (as) => put(await emptyCategory(), as, { name: 'N' }), categoryRecord),
  ),
  row(
    'DELETE /manage/categories/{id}',
    'bearer',
    is(200, 'an empty category', async (as) => remove(await emptyCategory(), as), done),
  ),
  row(
    'POST /manage/pages',
    'bearer',
    is(201, 'a page', (as) => post('/manage/pages', as, newPage()), pageRecord),
    is(400, 'no title', (as) => post('/manage/pages', as, { profile_id: fixture.shop.profileId, body: '' })),
  ),
  row(
    'GET /manage/pages/{id}',
    'bearer',
    is(200, 'a page', async (as) => get(await page(), as), pageRecord),
  ),
  row(
    'PUT /manage/pages/{id}',
    'bearer',
    is(200, 'a new title', async (as) => put(await page(), as, { title: 'T' }), pageRecord),
  ),
  row(
    'DELETE /manage/pages/{id}',
    'bearer',
    is(
      200,
      'a page with its versions',
      async (as) => {
        const path = await page()
        const answer = await remove(path, as)
        expect((await get(`${path}/versions`, as)).statusCode).toBe(404)
        return answer
      },
      done,
    ),
  ),
  row(
    'GET /manage/pages/{id}/versions',
    'bearer',
    is(
      200,
      'a version of each save',
      async (as) => {
        const path = await page()
        await put(path, as, { title: 'Another' })
        return get(`${path}/versions`, as)
      },
      list({ version: 2, title: 'Another', created_at: moment, created_by: text }),
    ),
  ),
  row(
    'POST /manage/reorder',
    'bearer',
    is(
      200,
      'all ids of a place',
      async (as) => {
        const { id: parent } = (await post('/manage/categories', as, newCategory())).json()
        const ids: number[] = []
        for (const title of ['One', 'Two'])
          ids.unshift((await post('/manage/pages', as, newPage({ title, category_id: parent }))).json().id)
        const answer = await post('/manage/reorder', as, { kind: 'pages', parent_id: parent, ids })
        const { data } = (
          await get(`/manage/pages?profile_id=${fixture.shop.profileId}&category_id=${parent}`, as)
        ).json()
        expect(data.map(({ id }: { id: number }) => id)).toEqual(ids)
        return answer
      },
      done,
    ),
  ),
  row(
    'GET /content/pages/{pageId}/reactions',
    'none',
    is(200, 'a page', () => get(reactions()), reactionState),
    is(404, 'no page', () => get(reactions(UNKNOWN_ID))),
  ),
  row(
    'POST /content/pages/{pageId}/reactions',
    'bearer',
    is(201, 'a like', async () => post(reactions(), (await newUser()).headers, { kind: 'like' }), {
      ...reactionState,
      me: { like: true, bookmark: false },
    }),
    is(
      200,
      'the same again',
      async () => {
        const { headers } = await newUser()
        await post(reactions(), headers, { kind: 'bookmark' })
        return post(reactions(), headers, { kind: 'bookmark' })
      },
      { ...reactionState, me: { like: false, bookmark: false } },
    ),
    is(400, 'an unknown kind', (as) => post(reactions(), as, { kind: 'dislike' })),
    is(404, 'no page', (as) => post(reactions(UNKNOWN_ID), as, { kind: 'like' })),
  ),
  row(
    'GET /content/reactions/me',
    'bearer',
    is(
      200,
      'a kind',
      async () => {
        const { headers } = await newUser()
        await post(reactions(), headers, { kind: 'like' })
        return get('/content/reactions/me?kind=like', headers)
      },
      { ...list({ id: count }), pagination: { total: 1, has_more: false, page: 1, limit: 20 } },
    ),
    is(400, 'no kind', (as) => get('/content/reactions/me', as)),
    is(400, 'page 0', (as) => get('/content/reactions/me?kind=like&page=0', as)),
  ),
]
