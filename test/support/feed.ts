import { expect } from 'vitest'
import type { Client, Headers, Requests, Response } from './client.ts'
import { client } from './client.ts'

/** A post as the service returns it, as far as tests read it. */
export interface Post {
  readonly id: number
  readonly url: string
  readonly body: string
  readonly hashtags: readonly string[]
  readonly entities: readonly {
    readonly type: string
    readonly text: string
    readonly start: number
    readonly end: number
  }[]
  readonly reply_to: number | null
  readonly counts: { readonly likes: number; readonly replies: number }
}

/** Options for tests that are not about limits: accounts post as often as they like, with links. */
export const OPEN_FEED = { feed: { linksPerPost: 100, newAccounts: { days: 0 } } }

/** Posts, and returns the post. */
export async function newPost(
  author: Pick<Client, 'post'>,
  fields: string | { readonly body: string; readonly [field: string]: unknown } = 'An update',
  headers?: Headers,
): Promise<Post> {
  const response = await author.post('/feed', typeof fields === 'string' ? { body: fields } : fields, headers)
  expect(response.statusCode, response.body).toBe(201)
  return response.json()
}

/** A list of posts. */
export interface PostList {
  readonly data: readonly Post[]
  readonly pagination: { readonly total: number; readonly has_more: boolean; readonly next_cursor?: string }
}

const listOf = (response: Response): PostList => {
  expect(response.statusCode, response.body).toBe(200)
  return response.json()
}

/** Reads one page of a list. */
export const readPosts = async (app: Requests, url: string, headers?: Headers): Promise<PostList> =>
  listOf(await client(app).get(url, { accept: 'application/json', ...headers }))

/** The ids of all posts of a list, page by page; `between` runs after each page. */
export async function walk(
  app: Requests,
  path: string,
  limit: number,
  headers: Headers = {},
  between: () => Promise<unknown> = async () => {},
): Promise<readonly number[]> {
  const seen: number[] = []
  for (let cursor = ''; ; ) {
    const { data, pagination } = await readPosts(app, `${path}?limit=${limit}${cursor}`, headers)
    seen.push(...data.map(({ id }) => id))
    if (pagination.next_cursor === undefined) return seen
    cursor = `&cursor=${pagination.next_cursor}`
    await between()
  }
}
