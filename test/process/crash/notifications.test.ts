import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { newRegistration, type SignedUp } from '../../support/accounts.ts'
import { startCrashHost } from '../../support/crash-host.ts'
import { onPglite } from '../../support/database.ts'
import { openPooledStorage, type PooledStorage } from '../../support/pooled-storage.ts'

const LONG = { timeout: 300_000, interval: 20 }
const HOUR_MS = 3_600_000

type Host = Awaited<ReturnType<typeof startCrashHost>>

/** Several processes need a database that all can open. */
describe.skipIf(onPglite())('notifications of a host that is killed', () => {
  let opened: PooledStorage
  /** The host that was started again in the case before: the first of the next case. */
  let restarted: Host | undefined
  beforeAll(async () => {
    opened = await openPooledStorage()
  })
  afterAll(async () => {
    await restarted?.kill()
    await opened.close()
  })

  /** Starts the next host, when the one before is dead: its leases end now, as they would half a minute later. */
  async function start(dieAt = '', laterMs = 0): Promise<Host> {
    await opened.pool.query('update eep.followers set lease_until = now() where lease_until > now()')
    const env = { DATABASE_URL: opened.database.connectionString, DIE_AT: dieAt, LATER_MS: `${laterMs}` }
    return startCrashHost(env, './notification-host.ts')
  }

  async function startForThisCase(dieAt = '', laterMs = 0): Promise<Host> {
    const host = await start(dieAt, laterMs)
    onTestFinished(host.kill)
    return host
  }

  /** The host that is the first of a case. It dies at a point. */
  async function firstHost(dieAt = ''): Promise<Host> {
    const host = restarted ?? (await start())
    restarted = undefined
    onTestFinished(host.kill)
    await host.change({ DIE_AT: dieAt })
    return host
  }

  async function send<Answer>({ url }: Host, method: string, path: string, body?: object, headers = {}) {
    const response = await fetch(url + path, {
      method,
      headers: body ? { ...headers, 'content-type': 'application/json' } : headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as Answer
  }

  async function signUp(host: Host, name: string) {
    const body = newRegistration(name)
    const { token, user } = await send<{ token: string; user: SignedUp }>(host, 'POST', '/auth/register', body)
    const headers = { authorization: `Bearer ${token}` }
    const list = async (at: Host) => {
      const path = `/notifications?profile_id=${user.active_profile_id}`
      return (await send<{ data: { kind: string; count: number }[] }>(at, 'GET', path, undefined, headers)).data
    }
    const created = async (at: Host) => {
      const path = '/eep/events?types=notification.created'
      return (await send<{ events: object[] }>(at, 'GET', path, undefined, headers)).events.length
    }
    return { ...user, headers, list, created }
  }

  /** An account with a proven address that gets a daily email about followers. */
  async function newReader(host: Host, name: string) {
    const reader = await signUp(host, name)
    await opened.storage.transaction((tx) => tx.accounts.save(reader.id, { emailVerified: true, emailOwned: true }))
    const preferences = [{ kind: 'follow', in_app: true, email: 'daily' }]
    await send(host, 'PUT', '/notifications/preferences', { preferences }, reader.headers)
    return reader
  }

  /** How many digests wait for an account. */
  const waiting = async (accountId: string) =>
    (await opened.pool.query('select from eep.notification_digests where account_id = $1', [accountId])).rowCount

  it.each([
    ['before its notification is committed', 'added'],
    ['after it', 'made'],
  ])('are made once for an event when it dies %s', { timeout: 600_000 }, async (_when, dieAt) => {
    const first = await firstHost(dieAt)
    const [ada, bert] = [await signUp(first, `read-${dieAt}`), await signUp(first, `by-${dieAt}`)]
    await send(first, 'POST', `/connections/u/${ada.username}`, undefined, bert.headers).catch((error) => {
      // It may die before it has answered.
      if (!(error instanceof TypeError)) throw error
    })
    await first.exited
    const second = await start()
    restarted = second
    const cleo = await signUp(second, `last-${dieAt}`)
    await send(second, 'POST', `/connections/u/${ada.username}`, undefined, cleo.headers)
    await vi.waitFor(async () => expect(await ada.list(second)).toMatchObject([{ kind: 'follow', count: 2 }]), LONG)
    // An event that is handled again is announced again.
    await vi.waitFor(async () => expect(await ada.created(second)).toBeGreaterThanOrEqual(2), LONG)
    expect(await ada.created(second)).toBe(2)
  })

  it.each([
    ['taken and before it is sent', 'taken', 0],
    ['accepted and before this is stored', 'accepted', 1],
  ])(
    'are sent at least once when it dies after a digest was %s',
    { timeout: 600_000 },
    async (_when, dieAt, before) => {
      const first = await firstHost()
      const [ada, bert] = [await newReader(first, `read-${dieAt}`), await signUp(first, `by-${dieAt}`)]
      await send(first, 'POST', `/connections/u/${ada.username}`, undefined, bert.headers)
      await vi.waitFor(async () => expect(await ada.list(first)).toHaveLength(1), LONG)
      await first.kill()
      const second = await startForThisCase(dieAt, 24 * HOUR_MS)
      await second.exited
      expect(second.lines.filter((line) => line === ada.email)).toHaveLength(before)
      const third = await startForThisCase('', 25 * HOUR_MS)
      await vi.waitFor(() => expect(third.lines).toContain(ada.email), LONG)
      await vi.waitFor(async () => expect(await waiting(ada.id)).toBe(0), LONG)
      await third.kill()
      expect(third.lines.filter((line) => line === ada.email)).toHaveLength(1)
    },
  )
})
