import type { Eep, EepExtensions } from '@eep/core'
import { defineEvent, defineModule, defineNotification } from '@eep/core/module'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { codeOf, type Person, signUp } from '../../support/accounts.ts'
import { createTestApp } from '../../support/app.ts'
import { choose, follow, readNotifications, untilNotified } from '../../support/notifications.ts'

const parcelSent = defineEvent('parcels.parcel_sent', {
  audience: 'team',
  subject: 'profile',
  data: z.object({ number: z.string() }),
  summary: 'A parcel was sent to a profile',
})

const ofParcels = { events: [parcelSent], data: z.object({ number: z.string() }) } as const
let hasCustoms = false

/** A module of a host with notifications, of which some mappings and texts throw. */
const parcels = defineModule({
  name: 'parcels',
  events: [parcelSent],
  notifications: [
    defineNotification({
      ...ofParcels,
      kind: 'parcels_customs',
      summary: 'Customs',
      notify({ profileId, data }) {
        if (!hasCustoms) throw new Error('there are no customs')
        return profileId === null ? undefined : { to: { profileId }, data }
      },
      text: ({ data }) => ({ title: `Customs of ${data.number}` }),
    }),
    defineNotification({
      ...ofParcels,
      kind: 'parcels_sent',
      summary: 'Parcels to your profiles',
      notify: ({ profileId, data }) => (profileId === null ? undefined : { to: { profileId }, data }),
      text: ({ about, data }) => ({ title: `Parcel ${data.number} for ${about?.username}` }),
    }),
    defineNotification({
      ...ofParcels,
      kind: 'parcels_label',
      summary: 'Labels of parcels',
      notify: ({ profileId, data }) => (profileId === null ? undefined : { to: { profileId }, data }),
      text() {
        throw new Error('there is no text')
      },
    }),
  ],
  create: ({ write }) => ({
    parcels: {
      send: (profileId: number, number: string) =>
        write(async (_tx, emit) => emit(parcelSent, { number }, { profileId })),
    },
  }),
  public: { parcels: ({ parcels }) => parcels },
})

declare module '@eep/core' {
  interface EepExtensions {
    parcels: { send(profileId: number, number: string): Promise<void> }
  }
}

const logger = { info: vi.fn(), warn: vi.fn(), error: vi.fn() }
let test: Awaited<ReturnType<typeof createTestApp>>
beforeAll(async () => {
  test = await createTestApp({ modules: [parcels], logger })
})
afterAll(() => test.close())

const send = ({ account }: Person, number: string) =>
  (test.app.eep as Eep & EepExtensions).parcels.send(account.active_profile_id, number)
const titlesOf = async (who: Person) => (await readNotifications(who)).data.map(({ title }) => title)
const givenUp = () =>
  logger.error.mock.calls.filter(([, message]) => message === 'notifications of an event were given up')

it('gives up a mapping that always throws, and makes every other notification', async () => {
  const [ada, bert] = [await signUp(test.app), await signUp(test.app)]
  const numbers = ['1', '2', '3']
  for (const number of numbers) await send(ada, number)
  await follow(bert, ada)
  await untilNotified(ada, ([item]) => expect(item?.kind).toBe('follow'))
  const made = numbers.toReversed().map((number) => `Parcel ${number} for ${ada.account.username}`)
  expect((await titlesOf(ada)).filter((title) => title.startsWith('Parcel'))).toEqual(made)
  expect(givenUp().map(([{ kind, event, givenUp }]) => [kind, event, givenUp])).toEqual(
    numbers.map((number) => ['parcels_customs', parcelSent.type, Number(number)]),
  )
  hasCustoms = true
  await send(ada, '4')
  await vi.waitFor(async () => expect(await titlesOf(ada)).toContain('Customs of 4'), 60_000)
  expect(givenUp()).toHaveLength(numbers.length)
})

it('lists a notification whose text throws by the summary of its kind', async () => {
  hasCustoms = true
  const ada = await signUp(test.app)
  await send(ada, '5')
  await untilNotified(ada, (items) => expect(items.map(({ title }) => title)).toContain('Labels of parcels'))
  expect((await readNotifications(ada)).unread_count).toBe(3)
})

it('rejects email preferences for a kind that has no emails', async () => {
  const ada = await signUp(test.app)
  const { preferences } = (await ada.get('/notifications/preferences')).json()
  const without = preferences.filter(({ email }: { email: unknown }) => email === null)
  expect(without.map(({ kind }: { kind: string }) => kind)).toEqual([
    'parcels_customs',
    'parcels_sent',
    'parcels_label',
  ])
  const refused = await choose(ada, { kind: 'parcels_sent', in_app: true, email: 'daily' })
  expect([refused.statusCode, codeOf(refused)]).toEqual([400, 'notification_without_email'])
  expect((await choose(ada, { kind: 'parcels_sent', in_app: true, email: null })).statusCode).toBe(200)
})
