import { setTimeout as sleep } from 'node:timers/promises'
import type { LightMyRequestResponse } from 'fastify'
import { me } from './accounts.ts'
import type { TestApp } from './app.ts'
import { client } from './client.ts'

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
  client(app).post('/api-keys', { name: 'Reader', ...fields }, headers)

export const listKeys = async (app: Requests, headers: Headers): Promise<readonly ListedKey[]> =>
  (await client(app).get('/api-keys', headers)).json().data

/** The key that an answer shows this once; `headers` sign its requests. */
export function keyOf(response: LightMyRequestResponse) {
  const { id, key } = response.json<{ id: number; key: string }>()
  if (typeof key !== 'string') throw new Error(`no key was made: ${response.body}`)
  return { id, key, headers: { 'x-api-key': key } }
}

/** Makes a key for whom `headers` sign for. */
export const newKey = async (app: Requests, headers: Headers, fields: object = {}) =>
  keyOf(await postKey(app, headers, fields))

/** A key that has expired. Keys are not made with a past expiry, so one that ends soon is waited for. */
export async function newExpiredKey(app: Requests, headers: Headers, fields: object = {}) {
  const key = await keyEndingSoon(app, headers, fields)
  while ((await me(app, key.headers)).statusCode !== 401) await sleep(20)
  return key
}

/** On a machine that is too busy the key would have expired before it is made: then a later one is asked for. */
async function keyEndingSoon(app: Requests, headers: Headers, fields: object) {
  for (let lifetimeMs = 400; ; lifetimeMs *= 2) {
    const expires_at = new Date(Date.now() + lifetimeMs).toISOString()
    const response = await postKey(app, headers, { ...fields, expires_at })
    if (response.statusCode !== 400 || lifetimeMs > 60_000) return keyOf(response)
  }
}
