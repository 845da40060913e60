import { describe, expect, it } from 'vitest'
import { codeOf, didOf, login, me, type Person, signOut, signUp } from '../support/accounts.ts'
import { newKey } from '../support/api-keys.ts'
import { type Client, client, type Headers, type Response } from '../support/client.ts'
import { holdingStorage } from '../support/held-requests.ts'
import { openInstances } from '../support/instances.ts'
import { shopGate } from '../support/shop.ts'
import { newWorkspace } from '../support/workspaces.ts'

const { database, instance } = await openInstances()
const app = await instance()
const { storage, holdDuring } = holdingStorage(database.storage)
/** The instance that receives the requests of credentials that end. */
const held = await instance({ storage })
const { read } = database.storage

interface Ending {
  readonly headers: Headers
  /** The error of a request that was identified before the end. */
  readonly code: 'unauthenticated' | 'invalid_api_key'
  readonly end: () => Promise<Response>
}

/** A second session of an account. */
const signInAgain = async ({ account }: Person): Promise<Headers> => ({
  authorization: `Bearer ${(await login(app, account.email)).json().token}`,
})

/** Other ends of credentials raise the version of tokens: see `take-over-races.test.ts`. */
const WAYS: Readonly<Record<string, (owner: Person) => Promise<Ending>>> = {
  'a session that signed out': async (owner) => {
    const headers = await signInAgain(owner)
    return { headers, code: 'unauthenticated', end: () => signOut(app, headers) }
  },
  'a session that the owner ended': async (owner) => {
    const headers = await signInAgain(owner)
    const { data } = (await client(app).get('/auth/sessions', headers)).json()
    const { id } = data.find((session: { current: boolean }) => session.current)
    return { headers, code: 'unauthenticated', end: () => owner.delete(`/auth/sessions/${id}`) }
  },
  'a session that ended with all others': async (owner) => ({
    headers: await signInAgain(owner),
    code: 'unauthenticated',
    end: () => owner.delete('/auth/sessions'),
  }),
  'a revoked API key': async (owner) => {
    const scopes = ['manage:keys', 'write:gates', 'write:workspaces']
    const { id, headers } = await newKey(app, owner.headers, { scopes })
    return { headers, code: 'invalid_api_key', end: () => owner.delete(`/api-keys/${id}`) }
  },
}

interface Write {
  readonly send: (by: Client) => Promise<Response>
  readonly isDone: () => Promise<boolean>
}

/** One write for each way in which services check their callers in a transaction. */
const WRITES: Readonly<Record<string, (owner: Person) => Promise<Write>>> = {
  'create an API key': async ({ account: { id } }) => ({
    send: (by) => by.post('/api-keys', { name: 'Late', scopes: ['write:gates'] }),
    isDone: async () => (await read.apiKeys.listOfAccount(id)).some(({ name }) => name === 'Late'),
  }),
  'put a price on a profile': async (owner) => ({
    send: (by) => by.put(`/eep/gates/${didOf(owner)}`, shopGate()),
    isDone: async () => (await read.gates.get(owner.account.active_profile_id)) !== undefined,
  }),
  'rename a workspace': async (owner) => {
    const { path } = await newWorkspace(app, owner)
    return {
      send: (by) => by.put(path, { name: 'Late' }),
      isDone: async () => (await owner.get(path)).json().name === 'Late',
    }
  },
}

describe.each(Object.entries(WAYS))('%s', (_way, ending) => {
  it.each(Object.entries(WRITES))('may not %s with a request that was identified before', async (_what, prepare) => {
    const owner = await signUp(app)
    const [{ headers, code, end }, { send, isDone }] = [await ending(owner), await prepare(owner)]
    const answer = await holdDuring(
      () => send(client(held).with(headers)),
      async () => {
        expect((await end()).statusCode).toBe(200)
      },
    )
    expect([answer.statusCode, answer.statusCode === 401 && codeOf(answer)]).toEqual([401, code])
    expect(await isDone()).toBe(false)
  })
})

describe('a session that did not end', () => {
  it.each(Object.entries(WRITES))('may %s', async (_what, prepare) => {
    const owner = await signUp(app)
    const { send, isDone } = await prepare(owner)
    const answer = await holdDuring(
      () => send(client(held).as(owner)),
      () => me(app, owner.headers),
    )
    expect(answer.statusCode, answer.body).toBeLessThan(300)
    expect(await isDone()).toBe(true)
  })
})
