import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { login, PASSWORD, post, signUp } from '../support/accounts.ts'
import { newKey } from '../support/api-keys.ts'
import { createClock } from '../support/clock.ts'
import { openInstances } from '../support/instances.ts'
import { openSocket } from '../support/sockets.ts'

// Sessions end at whole seconds.
const { clock, at } = createClock(new Date(Math.floor(Date.now() / 1_000) * 1_000))
const { database, instance } = await openInstances({ clock, sockets: { pingIntervalMs: 200 } })
const app = await instance()
const elsewhere = await instance()

type Headers = Record<string, string>
const open = (headers: Headers, path = '/eep/pulse') => openSocket(elsewhere, path, { headers })
const remove = (url: string, headers: Headers, payload?: object) =>
  app.inject({ method: 'DELETE', url, headers, ...(payload ? { payload } : {}) })

const SECOND = 1_000
const DAY = 86_400 * SECOND

describe('a connection on another instance', () => {
  it.each(['/eep/pulse', '/ws/messages'])('of %s ends with 4001 when its session is signed out', async (path) => {
    const { headers, account } = await signUp(app)
    const { token } = (await login(app, account.email)).json()
    const client = await open(headers, path)
    const other = await open({ authorization: `Bearer ${token}` }, path)
    await post(app, '/auth/logout', undefined, headers)
    expect(await client.next('auth_expired')).toMatchObject({ data: { reason: 'revoked' } })
    expect(await client.closed()).toEqual({ code: 4001, reason: 'session_expired' })
    other.send('system', 'ping')
    await other.next('pong')
    await other.close()
  })

  it('ends when its key is revoked, and when it is replaced', async () => {
    const { headers } = await signUp(app)
    const [revoked, replaced] = [await newKey(app, headers), await newKey(app, headers)]
    const clients = [await open(revoked.headers), await open(replaced.headers), await open(headers)]
    await remove(`/api-keys/${revoked.id}`, headers)
    expect(await clients[0]?.closed()).toMatchObject({ code: 4001 })
    await post(app, `/api-keys/${replaced.id}/regenerate`, undefined, headers)
    expect(await clients[1]?.closed()).toMatchObject({ code: 4001 })
    clients[2]?.send('system', 'ping')
    await clients[2]?.next('pong')
    await clients[2]?.close()
  })

  it('ends when its account is banned, changes its password, or is to be deleted', async () => {
    const admin = await signUp(app)
    await database.storage.transaction((tx) => tx.accounts.save(admin.account.id, { isAdmin: true }))
    const ways: readonly ((person: Awaited<ReturnType<typeof signUp>>) => PromiseLike<{ statusCode: number }>)[] = [
      ({ account }) =>
        app.inject({
          method: 'PUT',
          url: `/admin/users/${account.id}`,
          headers: admin.headers,
          payload: { banned: true },
        }),
      ({ headers }) =>
        app.inject({
          method: 'PUT',
          url: '/auth/change-password',
          headers,
          payload: { current_password: PASSWORD, new_password: 'Another horse 8 battery' },
        }),
      ({ headers }) => remove('/auth/account', headers, { password: PASSWORD }),
    ]
    for (const way of ways) {
      const person = await signUp(app)
      const client = await open(person.headers)
      expect((await way(person)).statusCode).toBe(200)
      expect(await client.closed()).toMatchObject({ code: 4001 })
    }
  })
})

describe('credentials that end', () => {
  it('are announced 300 seconds before, and the connection ends 60 seconds later', async () => {
    const { headers } = await signUp(app)
    const end = clock().getTime() + 7 * DAY
    const client = await open(headers)
    expect(Date.parse((await client.next('connected')).data.expires_at)).toBe(end)
    await at(end - 299 * SECOND, async () => {
      expect(await client.next('auth_expiring')).toMatchObject({ data: { expires_in: 299 } })
    })
    await at(end - 239 * SECOND, async () => {
      expect(await client.next('auth_expired')).toMatchObject({ data: { reason: 'expired' } })
      expect(await client.closed()).toMatchObject({ code: 4001 })
    })
  })

  it('are replaced by a token that the client shows, and the connection goes on', async () => {
    const { headers, account } = await signUp(app)
    const end = clock().getTime() + 7 * DAY
    const client = await open(headers)
    await at(end - 200 * SECOND, async () => {
      await client.next('auth_expiring')
      client.send('system', 'auth_refresh', { token: 'nonsense' })
      expect(await client.next('error')).toMatchObject({ error: { code: 'invalid_token' } })
      const { token: foreign } = await signUp(app)
      client.send('system', 'auth_refresh', { token: foreign })
      expect(await client.next('error')).toMatchObject({ error: { code: 'auth_refresh_refused' } })
      const { token } = (await login(app, account.email)).json()
      client.send('system', 'auth_refresh', { token })
      const refreshed = await client.next('auth_refreshed')
      expect(Date.parse(refreshed.data.expires_at)).toBe(end - 200 * SECOND + 7 * DAY)
    })
    await at(end + SECOND, async () => {
      await client.next('ping')
      client.send('system', 'ping')
      await client.next('pong')
    })
    await client.close()
  })

  it('of an API key end the connection at their time', async () => {
    const { headers } = await signUp(app)
    const expiresAt = new Date(Date.now() + 3_600 * SECOND)
    const key = await newKey(app, headers, { expires_at: expiresAt.toISOString() })
    const client = await open(key.headers)
    await at(expiresAt.getTime() - 10 * SECOND, async () => {
      expect(await client.next('auth_expiring')).toMatchObject({ data: { expires_in: 10 } })
    })
    await at(expiresAt.getTime(), async () => {
      expect(await client.closed()).toMatchObject({ code: 4001 })
    })
  })

  it('are not replaced on the socket for messages by an API key', async () => {
    const { headers } = await signUp(app)
    const { key } = await newKey(app, headers)
    const client = await open(headers, '/ws/messages')
    client.send('system', 'auth_refresh', { token: key })
    expect(await client.next('error')).toMatchObject({ error: { code: 'forbidden' } })
    await client.close()
  })
})

describe('a client that is silent', () => {
  it('is asked for a sign of life, and disconnected without one', async () => {
    const { headers, account } = await signUp(app)
    const client = await open(headers)
    await client.next('ping')
    // Every client answers the pings of the protocol by itself; one whose connection is stuck does not.
    client.socket.pause()
    while (elsewhere.eep.sockets.presence(account.id).length > 0) await sleep(20)
    client.socket.terminate()
  })
})
