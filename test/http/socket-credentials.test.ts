import { setTimeout as sleep } from 'node:timers/promises'
import { newEvent } from '@eep/core/testing'
import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { didOf, login, makeAdministrator, PASSWORD, signOut, signUp } from '../support/accounts.ts'
import { newKey } from '../support/api-keys.ts'
import { client } from '../support/client.ts'
import { createClock } from '../support/clock.ts'
import { openInstances } from '../support/instances.ts'
import { openSocket } from '../support/sockets.ts'
import { listen, openStream } from '../support/streams.ts'
import { soon } from '../support/wait.ts'

// Sessions end at whole seconds.
const { clock, at } = createClock(new Date(Math.floor(Date.now() / 1_000) * 1_000))
const { database, instance } = await openInstances({ clock, sockets: { pingIntervalMs: 200 } })
const app = await instance()
const elsewhere = await instance()

type Headers = Record<string, string>
const open = (headers: Headers, path = '/eep/pulse') => openSocket(elsewhere, path, { headers })
const remove = (url: string, headers: Headers, payload?: object) => client(app).send('DELETE', url, payload, headers)

const SECOND = 1_000
const DAY = 86_400 * SECOND

describe('a connection on another instance', () => {
  it.each(['/eep/pulse', '/ws/messages'])(
    'closes %s with 4001 when the session signs out on another instance',
    async (path) => {
      const { headers, account, token: ended } = await signUp(app)
      const { token } = (await login(app, account.email)).json()
      const connection = await open(headers, path)
      const other = await open({ authorization: `Bearer ${token}` }, path)
      await signOut(app, headers)
      expect(await connection.next('session_revoked')).toEqual({
        v: 1,
        type: 'system',
        action: 'session_revoked',
        data: {
          session_id: decodeJwt(ended).sid,
          agent_did: didOf({ account }),
          publisher_did: 'did:web:profiles.example',
          reason: 'operator_request',
          revoked_at: clock().toISOString(),
          re_auth_required: true,
        },
      })
      expect(await connection.closed()).toEqual({ code: 4001, reason: 'session_expired' })
      other.send('system', 'ping')
      await other.next('pong')
      await other.close()
    },
  )

  it('closes the connection when its key is revoked or replaced', async () => {
    const { headers } = await signUp(app)
    const [revoked, replaced] = [await newKey(app, headers), await newKey(app, headers)]
    const agent = { 'eep-agent-did': 'did:web:agent.example' }
    const clients = [await open({ ...revoked.headers, ...agent }), await open(replaced.headers), await open(headers)]
    await remove(`/api-keys/${revoked.id}`, headers)
    expect(await clients[0]?.next('session_revoked')).toMatchObject({
      data: { session_id: `key_${revoked.id}`, agent_did: 'did:web:agent.example', reason: 'operator_request' },
    })
    expect(await clients[0]?.closed()).toMatchObject({ code: 4001 })
    await client(app).with(headers).post(`/api-keys/${replaced.id}/regenerate`)
    expect(await clients[1]?.closed()).toMatchObject({ code: 4001 })
    clients[2]?.send('system', 'ping')
    await clients[2]?.next('pong')
    await clients[2]?.close()
  })

  it('closes the connection when its account is banned, changes its password or is to be deleted', async () => {
    const admin = await signUp(app)
    await makeAdministrator(database, admin)
    const ways: readonly ((person: Awaited<ReturnType<typeof signUp>>) => PromiseLike<{ statusCode: number }>)[] = [
      ({ account }) => admin.put(`/admin/users/${account.id}`, { banned: true }),
      ({ headers }) =>
        client(app).put(
          '/auth/change-password',
          { current_password: PASSWORD, new_password: 'Another horse 8 battery' },
          headers,
        ),
      ({ headers }) => remove('/auth/account', headers, { password: PASSWORD }),
    ]
    for (const way of ways) {
      const person = await signUp(app)
      const connection = await open(person.headers)
      expect((await way(person)).statusCode).toBe(200)
      expect(await connection.closed()).toMatchObject({ code: 4001 })
    }
  })

  it('ends sockets and streams of a session while 700 later events wait for an open transaction', async () => {
    const { headers, account } = await signUp(app)
    const { token } = (await login(app, account.email)).json()
    const bearer = { authorization: `Bearer ${token}` }
    const own = await instance()
    const [stream, socket] = [
      await openStream(await listen(own), '/eep/stream', bearer),
      await openSocket(own, '/eep/pulse', { headers: bearer }),
    ]
    const [opened, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const { storage } = database
    const held = storage.transaction(async (tx) => {
      await tx.events.append([newEvent()])
      opened.resolve()
      await released.promise
    })
    try {
      await opened.promise
      await storage.transaction((tx) => tx.events.append(Array.from({ length: 700 }, () => newEvent())))
      await client(app).with(headers).delete('/auth/sessions')
      await soon(() => expect(stream.isEnded()).toBe(true))
      expect(await socket.closed()).toMatchObject({ code: 4001 })
    } finally {
      released.resolve()
      await held
    }
  })
})

describe('credentials that expire', () => {
  it('warns 300 seconds before a credential expires, and closes the connection 60 seconds after the warning', async () => {
    const { headers } = await signUp(app)
    const end = clock().getTime() + 7 * DAY
    const connection = await open(headers)
    expect(Date.parse((await connection.next('connected')).data.expires_at)).toBe(end)
    await at(end - 299 * SECOND, async () => {
      expect(await connection.next('auth_expiring')).toMatchObject({ data: { expires_in: 299 } })
    })
    await at(end - 239 * SECOND, async () => {
      expect(await connection.next('auth_expired')).toMatchObject({ data: { reason: 'expired' } })
      expect(await connection.closed()).toMatchObject({ code: 4001 })
    })
  })

  it('keeps the connection open when the client sends a new token', async () => {
    const { headers, account } = await signUp(app)
    const end = clock().getTime() + 7 * DAY
    const connection = await open(headers)
    await at(end - 200 * SECOND, async () => {
      await connection.next('auth_expiring')
      connection.send('system', 'auth_refresh', { token: 'nonsense' })
      expect(await connection.next('error')).toMatchObject({ error: { code: 'invalid_token' } })
      const { token: foreign } = await signUp(app)
      connection.send('system', 'auth_refresh', { token: foreign })
      expect(await connection.next('error')).toMatchObject({ error: { code: 'auth_refresh_refused' } })
      const { token } = (await login(app, account.email)).json()
      connection.send('system', 'auth_refresh', { token })
      const refreshed = await connection.next('auth_refreshed')
      expect(Date.parse(refreshed.data.expires_at)).toBe(end - 200 * SECOND + 7 * DAY)
    })
    await at(end + SECOND, async () => {
      await connection.next('ping')
      connection.send('system', 'ping')
      await connection.next('pong')
    })
    await connection.close()
  })

  it('states in the answer to a new credential that it does not expire', async () => {
    const { headers } = await signUp(app)
    const { key } = await newKey(app, headers)
    const connection = await open(headers)
    connection.send('system', 'auth_refresh', { token: key })
    expect(await connection.next('auth_refreshed')).toMatchObject({ data: { expires_at: null } })
    await connection.close()
  })

  it('closes the connection of an API key when the key expires', async () => {
    const { headers } = await signUp(app)
    const expiresAt = new Date(Date.now() + 3_600 * SECOND)
    const key = await newKey(app, headers, { expires_at: expiresAt.toISOString() })
    const connection = await open(key.headers)
    await at(expiresAt.getTime() - 10 * SECOND, async () => {
      expect(await connection.next('auth_expiring')).toMatchObject({ data: { expires_in: 10 } })
    })
    await at(expiresAt.getTime(), async () => {
      expect(await connection.closed()).toMatchObject({ code: 4001 })
    })
  })

  it('refuses an API key as a new credential on the socket for messages', async () => {
    const { headers } = await signUp(app)
    const { key } = await newKey(app, headers)
    const connection = await open(headers, '/ws/messages')
    connection.send('system', 'auth_refresh', { token: key })
    expect(await connection.next('error')).toMatchObject({ error: { code: 'forbidden' } })
    await connection.close()
  })
})

describe('a silent client', () => {
  it('pings a silent client, and disconnects it when it does not answer', async () => {
    const { headers, account } = await signUp(app)
    const connection = await open(headers)
    await connection.next('ping')
    // Every client answers the pings of the protocol by itself; one whose connection is stuck does not.
    connection.socket.pause()
    while (elsewhere.eep.sockets.presence(account.id).length > 0) await sleep(20)
    connection.socket.terminate()
  })
})
