import type { EepEvent } from '@eep/core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { signUp } from '../../support/accounts.ts'
import { createTestApp, openStorage, type TestAppOptions, type TestStorage } from '../../support/app.ts'
import { client } from '../../support/client.ts'
import { onPglite } from '../../support/database.ts'

let database: TestStorage
beforeAll(async () => {
  database = await openStorage()
})
afterAll(() => database.close())

/** The service as one of several processes on the same database. */
const instance = (options: TestAppOptions = {}) => createTestApp({ storage: database.another(), ...options })
type Instance = Awaited<ReturnType<typeof instance>>

const within = (ms: number, check: () => void | Promise<void>) => vi.waitFor(check, { timeout: ms, interval: 10 })

const rename = ({ app }: Instance, { headers, account }: Awaited<ReturnType<typeof signUp>>, fullName: string) =>
  client(app).put(`/profiles/u/${account.username}`, { full_name: fullName }, headers)

describe('a listener', () => {
  it('calls a listener after a change is stored, with the data of its type', async () => {
    const service = await instance()
    const heard: EepEvent<'profiles.profile_created'>[] = []
    const stored: unknown[] = []
    service.eep.on('profiles.profile_created', async (event) => {
      heard.push(event)
      stored.push(await database.storage.read.profiles.get({ type: event.data.type, username: event.data.username }))
    })
    const { account } = await signUp(service.app)
    await within(60_000, () => expect(stored).toHaveLength(1))
    expect(heard).toMatchObject([
      {
        type: 'profiles.profile_created',
        data: { type: 'person', username: account.username },
        profileId: account.active_profile_id,
        accountId: account.id,
      },
    ])
    expect(stored).toMatchObject([{ username: account.username }])
    await service.close()
  })

  it('does not call a listener for a change that was rolled back', async () => {
    const service = await instance()
    const heard: unknown[] = []
    service.eep.on('accounts.account_registered', ({ data }) => void heard.push(data.username))
    const { account } = await signUp(service.app, 'only-once')
    await expect(signUp(service.app, 'only-once')).rejects.toThrow('email_taken')
    await signUp(service.app, 'afterwards')
    await within(60_000, () => expect(heard).toContain('afterwards'))
    expect(heard).toEqual([account.username, 'afterwards'])
    await service.close()
  })

  it('ignores a listener that throws, and calls the others', async () => {
    const errors: unknown[] = []
    const logger = { info() {}, warn() {}, error: (details: object) => void errors.push(details) }
    const service = await instance({ logger })
    const heard: string[] = []
    service.eep.on('accounts.account_registered', () => {
      throw new Error('no room in the CRM')
    })
    service.eep.on('accounts.account_registered', ({ data }) => void heard.push(data.username))
    const { account, headers } = await signUp(service.app)
    await within(60_000, () => expect(heard).toEqual([account.username]))
    expect((await client(service.app).get('/auth/me', headers)).statusCode).toBe(200)
    const ofEvents = errors.filter((details) => Object.hasOwn(details as object, 'event'))
    expect(ofEvents).toMatchObject([{ event: 'accounts.account_registered' }])
    await service.close()
  })

  it('does not call a listener that was removed', async () => {
    const service = await instance()
    const heard: string[] = []
    const later: string[] = []
    const stop = service.eep.on('accounts.account_registered', ({ data }) => void heard.push(data.username))
    service.eep.on('accounts.account_registered', ({ data }) => void later.push(data.username))
    stop()
    await signUp(service.app)
    await within(60_000, () => expect(later).toHaveLength(1))
    expect(heard).toEqual([])
    await service.close()
  })
})

describe('a follower', () => {
  it('continues a follower where the last process stopped', async () => {
    const heard: string[] = []
    const follow = ({ eep }: Instance) =>
      eep.follow('crm', { 'accounts.account_registered': ({ data }) => void heard.push(data.username) })

    const first = await instance()
    follow(first)
    await signUp(first.app, 'while-it-runs')
    await within(60_000, () => expect(heard).toEqual(['while-it-runs']))
    await first.close()

    const withoutFollower = await instance()
    await signUp(withoutFollower.app, 'before-it-runs')
    await withoutFollower.close()

    const second = await instance()
    follow(second)
    await within(60_000, () => expect(heard).toEqual(['while-it-runs', 'before-it-runs']))
    await second.close()
  })

  it('starts a new follower at the next event, or at the oldest one', async () => {
    const service = await instance()
    let known = false
    service.eep.on('accounts.account_registered', () => {
      known = true
    })
    await signUp(service.app, 'long-before')
    await within(60_000, () => expect(known).toBe(true))
    const fromNow: string[] = []
    const fromStart: string[] = []
    service.eep.follow('new-now', { 'accounts.account_registered': ({ data }) => void fromNow.push(data.username) })
    service.eep.follow(
      'new-start',
      { 'accounts.account_registered': ({ data }) => void fromStart.push(data.username) },
      { from: 'start' },
    )
    await signUp(service.app, 'right-after')
    await within(60_000, () => expect(fromNow).toEqual(['right-after']))
    await within(60_000, () => expect(fromStart).toContain('right-after'))
    expect(fromStart).toContain('long-before')
    await service.close()
  })

  it('delivers an event again when its handler failed, before any other', async () => {
    const service = await instance()
    const tries: string[] = []
    let failures = 2
    service.eep.follow('unlucky', {
      'accounts.account_registered': ({ data }) => {
        tries.push(data.username)
        if (failures-- > 0) throw new Error('not now')
      },
    })
    await signUp(service.app, 'tried-thrice')
    await signUp(service.app, 'next-in-line')
    await within(60_000, () => expect(tries).toContain('next-in-line'))
    expect(tries.filter((name) => name === 'tried-thrice')).toHaveLength(3)
    expect(tries.at(-1)).toBe('next-in-line')
    await service.close()
  })

  it('runs a follower in one process at a time, and in another one when that stops', async () => {
    const [left, right] = await Promise.all([instance(), instance()])
    const heard: string[] = []
    let working = 0
    let most = 0
    const follow = (name: string, { eep }: Instance) =>
      eep.follow('single', {
        'accounts.account_registered': async ({ data }) => {
          working += 1
          most = Math.max(most, working)
          await new Promise((resolve) => setTimeout(resolve, 20))
          working -= 1
          heard.push(`${name} ${data.username}`)
        },
      })
    follow('left', left)
    await signUp(left.app, 'single-zero')
    await within(60_000, () => expect(heard).toEqual(['left single-zero']))
    heard.length = 0
    follow('right', right)
    for (const name of ['one', 'two', 'three']) await signUp(right.app, `single-${name}`)
    await within(60_000, () => expect(heard).toEqual(['left single-one', 'left single-two', 'left single-three']))

    await left.close()
    await signUp(right.app, 'single-four')
    await within(60_000, () => expect(heard.at(-1)).toBe('right single-four'))
    expect(heard).toHaveLength(4)
    expect(most).toBe(1)
    await right.close()
  })

  it('stops a follower on request, while the service continues', async () => {
    const service = await instance()
    const heard: string[] = []
    const stop = service.eep.follow('stopped', {
      'accounts.account_registered': ({ data }) => void heard.push(data.username),
    })
    await signUp(service.app, 'heard-of')
    await within(60_000, () => expect(heard).toHaveLength(1))
    await stop()
    await signUp(service.app, 'not-heard-of')
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(heard).toEqual(['heard-of'])
    await service.close()
  })
})

describe('two processes on one database', () => {
  it('serves a change of the other process within a second despite caches', async () => {
    const [left, right] = await Promise.all([instance(), instance()])
    const owner = await signUp(left.app)
    const read = async ({ app }: Instance) =>
      (await client(app).get(`/u/${owner.account.username}?format=json`)).json().full_name
    for (const name of ['Ada', 'Ada Lovelace', 'Countess']) {
      await Promise.all([read(left), read(right)])
      await rename(left, owner, name)
      expect(await read(left)).toBe(name)
      await within(60_000, async () => expect(await read(right)).toBe(name))
    }
    await Promise.all([left.close(), right.close()])
  })

  it.skipIf(onPglite())(
    'serves changes while a transaction stays open, and delivers events when it has ended',
    async () => {
      const [left, right] = await Promise.all([instance(), instance()])
      const owner = await signUp(left.app)
      const heard: string[] = []
      right.eep.on('profiles.profile_updated', ({ accountId }) => {
        // Events of other tests may still be under way.
        if (accountId === owner.account.id) heard.push(accountId)
      })
      const read = async () =>
        (await client(right.app).get(`/u/${owner.account.username}?format=json`)).json().full_name
      await read()

      const written = Promise.withResolvers<void>()
      const released = Promise.withResolvers<void>()
      const open = database.storage.transaction(async (tx) => {
        await tx.accounts.lock(owner.account.id)
        written.resolve()
        await released.promise
      })
      await written.promise
      const renamed = rename(left, owner, 'Ada')
      await within(60_000, async () => expect(await read()).toBe('Ada'))
      expect((await renamed).statusCode).toBe(200)
      await within(60_000, () => expect(right.eep.eventLagMs()).toBeGreaterThan(0))
      expect(heard).toEqual([])
      released.resolve()
      await open
      await within(60_000, () => expect(heard).toEqual([owner.account.id]))
      await within(60_000, () => expect(right.eep.eventLagMs()).toBe(0))
      await Promise.all([left.close(), right.close()])
    },
  )

  it('delivers events between processes', async () => {
    const [left, right] = await Promise.all([instance(), instance()])
    const heard: string[] = []
    right.eep.on('accounts.account_registered', ({ data }) => void heard.push(data.username))
    const { account } = await signUp(left.app)
    await within(60_000, () => expect(heard).toEqual([account.username]))
    await Promise.all([left.close(), right.close()])
  })

  it('does not serve a profile that the other process deleted', async () => {
    const [left, right] = await Promise.all([instance(), instance()])
    const { account, headers } = await signUp(left.app)
    const url = `/u/${account.username}`
    expect((await client(right.app).get(url)).statusCode).toBe(200)
    await client(left.app).delete(`/profiles${url}`, headers)
    await within(60_000, async () => expect((await client(right.app).get(url)).statusCode).toBe(404))
    await Promise.all([left.close(), right.close()])
  })
})
