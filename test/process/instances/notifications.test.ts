import { describe, expect, it, vi } from 'vitest'
import { didOf, newName, type Person, signUp } from '../../support/accounts.ts'
import { newKey } from '../../support/api-keys.ts'
import { onPglite } from '../../support/database.ts'
import { openInstances } from '../../support/instances.ts'
import { follow, markRead, readNotifications, unfollow, untilNotified } from '../../support/notifications.ts'
import { type Frame, openSocket } from '../../support/sockets.ts'
import { type Envelope, listen, openStream } from '../../support/streams.ts'

const DAY_MS = 86_400_000
const LONG = { timeout: 120_000, interval: 20 }
const { database, instance } = await openInstances()

const countOf = async (who: Person) => (await readNotifications(who)).data.reduce((sum, { count }) => sum + count, 0)

describe('notifications on several instances', () => {
  it.skipIf(onPglite())('makes one notification for each event, whichever instance wrote it', async () => {
    const apps = [await instance(), await instance({ storage: database.another() })] as const
    const ada = await signUp(apps[0])
    const others = await Promise.all(
      Array.from({ length: 20 }, (_, index) => signUp(apps[index % 2 === 0 ? 0 : 1], `of-${newName()}`)),
    )
    await Promise.all([...others.map((each) => follow(each, ada)), markRead(ada, { all: true })])
    await vi.waitFor(async () => expect(await countOf(ada)).toBe(others.length), LONG)
    await Promise.all(others.map((each) => unfollow(each, ada)))
    // What comes later is handled after all of it.
    await markRead(ada, { all: true })
    await follow(others[0] as Person, ada)
    await untilNotified(ada, ([item]) => expect(item).toMatchObject({ count: 1, read_at: null }))
    expect(await countOf(ada)).toBe(others.length + 1)
  })

  it('makes notifications of events that happened while no instance ran', async () => {
    const first = await instance()
    const [ada, bert] = [await signUp(first), await signUp(first)]
    await follow(bert, ada)
    await untilNotified(ada, ([item]) => expect(item?.count).toBe(1))
    await first.close()
    const without = await instance({ notifications: false })
    const cleo = await signUp(without)
    await follow(cleo, ada)
    expect((await cleo.get(`/notifications?profile_id=${cleo.account.active_profile_id}`)).statusCode).toBe(404)
    await without.close()
    const second = await instance()
    const signedIn = {
      ...ada,
      get: (url: string, headers = {}) => second.inject({ url, headers: { ...ada.headers, ...headers } }),
    }
    await untilNotified(signedIn, ([item]) => expect(item?.count).toBe(2))
  })
})

describe('notification.created', () => {
  it('sends notification.created to the account only', async () => {
    const app = await instance()
    const base = await listen(app)
    const [ada, bert] = [await signUp(app), await signUp(app)]
    const own = ada.account.active_profile_id
    const profileKey = await newKey(app, ada.headers, { scopes: ['read:events'], profile_id: own })
    const path = '/eep/stream?types=notification.created,connection.followed'
    const streams = await Promise.all(
      [ada.headers, bert.headers, profileKey.headers].map((headers) => openStream(base, path, headers)),
    )
    const [ofAda, ofBert, ofKey] = streams as [(typeof streams)[0], (typeof streams)[0], (typeof streams)[0]]
    await follow(bert, ada)
    await vi.waitFor(() => {
      expect(ofAda.envelopes().map(({ type }) => type)).toEqual(['connection.followed', 'notification.created'])
    }, LONG)
    const [notification] = (await readNotifications(ada)).data
    expect(ofAda.envelopes()[1]).toMatchObject({
      source: `did:web:profiles.example:u:${ada.account.username}`,
      subject: '/notifications',
      data: { notification_id: notification?.id, kind: 'follow', profile_id: own, count: 1 },
    })
    // The next public event comes after it on the other streams.
    await follow(ada, bert)
    for (const other of [ofBert, ofKey]) {
      await vi.waitFor(() => expect(other.envelopes().length).toBeGreaterThanOrEqual(2), LONG)
    }
    expect(ofKey.envelopes().map(({ type }) => type)).toEqual(['connection.followed', 'connection.followed'])
    const ofBertOnly = ofBert.envelopes().filter(({ type }) => type === 'notification.created')
    expect(ofBertOnly.map(({ data }) => data.profile_id)).not.toContain(own)
  })

  it('sends notification.created on /eep/pulse to the account, but not to another one that subscribes to its profile', async () => {
    const app = await instance()
    const [ada, bert] = [await signUp(app), await signUp(app)]
    const pulse = async ({ headers }: Person) => {
      const events: Envelope[] = []
      const onFrame = ({ data }: Frame) => void (data?.event && events.push(data.event))
      const socket = await openSocket(app, '/eep/pulse', { headers, onFrame })
      socket.send('system', 'subscribe', { source_did: didOf(ada) })
      await socket.next('subscribed')
      return { socket, events }
    }
    const [ofAda, ofBert] = [await pulse(ada), await pulse(bert)]
    const typesOf = ({ events }: typeof ofAda) => events.map(({ type }) => type)
    await follow(bert, ada)
    await vi.waitFor(() => expect(typesOf(ofAda)).toContain('notification.created'), LONG)
    const [notification] = (await readNotifications(ada)).data
    const own = ada.account.active_profile_id
    const data = { notification_id: notification?.id, kind: 'follow', profile_id: own, count: 1 }
    // The creation of the profile may come before it.
    expect(ofAda.events.at(-1)).toMatchObject({ source: didOf(ada), data })
    // The next public event of the profile comes after it.
    await follow(ada, bert)
    await vi.waitFor(() => expect(typesOf(ofBert)).toContain('connection.followed'), LONG)
    expect(typesOf(ofBert)).not.toContain('notification.created')
    for (const { socket } of [ofAda, ofBert]) await socket.close()
  })
})

describe('old notifications', () => {
  it('deletes notifications after the retention period', async () => {
    let now = Date.now()
    const options = { clock: () => new Date(now), notifications: { retentionDays: 1 } }
    const first = await instance(options)
    const [ada, bert] = [await signUp(first), await signUp(first)]
    await follow(bert, ada)
    await untilNotified(ada, (items) => expect(items).toHaveLength(1))
    await first.close()
    const kept = async () => {
      const scope = { accountId: ada.account.id, profileId: ada.account.active_profile_id, withAccount: true }
      return (await database.storage.read.notifications?.list(scope, { kinds: ['follow'] }, { limit: 9 }))?.total
    }
    expect(await kept()).toBe(1)
    now += 2 * DAY_MS
    await instance(options)
    await vi.waitFor(async () => expect(await kept()).toBe(0), LONG)
  })
})
