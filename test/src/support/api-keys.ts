import type { LightMyRequestResponse } from 'fastify'
import { post } from './accounts.ts'
import type { TestApp } from './app.ts'

type Requests = Pick<TestApp, 'inject'>
type Headers = Record<string, string>

/** A key as `/api-keys` lists it. */
export interface ListedKey {
  readonly id: number
  readonly name: string
  readonly masked: string
  readonly scopes: readonly string[]
  readonly last_used_at: string | null
  readonly usage: { readonly total: number; readonly last_24h: number; readonly last_30d: number }
}

export const postKey = (app: Requests, headers: Headers, fields: object = {}) =>
  post(app, '/api-keys', { name: 'Reader', ...fields }, headers)

export const listKeys = async (app: Requests, headers: Headers): Promise<readonly ListedKey[]> =>
  (await app.inject({ url: '/api-keys', headers })).json().data

/** The key that an answer shows this once; `headers` sign its requests. */
export function keyOf(response: LightMyRequestResponse) {
  const { id, key } = response.json<{ id: number; key: string }>()
  if (typeof key !== 'string') throw new Error(`no key was made: ${response.body}`)
  return { id, key, headers: { 'x-api-key': key } }
}

/** Makes a key for whom `headers` sign for. */
export const newKey = async (app: Requests, headers: Headers, fields: object = {}) =>
  keyOf(await postKey(app, headers, fields))
