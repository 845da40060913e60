import { afterEach, describe, expect, it, vi } from 'vitest'
import { unauthenticated } from '../../../kernel/errors.ts'
import type { Caller } from '../../../model/caller.ts'
import type { StoredEvent } from '../../../ports/storage/events.ts'
import { storageUnavailable } from '../../../ports/storage/storage.ts'
import { createEventCatalogue } from '../../../runtime/events/catalogue.ts'
import { accountEvents } from '../../people/accounts/events.ts'
import { apiKeyEvents } from '../../people/api-keys/events.ts'
import { createCredentialWatches } from './credential-watch.ts'

const callerVia = (via: Caller['via']) => ({ account: { id: 'ada' }, via }) as Caller
const MINUTE = 60_000

let stop: (() => Promise<unknown>) | undefined
afterEach(async () => {
  await stop?.()
  vi.useRealTimers()
})

function setUp() {
  let listener: ((event: StoredEvent) => void) | undefined
  const { watch, worker } = createCredentialWatches({
    clock: () => new Date(),
    onError(error) {
      throw error
    },
    catalogue: createEventCatalogue([...accountEvents, ...apiKeyEvents]),
    consumers: {
      liveUnordered(listen) {
        listener = listen
        return () => {}
      },
    },
  })
  worker.start()
  stop = worker.stop
  return {
    emit: (type: string, accountId = 'ada') => listener?.({ type, accountId } as StoredEvent),
    /** Watches a connection whose checks end when the test releases them. */
    connect(caller: Caller = callerVia('bearer')) {
      const checks: PromiseWithResolvers<Caller>[] = []
      const ends: string[] = []
      const watched = watch({
        caller: () => caller,
        authenticate() {
          const check = Promise.withResolvers<Caller>()
          checks.push(check)
          return check.promise
        },
        onEnded: (reason) => void ends.push(reason),
      })
      return { watched, checks, ends, caller }
    },
  }
}

const turn = () => new Promise(setImmediate)

describe('the watch over the credential of a connection', () => {
  it('ends a connection whose credential ended after its caller was recognized and before it was watched', async () => {
    const { checks, ends } = setUp().connect()
    await turn()
    checks[0]?.reject(unauthenticated())
    await turn()
    expect(ends).toEqual(['revoked'])
  })

  it('checks once more when a credential ends during a check that still found it good', async () => {
    const { connect, emit } = setUp()
    const { checks, ends, caller } = connect()
    await turn()
    emit('api_keys.key_revoked')
    emit('api_keys.key_revoked')
    expect(checks).toHaveLength(1)
    checks[0]?.resolve(caller)
    await turn()
    expect(checks).toHaveLength(2)
    checks[1]?.reject(unauthenticated())
    await turn()
    expect(ends).toEqual(['revoked'])
    expect(checks).toHaveLength(2)
  })

  it.each([
    'accounts.sessions_ended',
    'accounts.password_changed',
    'accounts.account_banned',
    'accounts.account_taken_over',
    'accounts.deletion_scheduled',
    'api_keys.key_rotated',
  ])('checks the connections of an account after %s, and those of no other', async (type) => {
    const { connect, emit } = setUp()
    const { checks, caller } = connect()
    await turn()
    checks[0]?.resolve(caller)
    await turn()
    emit(type, 'bob')
    await turn()
    expect(checks).toHaveLength(1)
    emit(type)
    await turn()
    expect(checks).toHaveLength(2)
  })

  it('checks users of the host about every minute, and others only after an event', async () => {
    vi.useFakeTimers()
    const { connect } = setUp()
    const ofHost = connect(callerVia('host'))
    const bySession = connect()
    await vi.advanceTimersByTimeAsync(0)
    for (const { checks, caller } of [ofHost, bySession]) checks[0]?.resolve(caller)
    await vi.advanceTimersByTimeAsync(0.75 * MINUTE - 2_000)
    expect(ofHost.checks).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(0.5 * MINUTE + 4_000)
    expect(ofHost.checks).toHaveLength(2)
    expect(bySession.checks).toHaveLength(1)
    ofHost.checks[1]?.reject(unauthenticated())
    await vi.advanceTimersByTimeAsync(0)
    expect(ofHost.ends).toEqual(['revoked'])
  })

  it('keeps a connection while the storage is unavailable, and checks again', async () => {
    vi.useFakeTimers()
    const { checks, ends } = setUp().connect()
    await vi.advanceTimersByTimeAsync(0)
    checks[0]?.reject(storageUnavailable())
    await vi.advanceTimersByTimeAsync(3_000)
    expect(ends).toEqual([])
    expect(checks).toHaveLength(2)
    checks[1]?.reject(unauthenticated())
    await vi.advanceTimersByTimeAsync(0)
    expect(ends).toEqual(['revoked'])
  })

  it('makes a limited number of checks at the same time, and those that wait as others end', async () => {
    const { connect } = setUp()
    const all = Array.from({ length: 40 }, () => connect())
    const begun = () => all.filter(({ checks }) => checks.length > 0)
    await turn()
    expect(begun()).toHaveLength(32)
    all.at(-1)?.watched.stop()
    for (const { checks, caller } of begun()) checks[0]?.resolve(caller)
    await turn()
    expect(begun()).toHaveLength(39)
  })

  it('checks users of the host not all at the same time, and an account after an event before them', async () => {
    vi.useFakeTimers()
    const { connect, emit } = setUp()
    const caller = (id: string): Caller => ({ account: { id }, via: 'host' }) as Caller
    const all = Array.from({ length: 30 }, (_, index) => connect(caller(`account ${index}`)))
    await vi.advanceTimersByTimeAsync(0)
    for (const each of all) each.checks[0]?.resolve(each.caller)
    await vi.advanceTimersByTimeAsync(1.5 * MINUTE)
    const again = () => all.filter(({ checks }) => checks.length > 1)
    expect(again()).toHaveLength(8)
    const waiting = all.find(({ checks }) => checks.length === 1)
    emit('accounts.account_banned', waiting?.caller.account.id)
    await vi.advanceTimersByTimeAsync(0)
    expect(waiting?.checks).toHaveLength(2)
    waiting?.checks[1]?.reject(unauthenticated())
    await vi.advanceTimersByTimeAsync(0)
    expect(waiting?.ends).toEqual(['revoked'])
    expect(again()).toHaveLength(9)
  })

  it.each([
    ['credential', 'expiresAt'],
    ['session', 'sessionExpiresAt'],
  ])('ends a connection at the time of its %s', async (_what, member) => {
    vi.useFakeTimers()
    const time = new Date(Date.now() + 2_500)
    const { ends } = setUp().connect({ ...callerVia('key'), [member]: time })
    await vi.advanceTimersByTimeAsync(2_000)
    expect(ends).toEqual([])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(ends).toEqual(['expired'])
  })

  it('calls nothing after it was stopped', async () => {
    const { watched, checks, ends } = setUp().connect()
    await turn()
    watched.stop()
    checks[0]?.reject(unauthenticated())
    await turn()
    expect(ends).toEqual([])
  })
})
