import type { HTTPMethods } from 'fastify'
import { signUp } from './accounts.ts'
import type { TestApp } from './app.ts'

type Fields = Readonly<Record<string, unknown>>
type Requests = Pick<TestApp, 'inject'>

/** A page as `/manage/pages` answers it. */
export interface PageRecord {
  readonly id: number
  readonly slug: string
  readonly path: string
  readonly status: string
  readonly version: number
}

/** A category as `/manage/categories` answers it. */
export interface CategoryRecord {
  readonly id: number
  readonly slug: string
  readonly path: string
  readonly page_count: number
  readonly children: readonly CategoryRecord[]
}

/** A user with a profile to write in. */
export type Writer = Awaited<ReturnType<typeof createWriter>>

/** Registers an account and gives it hands: requests it signs, and content made in one line. */
export async function createWriter(app: Requests, name?: string) {
  const { headers, account } = await signUp(app, name)
  const profileId = account.active_profile_id

  const send = (method: HTTPMethods, url: string, payload?: Fields, more: Record<string, string> = {}) =>
    app.inject({ method, url, headers: { ...headers, ...more }, ...(payload ? { payload } : {}) })

  const postPage = (fields: Fields = {}) =>
    send('POST', '/manage/pages', { profile_id: profileId, title: 'Notes on the engine', body: '', ...fields })
  const postCategory = (fields: Fields = {}) =>
    send('POST', '/manage/categories', { profile_id: profileId, name: 'Notes', ...fields })

  async function made<Wire>(response: ReturnType<typeof send>): Promise<Wire> {
    const { statusCode, body } = await response
    if (statusCode !== 201) throw new Error(`expected 201, got ${statusCode}: ${body}`)
    return JSON.parse(body)
  }

  return {
    headers,
    account,
    profileId,
    contents: `/u/${account.username}/content`,
    send,
    postPage,
    postCategory,
    /** Creates a page. Default: public and published. */
    newPage: (fields: Fields = {}) => made<PageRecord>(postPage({ status: 'published', ...fields })),
    newCategory: (fields: Fields = {}) => made<CategoryRecord>(postCategory(fields)),
    putPage: (id: number, fields: Fields, ifMatch?: string) =>
      send('PUT', `/manage/pages/${id}`, fields, ifMatch === undefined ? {} : { 'if-match': ifMatch }),
    putCategory: (id: number, fields: Fields) => send('PUT', `/manage/categories/${id}`, fields),
    getJson: async (url: string) => (await send('GET', url)).json(),
  }
}
