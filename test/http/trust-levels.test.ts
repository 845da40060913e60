import { LOG_START, type WalletVerifier } from '@eep/core/ports'
import { cashRail, createCashWallets, eventsAfter } from '@eep/core/testing'
import { describe, expect, it, vi } from 'vitest'
import { didOf, makeAdministrator, PASSWORD, type Person, signUp } from '../support/accounts.ts'
import { client } from '../support/client.ts'
import { createClock } from '../support/clock.ts'
import { createWriter, type Writer } from '../support/content.ts'
import { onPglite } from '../support/database.ts'
import { SURFACES } from '../support/event-surfaces.ts'
import { openInstances } from '../support/instances.ts'
import { openShop } from '../support/shop.ts'
import { type Envelope, listen, openStream } from '../support/streams.ts'
import { newOrganization } from '../support/teams.ts'
import { LONG, soon } from '../support/wait.ts'
import { keyOf, linkWallet } from '../support/wallets.ts'

const DAY_MS = 86_400_000
const cashWallets = createCashWallets()
const believing: WalletVerifier = { chainIds: [84_532], verify: async () => true }
const OPTIONS = {
  auth: { walletVerifier: believing },
  payments: { rails: [cashRail({ cashWallets })] },
  signals: { anonymousStreams: 100 },
  limits: { plans: { community: { concurrentStreams: 100 } }, rateLimit: { multiplier: 1_000 } },
  http: { allowPrivateHosts: ['127.0.0.1'] },
}
const { database, instance } = await openInstances(OPTIONS)
const restarted = await openInstances(OPTIONS)
const { clock, at } = createClock()
const aging = await openInstances({ ...OPTIONS, clock })
const app = await instance()
const base = await listen(app)
const root = await signUp(app)
await makeAdministrator(database, root)

const WHOLE = { avatar_url: 'https://example.com/a.png', socials: { github: '@ada' }, skills: ['mathematics'] }

let wallets = 0
const linkNext = ({ headers }: Pick<Person, 'headers'>, through = app) =>
  linkWallet(through, keyOf(7_000 + ++wallets), headers)
/** The email address of an account counts from the next event about it on. */
const verify = ({ account }: Pick<Person, 'account'>) =>
  database.storage.transaction((tx) => tx.accounts.save(account.id, { emailVerified: true, emailOwned: true }))
const complete = (who: Pick<Person, 'put'>, bio = 'About me.') => who.put('/manage/profile', { ...WHOLE, bio })
/** Lets the profile of a new account reach `basic`. */
async function reachBasic(who: Person) {
  await linkNext(who)
  await complete(who)
}
/** Lets a profile that is `basic` reach `established`. */
async function reachEstablished(who: Person) {
  await verify(who)
  await linkNext(who)
}

/** The changes of the level of a profile that the log has. */
async function storedChanges(profileId: number) {
  const events = await eventsAfter(database.storage, LOG_START, { profileId })
  return events.filter(({ type }) => type === 'trust.level_changed').map(({ data }) => [data.previous, data.current])
}
const untilStored = (profileId: number, changes: readonly (readonly string[])[]) =>
  vi.waitFor(async () => expect(await storedChanges(profileId)).toEqual(changes), LONG)

const isOf = (did: string) => (envelope: Envelope) => envelope.type === 'trust.changed' && envelope.source === did

/** A stream of everything, and an event to continue after. */
async function beginAt(bystander: Writer) {
  const stream = await openStream(base, '/stream/signals')
  await bystander.newPage({ title: 'Start' })
  const isStart = ({ source, type }: Envelope) => source === didOf(bystander) && type === 'content.published'
  await soon(() => expect(stream.envelopes().some(isStart)).toBe(true))
  return { stream, start: stream.envelopes().find(isStart) as Envelope }
}

describe('trust.changed', () => {
  it('is sent on every surface when the trust in a profile reaches another level, up and down', async () => {
    const [victim, reader, bystander] = [await createWriter(app), await createWriter(app), await createWriter(app)]
    for (const { account } of [victim, bystander]) await reader.post(`/connections/u/${account.username}`)
    const { stream, start } = await beginAt(bystander)
    const followed = { app, base, reader, sources: [didOf(victim), didOf(bystander)] }
    const followers = await Promise.all(
      SURFACES.filter(({ name }) => name !== '/ws/messages').map(async (surface) => ({
        name: surface.name,
        follower: await surface.follow(followed, start.id),
      })),
    )
    const changes = () => stream.envelopes().filter(isOf(didOf(victim)))
    const until = (count: number) => soon(() => expect(changes()).toHaveLength(count))

    await reachBasic(victim)
    await until(1)
    await reachEstablished(victim)
    await until(2)
    await victim.put('/manage/profile', { skills: [] })
    await until(3)
    await reachBasic(bystander)
    const entity_id = victim.profileId
    const expected = [
      { entity_id, field: 'level', previous: 'low', current: 'basic', score: 30 },
      { entity_id, field: 'level', previous: 'basic', current: 'established', score: 50 },
      { entity_id, field: 'level', previous: 'established', current: 'basic', score: 35 },
    ]
    for (const { name, follower } of followers) {
      const received = (envelopes: readonly Envelope[]) =>
        envelopes.filter(isOf(didOf(victim))).map(({ subject, data }) => [name, subject, data])
      const expectedHere = expected.map((data) => [name, `/u/${victim.account.username}`, data])
      await follower.settle(isOf(didOf(bystander)))
      expect(received(follower.envelopes())).toEqual(expectedHere)
      const replay = await follower.again(start)
      await replay.settle(isOf(didOf(bystander)))
      expect(received(replay.envelopes())).toEqual(expectedHere)
      await replay.close()
      await follower.close()
    }
  }, 300_000)

  it.each<[string, (victim: Writer) => PromiseLike<{ readonly statusCode: number; readonly body: string }>]>([
    ['private', (victim) => victim.put(`/profiles/${victim.profileId}/visibility`, { visibility: 'private' })],
    ['unlisted', (victim) => victim.put(`/profiles/${victim.profileId}/visibility`, { visibility: 'unlisted' })],
    ['deleted', ({ send, account }) => send('DELETE', `/profiles/u/${account.username}`)],
    ['of an account to be deleted', ({ send }) => send('DELETE', '/auth/account', { password: PASSWORD })],
    ['of a banned account', ({ account }) => root.put(`/admin/users/${account.id}`, { banned: true })],
  ])('is silent, live and in replay, for a profile that is %s', async (state, hide) => {
    const [victim, reader, bystander] = [await createWriter(app), await createWriter(app), await createWriter(app)]
    const { stream, start } = await beginAt(bystander)
    await reachBasic(victim)
    await soon(() => expect(stream.envelopes().filter(isOf(didOf(victim)))).toHaveLength(1))
    const hidden = await hide(victim)
    expect(hidden.statusCode, hidden.body).toBe(200)
    if (['private', 'unlisted'].includes(state)) {
      await reachEstablished(victim)
      await untilStored(victim.profileId, [
        ['low', 'basic'],
        ['basic', 'established'],
      ])
    }
    await reachBasic(bystander)
    await soon(() => expect(stream.envelopes().some(isOf(didOf(bystander)))).toBe(true))
    expect(stream.envelopes().filter(isOf(didOf(victim)))).toHaveLength(1)

    const replay = await openStream(base, '/eep/stream', { ...reader.headers, 'last-event-id': start.id })
    await soon(() => expect(replay.envelopes().some(isOf(didOf(bystander)))).toBe(true))
    expect(replay.envelopes().filter(isOf(didOf(victim)))).toEqual([])
    const history = await reader.get(`/eep/events?limit=1000&types=trust.changed`)
    expect(history.json().events.filter(isOf(didOf(victim)))).toEqual([])
    expect(history.json().events.some(isOf(didOf(bystander)))).toBe(true)
  })

  it('is emitted for every cause: a payment, a new owner, another profile of the account', async () => {
    const buyer = await signUp(app)
    await verify(buyer)
    const shop = await openShop(app, 'shop-of-levels')
    const challenge = await client(app).get(shop.paid, buyer.headers)
    const wallet = `0x${'7'.repeat(40)}`
    const proof = cashWallets.answer(String(challenge.headers['payment-required']), { wallet })
    expect((await client(app).get(shop.paid, { ...buyer.headers, ...proof })).statusCode).toBe(200)
    await untilStored(buyer.account.active_profile_id, [['low', 'basic']])

    const profile = await newOrganization(app, buyer)
    await untilStored(profile.id, [['low', 'basic']])
    const recipient = await signUp(app)
    const offer = await buyer.post(`/profiles/${profile.id}/transfers`, {
      recipient_username: recipient.account.username,
    })
    expect(offer.statusCode, offer.body).toBe(201)
    const accepted = await recipient.post(`/transfers/${offer.json().id}/accept`)
    expect(accepted.statusCode, accepted.body).toBe(200)
    await untilStored(profile.id, [
      ['low', 'basic'],
      ['basic', 'low'],
    ])
  })
})

describe('the level of a profile', () => {
  it.skipIf(onPglite())('changes once for each change, whichever instances write and observe', async () => {
    const apps = [app, await instance({ storage: database.another() })] as const
    const people = await Promise.all([1, 2, 3, 4, 5, 6].map(() => signUp(app)))
    await Promise.all(people.map(verify))
    await Promise.all(
      people.map(async (person, index) => {
        for (let round = 0; round < 6; round += 1) {
          const through = client(apps[(index + round) % 2 === 0 ? 0 : 1]).with(person.headers)
          const edited = await through.put('/manage/profile', { ...WHOLE, bio: `Round ${round}`, skills: [`${round}`] })
          expect(edited.statusCode, edited.body).toBe(200)
          await linkNext(person, apps[round % 2 === 0 ? 0 : 1])
          const bare = await through.put('/manage/profile', { skills: [] })
          expect(bare.statusCode, bare.body).toBe(200)
        }
        await complete(person, 'The end')
      }),
    )
    for (const { account } of people) {
      await vi.waitFor(async () => {
        const changes = await storedChanges(account.active_profile_id)
        expect(changes.at(-1)?.[1]).toBe('established')
        // Each begins where the one before it ended, so none is missing and none is there twice.
        for (const [index, [previous, current]] of changes.entries()) {
          expect(previous).toBe(index === 0 ? 'low' : changes[index - 1]?.[1])
          expect(current).not.toBe(previous)
        }
      }, LONG)
    }
  })

  it('is determined after the next start for what happened while none was running', async () => {
    const first = await restarted.instance()
    const ada = await signUp(first)
    await restarted.database.storage.transaction((tx) =>
      tx.accounts.save(ada.account.id, { emailVerified: true, emailOwned: true }),
    )
    await complete(ada)
    const changes = async () => {
      const of = { profileId: ada.account.active_profile_id }
      const events = await eventsAfter(restarted.database.storage, LOG_START, of)
      return events.filter(({ type }) => type === 'trust.level_changed').map(({ data }) => data.current)
    }
    await vi.waitFor(async () => expect(await changes()).toEqual(['basic']), LONG)
    await first.close()
    const without = await restarted.instance({ without: ['trust-levels'] })
    await linkNext(ada, without)
    expect((await client(without).get('/eep/events/types')).body).not.toContain('trust.changed')
    await without.close()
    expect(await changes()).toEqual(['basic'])
    const second = await restarted.instance()
    expect((await client(second).get('/eep/events/types')).body).toContain('trust.changed')
    await vi.waitFor(async () => expect(await changes()).toEqual(['basic', 'established']), LONG)
  })

  it('rises with the age of the account, by itself and once', async () => {
    const { database: old, instance: openOld } = aging
    const first = await openOld()
    const [ada, fence, witness] = [await signUp(first), await signUp(first), await signUp(first)]
    const eventsOf = async ({ account }: Person) => {
      const events = await eventsAfter(old.storage, LOG_START, { profileId: account.active_profile_id })
      return events.filter(({ type }) => type.startsWith('trust.'))
    }
    const created = clock().getTime()
    const untilEvents = (who: Person, check: (types: readonly string[]) => void) =>
      vi.waitFor(async () => check((await eventsOf(who)).map(({ type }) => type)), LONG)
    // The first instance stores the level of a later account, and so those of the others, at their first age.
    await old.storage.transaction((tx) =>
      tx.accounts.save(witness.account.id, { emailVerified: true, emailOwned: true }),
    )
    await complete(witness)
    await untilEvents(witness, (types) => expect(types).toEqual(['trust.level_changed']))
    await first.close()

    await at(created + 31 * DAY_MS, async () => {
      const later = await openOld()
      await untilEvents(ada, (types) => expect(types).toEqual(['trust.age_reached']))
      await later.close()
    })
    await at(created + 366 * DAY_MS, async () => {
      const later = await openOld()
      await untilEvents(ada, (types) => expect(types).toContain('trust.level_changed'))
      // What comes later is observed after everything that might have been emitted twice.
      await untilEvents(fence, (types) => expect(types).toContain('trust.level_changed'))
      await old.storage.transaction((tx) =>
        tx.accounts.save(fence.account.id, { emailVerified: true, emailOwned: true }),
      )
      const { token } = (
        await client(later).post('/auth/login', { email: fence.account.email, password: PASSWORD })
      ).json()
      await complete(client(later).with({ authorization: `Bearer ${token}` }))
      await untilEvents(fence, (types) =>
        expect(types.filter((type) => type === 'trust.level_changed')).toHaveLength(2),
      )
      const changes = (await eventsOf(ada)).filter(({ type }) => type === 'trust.level_changed')
      expect(changes.map(({ data }) => data)).toEqual([{ previous: 'low', current: 'basic', score: 20 }])
      await later.close()
    })
  })
})
