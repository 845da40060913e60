import { afterAll, expect } from 'vitest'
import { parseDocument } from 'yaml'
import { signUp } from './accounts.ts'
import { createTestApp } from './app.ts'
import type { Requests, Response } from './client.ts'

type Fields = Readonly<Record<string, unknown>>

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

/** Registers an account that writes pages and categories. */
export async function createWriter(app: Requests, name?: string) {
  const person = await signUp(app, name)
  const { account } = person
  const profileId = account.active_profile_id

  const postPage = (fields: Fields = {}) =>
    person.post('/manage/pages', { profile_id: profileId, title: 'Notes on the engine', body: '', ...fields })
  const postCategory = (fields: Fields = {}) =>
    person.post('/manage/categories', { profile_id: profileId, name: 'Notes', ...fields })

  async function made<Wire>(response: Promise<Response>): Promise<Wire> {
    const { statusCode, body } = await response
    if (statusCode !== 201) throw new Error(`expected 201, got ${statusCode}: ${body}`)
    return JSON.parse(body)
  }

  return {
    ...person,
    profileId,
    contents: `/u/${account.username}/content`,
    postPage,
    postCategory,
    /** Creates a page. Default: public and published. */
    newPage: (fields: Fields = {}) => made<PageRecord>(postPage({ status: 'published', ...fields })),
    newCategory: (fields: Fields = {}) => made<CategoryRecord>(postCategory(fields)),
    putPage: (id: number, fields: Fields, ifMatch?: string) =>
      person.put(`/manage/pages/${id}`, fields, ifMatch === undefined ? {} : { 'if-match': ifMatch }),
    putCategory: (id: number, fields: Fields) => person.put(`/manage/categories/${id}`, fields),
    getJson: async (url: string) => (await person.get(url)).json(),
  }
}

/** A service with the writers `ada` and `bob`. It ends with the test file. */
export async function openContent() {
  const { app, close } = await createTestApp()
  afterAll(close)
  return {
    app,
    ada: await createWriter(app, 'ada'),
    bob: await createWriter(app, 'bob'),
    newWriter: () => createWriter(app),
  }
}

/** The YAML between the rules at the start, and the Markdown after it. */
export function readMarkdown(text: string) {
  const [, head = '', body = ''] = /^---\n([\s\S]*?)\n---\n\n([\s\S]*)$/.exec(text) ?? []
  const yaml = parseDocument(head)
  expect(yaml.errors).toEqual([])
  return { head: yaml.toJS(), body }
}
