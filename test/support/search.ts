import { expect } from 'vitest'
import type { TestApp } from './app.ts'
import { client, type Headers } from './client.ts'
import { soon } from './wait.ts'

/** A hit as the service returns it, as far as tests read it. */
export interface Hit {
  readonly kind: string
  readonly score: number
  readonly title: string
  readonly snippet: string
  readonly highlights: readonly { readonly field: string; readonly ranges: readonly (readonly number[])[] }[]
  readonly url: string
  readonly path: string
  readonly profile: { readonly username: string; readonly avatar_url: string | null }
  readonly matched: readonly string[]
  readonly gated: boolean
  readonly price?: { readonly amount: string }
}

export interface Results {
  readonly data: readonly Hit[]
  readonly pagination: { readonly total: number; readonly has_more: boolean; readonly next_cursor?: string }
  readonly facets?: Readonly<Record<string, readonly { readonly value: string; readonly count: number }[]>>
  readonly suggestion?: string
  readonly mode: string
  readonly ignored?: readonly string[]
  readonly hint?: string
}

/** The URL of a search in an index that has what was changed before. */
export const searchUrl = (q: string, more: Readonly<Record<string, string>> = {}): string =>
  `/search?${new URLSearchParams({ q, consistency: 'strong', ...more })}`

/** Waits until the index has what was changed before, which takes as long as any transaction of the server is open. */
export const untilIndexed = (app: TestApp) => soon(async () => expect((await app.eep.search.stats()).lagMs).toBe(0))

/** Searches when the index has what was changed before, and returns the answer. */
export async function find(
  app: TestApp,
  q: string,
  more: Readonly<Record<string, string>> = {},
  headers: Headers = {},
): Promise<Results> {
  await untilIndexed(app)
  const response = await client(app).get(searchUrl(q, more), { accept: 'application/json', ...headers })
  expect(response.statusCode, response.body).toBe(200)
  return response.json()
}

/** The paths of the hits of a search. */
export const pathsOf = async (...search: Parameters<typeof find>): Promise<readonly string[]> =>
  (await find(...search)).data.map(({ path }) => path)
