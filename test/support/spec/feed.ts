import { expect } from 'vitest'
import { fixture, get, post, UNKNOWN_ID } from './fixture.ts'
import { type Answer, codeIs, count, type Headers, is, isOf, list, type Row, row, text } from './row.ts'

const record = { id: count, url: text, body: text, hashtags: expect.any(Array), counts: expect.any(Object) }
const posts = list(record)

const JSON_ONLY = { accept: 'application/json' }
const acting = (as: Headers): Headers => ({ ...as, 'x-active-profile-id': String(fixture.shop.profileId) })

/** Reads a list after a post was made for it. */
async function afterPost(url: string, as?: Headers): Promise<Answer> {
  if ((await get('/feed/hashtags/specified?format=json')).json().data.length === 0) {
    const { statusCode, body } = await post('/feed', fixture.owner, { body: 'An update #specified' })
    expect(statusCode, body).toBe(201)
  }
  return get(url, as)
}

const wrongCursor = (url: string) =>
  is(400, 'a wrong cursor', (as) => get(`${url}?cursor=nonsense`, as), undefined, codeIs('invalid_cursor'))

/** Markdown by default, the formats of documents, and those of feed readers. */
const formats = (url: string) => async (answer: Answer) => {
  isOf('application/json')(answer)
  isOf('text/markdown')(await get(url))
  const types = ['text/markdown', 'text/toon', 'text/html', 'application/feed+json', 'application/atom+xml']
  for (const accept of types) isOf(accept)(await get(url, { accept }))
  isOf('application/atom+xml')(await get(`${url}.atom`))
  isOf('application/feed+json')(await get(`${url}.json`))
  isOf('application/json')(await get(`${url}?format=json`, { accept: 'text/html' }))
}

const reads = (url: string) => is(200, 'posts', () => afterPost(url, JSON_ONLY), posts, formats(url))

export const feed: readonly Row[] = [
  row('GET /feed', 'none', reads('/feed'), wrongCursor('/feed')),
  row(
    'GET /feed/following',
    'key',
    is(200, 'the posts of followed profiles', (as) => get('/feed/following', { ...acting(as), ...JSON_ONLY }), {
      data: [],
      pagination: { total: 0, has_more: false },
    }),
    is(404, 'an unknown acting profile', (as) => get('/feed/following', { ...as, 'x-active-profile-id': UNKNOWN_ID })),
    is(
      400,
      'a wrong cursor',
      (as) => get('/feed/following?cursor=nonsense', acting(as)),
      undefined,
      codeIs('invalid_cursor'),
    ),
    is(400, 'no acting profile', (as) => get('/feed/following', as), undefined, codeIs('active_profile_required')),
  ),
  row(
    'GET /feed/{prefix}/{slug}',
    'none',
    reads('/feed/u/ada'),
    is(404, 'an unknown profile', () => get('/feed/u/unknown-name'), undefined, codeIs('profile_not_found')),
    is(404, 'an unknown prefix', () => get('/feed/q/ada')),
  ),
  row(
    'GET /feed/hashtags/{tag}',
    'none',
    reads('/feed/hashtags/specified'),
    is(200, 'a text that is not a hashtag', () => get('/feed/hashtags/a-b', JSON_ONLY), {
      data: [],
      pagination: { total: 0, has_more: false },
    }),
  ),
]
