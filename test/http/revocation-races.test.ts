import { randomUUID } from 'node:crypto'
import { eep } from '@eep/core'
import { everything } from '@eep/core/everything'
import Fastify from 'fastify'
import { afterAll, describe, expect, it } from 'vitest'
import { login, makeAdministrator, PASSWORD, signOut, signUp } from '../support/accounts.ts'
import { newKey } from '../support/api-keys.ts'
import { PUBLIC_URL, SECRET } from '../support/app.ts'
import { client } from '../support/client.ts'
import { onPglite } from '../support/database.ts'
import { openInstances } from '../support/instances.ts'
import { bearer, connect } from '../support/oauth-server.ts'
import { addressOf, openSocket } from '../support/sockets.ts'
import { openStream } from '../support/streams.ts'
import { soon } from '../support/wait.ts'

const HELD = 'x-test-held'

const { database, instance } = await openInstances()
const app = await instance()

/** An instance that holds requests with a header of the test after their callers were recognized. */
const holding = Fastify()
let arrived = 0
let release = Promise.withResolvers<void>()
holding.addHook('preHandler', async ({ headers }) => {
  if (headers[HELD] === undefined) return
  arrived += 1
  await release.promise
})
await holding.register(eep, {
  modules: everything(),
  publicUrl: PUBLIC_URL,
  secret: SECRET,
  storage: database.storage,
  limits: { rateLimit: { multiplier: 1_000 } },
  auth: { passwordHashing: { memoryKiB: 1_024 } },
})
await holding.ready()
await holding.eep.start()
const base = `http://${await addressOf(holding)}`
afterAll(() => holding.close())

type Headers = Readonly<Record<string, string>>

/** The ways in which credentials end; each returns the headers that end, and how. */
const WAYS: readonly {
  readonly way: string
  prepare(): Promise<{ readonly headers: Headers; end(): PromiseLike<{ readonly statusCode: number }> }>
}[] = [
  {
    way: 'whose session is signed out',
    async prepare() {
      const { headers } = await signUp(app)
      return { headers, end: () => signOut(app, headers) }
    },
  },
  {
    way: 'whose key is revoked',
    async prepare() {
      const { headers: owner } = await signUp(app)
      const { headers, id } = await newKey(app, owner)
      return { headers, end: () => client(app).delete(`/api-keys/${id}`, owner) }
    },
  },
  {
    way: 'whose account changes its password',
    async prepare() {
      const { headers: other, account } = await signUp(app)
      const headers = { authorization: `Bearer ${(await login(app, account.email)).json().token}` }
      const payload = { current_password: PASSWORD, new_password: `${PASSWORD} again 9` }
      return {
        headers,
        end: () => client(app).put('/auth/change-password', payload, other),
      }
    },
  },
  {
    way: 'whose account is banned',
    async prepare() {
      const [admin, { headers, account }] = [await signUp(app), await signUp(app)]
      await makeAdministrator(database, admin)
      const url = `/admin/users/${account.id}`
      return {
        headers,
        end: () => client(app).as(admin).put(url, { banned: true }),
      }
    },
  },
  {
    way: 'whose app is disconnected',
    async prepare() {
      const { owner, headers, path } = await connectedApp()
      return { headers, end: () => client(app).delete(path, owner.headers) }
    },
  },
  {
    way: 'whose app may do less',
    async prepare() {
      const { owner, headers, path } = await connectedApp()
      return { headers, end: () => client(app).put(path, { scopes: ['read:events'] }, owner.headers) }
    },
  },
]

/** An app that a person connected, with its token and its address in the API. */
async function connectedApp() {
  const owner = await signUp(app)
  const scopes = ['read:events', 'read:content']
  const { access_token: token } = await connect({ app, storage: database.storage }, owner, { scopes })
  const [{ id }] = (await owner.get('/account/apps')).json<{ data: [{ id: string }] }>().data
  return { owner, headers: bearer(token), path: `/account/apps/${id}` }
}

describe.skipIf(onPglite())('a stream or socket whose key is revoked while another transaction is open', () => {
  it('ends before that transaction, which holds back all later events', async () => {
    const { headers: owner } = await signUp(app)
    const { headers, id } = await newKey(app, owner)
    const stream = await openStream(base, '/eep/stream', headers)
    const socket = await openSocket(holding, '/eep/pulse', { headers })
    await socket.next('connected')
    const opened = Promise.withResolvers<void>()
    const ending = Promise.withResolvers<void>()
    const transaction = database.storage.transaction(async (tx) => {
      const event = { type: 'test.other', profileId: null, accountId: null, data: {}, at: new Date() }
      await tx.events.append([{ ...event, id: randomUUID() }])
      opened.resolve()
      await ending.promise
    })
    try {
      await opened.promise
      expect((await client(app).delete(`/api-keys/${id}`, owner)).statusCode).toBe(200)
      await soon(() => expect(stream.isEnded()).toBe(true))
      expect(await socket.closed()).toMatchObject({ code: 4001 })
    } finally {
      // It holds back the events of every database of the server.
      ending.resolve()
      await transaction
    }
  })
})

describe.each(WAYS)('a client $way while it connects', ({ prepare }) => {
  it('gets a stream and a socket that end', async () => {
    const { headers, end } = await prepare()
    const witness = await openStream(base, '/eep/stream', headers)
    const held = { ...headers, [HELD]: '1' }
    release = Promise.withResolvers()
    const before = arrived
    const stream = openStream(base, '/eep/stream', held)
    const socket = openSocket(holding, '/eep/pulse', { headers: held })
    await soon(() => expect(arrived).toBe(before + 2))
    expect((await end()).statusCode).toBe(200)
    // From here on nothing announces the end of the credential to this instance again.
    await soon(() => expect(witness.isEnded()).toBe(true))
    release.resolve()
    const opened = await stream
    expect(opened.status).toBe(200)
    await soon(() => expect(opened.isEnded()).toBe(true))
    expect(await (await socket).closed()).toMatchObject({ code: 4001 })
  })
})
