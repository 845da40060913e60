import { randomUUID } from 'node:crypto'
import type { Mail, NewNotification } from '@eep/core/ports'
import { afterAll, expect, it, vi } from 'vitest'
import { codeOf, type Person, proveAddress, signUp } from '../support/accounts.ts'
import { createTestApp, openStorage, type TestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createMailbox } from '../support/mailbox.ts'
import { choose, follow, markRead, readNotifications, untilNotified } from '../support/notifications.ts'
import { join, newOrganization } from '../support/teams.ts'

const DAY_MS = 86_400_000
const LONG = { timeout: 60_000, interval: 20 }
const database = await openStorage()
const mailbox = createMailbox()
let now = Date.now()
const closers: (() => Promise<void>)[] = []
async function instance(send = mailbox.mailer.send) {
  const mailer = { ...mailbox.mailer, send }
  const test = await createTestApp({ storage: database.another(), clock: () => new Date(now), email: { mailer } })
  closers.push(test.close)
  return test
}
const { app } = await instance()
afterAll(async () => {
  for (const close of closers) await close()
  await database.close()
})

/** An account with a proven address that gets emails about followers. */
async function reader(email: 'off' | 'immediately' | 'daily', on: TestApp = app, at = database): Promise<Person> {
  const person = await signUp(on)
  await proveAddress(at, person)
  expect((await choose(person, { kind: 'follow', in_app: true, email })).statusCode).toBe(200)
  return person
}

const mailsTo = ({ account }: Person) =>
  mailbox.mails.filter(({ to, headers }) => to === account.email && headers !== undefined)
const untilMails = (who: Person, count: number): Promise<readonly Mail[]> =>
  vi.waitFor(() => {
    expect(mailsTo(who)).toHaveLength(count)
    return mailsTo(who)
  }, LONG)

/** A notification as it is stored; by default it waits for nothing. */
const stored = ({ account }: Person, changes: Partial<NewNotification> = {}): NewNotification => ({
  id: randomUUID(),
  accountId: account.id,
  profileId: account.active_profile_id,
  aboutProfileId: account.active_profile_id,
  permission: 'profile.edit',
  kind: 'follow',
  groupKey: null,
  actorProfileId: null,
  data: {},
  inApp: true,
  emailAt: null,
  digestAt: null,
  createdAt: new Date(now),
  ...changes,
})
const store = (...items: NewNotification[]) => database.storage.transaction((tx) => tx.notifications.add(items))

/** Waits until what is due has been sent: emails are sent one after another, and then digests. */
async function untilSent() {
  const [last, lastDaily, by] = [await reader('immediately'), await reader('daily'), await signUp(app)]
  await store(stored(lastDaily, { digestAt: new Date(now) }))
  await follow(by, last)
  await untilMails(last, 1)
  await untilMails(lastDaily, 1)
}

/** Starts an instance a day later, which looks for digests when it starts. */
async function aDayLater() {
  now += DAY_MS
  return instance()
}

const linkIn = ({ headers }: Mail) => {
  const { pathname, search } = new URL(String(headers?.['List-Unsubscribe']).slice(1, -1))
  return `${pathname}${search}`
}

it('sends one email for an unread notification, with a one-click unsubscribe link', async () => {
  const [ada, bert, cleo] = [await reader('immediately'), await signUp(app), await signUp(app)]
  await follow(bert, ada)
  const [mail] = (await untilMails(ada, 1)) as [Mail]
  const title = `${bert.account.username} followed ${ada.account.username}`
  expect(mail).toMatchObject({ subject: title, headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } })
  expect(mail.text).toContain(`https://profiles.example/u/${bert.account.username}`)
  await follow(cleo, ada)
  await untilNotified(ada, ([item]) => expect(item?.count).toBe(2))
  await untilSent()
  expect(mailsTo(ada)).toHaveLength(1)

  const link = linkIn(mail)
  const page = await client(app).get(link, { accept: 'text/html' })
  expect([page.statusCode, page.body.includes('<form method="post">')]).toEqual([200, true])
  const preference = async () =>
    (await ada.get('/notifications/preferences'))
      .json()
      .preferences.find((each: { kind: string }) => each.kind === 'follow')
  expect((await preference()).email).toBe('immediately')
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  for (let round = 0; round < 2; round++) {
    const ended = await client(app).post(link, 'List-Unsubscribe=One-Click', form)
    expect([ended.statusCode, ended.body]).toEqual([200, round === 0 ? '{"kinds":["follow"]}' : '{"kinds":["follow"]}'])
  }
  expect(await preference()).toMatchObject({ email: 'off', in_app: true })
  await markRead(ada, { all: true })
  await follow(await signUp(app), ada)
  await untilNotified(ada, (items) => expect(items).toHaveLength(2))
  await untilSent()
  expect(mailsTo(ada)).toHaveLength(1)
})

it('rejects unsubscribe tokens that it did not issue', async () => {
  const [ada, bert] = [await reader('immediately'), await signUp(app)]
  await follow(bert, ada)
  const [mail] = (await untilMails(ada, 1)) as [Mail]
  const token = new URL(linkIn(mail), 'https://x.example').searchParams.get('token') ?? ''
  const [kid, payload = '', signature] = token.split('.')
  const other = Buffer.from(payload, 'base64url').toString().replace(ada.account.id, bert.account.id)
  const forged = [
    `${kid}.${Buffer.from(other).toString('base64url')}.${signature}`,
    `${kid}.${payload}.${'A'.repeat(43)}`,
    `${'A'.repeat(16)}.${payload}.${signature}`,
    'nonsense',
  ]
  for (const each of forged) {
    const url = `/notifications/unsubscribe?token=${each}`
    const refused = await client(app).post(url)
    expect([refused.statusCode, codeOf(refused)]).toEqual([400, 'invalid_or_expired_token'])
    expect((await client(app).get(url, { accept: 'text/html' })).statusCode).toBe(400)
  }
})

it('sends no email to an unverified address, and none when emails are off', async () => {
  const [unproven, off, bert] = [await signUp(app), await reader('off'), await signUp(app)]
  await choose(unproven, { kind: 'follow', in_app: true, email: 'immediately' })
  for (const who of [unproven, off]) {
    await follow(bert, who)
    await untilNotified(who, (items) => expect(items).toHaveLength(1))
  }
  await untilSent()
  expect([...mailsTo(unproven), ...mailsTo(off)]).toEqual([])
})

it('sends one daily digest of unread notifications when several instances run', async () => {
  const [ada, read, bert, cleo] = [await reader('daily'), await reader('daily'), await signUp(app), await signUp(app)]
  await choose(ada, { kind: 'follow', in_app: false, email: 'daily' })
  for (const by of [bert, cleo]) for (const who of [ada, read]) await follow(by, who)
  await untilNotified(read, ([item]) => expect(item?.count).toBe(2))
  await markRead(read, { all: true })
  await untilSent()
  expect(mailsTo(ada)).toEqual([])
  now += DAY_MS
  await Promise.all([instance(), instance(), instance()])
  const [mail] = (await untilMails(ada, 1)) as [Mail]
  for (const { account } of [bert, cleo]) expect(mail.text).toContain(`${account.username} followed`)
  await aDayLater()
  await untilSent()
  expect([mailsTo(ada).length, mailsTo(read).length]).toEqual([1, 0])

  expect((await client(app).post(linkIn(mail))).json().kinds).toEqual(
    expect.arrayContaining(['follow', 'mention', 'message', 'reply', 'review', 'team']),
  )
  const { preferences } = (await ada.get('/notifications/preferences')).json()
  expect(preferences.filter(({ email }: { email: string }) => email === 'daily')).toEqual([])
})

it('lists fifty notifications in a digest, counts the others, and loses none', async () => {
  const ada = await reader('daily')
  const waiting = (count: number, inApp: boolean) =>
    Array.from({ length: count }, () => stored(ada, { inApp, digestAt: new Date(now) }))
  await store(...waiting(30, true), ...waiting(55, false))
  const linesOf = ({ text }: Mail) => text.split('\n').filter((line) => line.startsWith('A profile followed'))
  await aDayLater()
  const [first] = (await untilMails(ada, 1)) as [Mail]
  expect(linesOf(first)).toHaveLength(50)
  expect(first.text).toContain('And 30 more: https://profiles.example/notifications\n')
  expect(first.text).toContain('And 5 more, in the next email.')
  expect((await readNotifications(ada)).pagination.total).toBe(30)
  await aDayLater()
  const [, second] = (await untilMails(ada, 2)) as [Mail, Mail]
  expect([linesOf(second).length, second.text.includes('more')]).toEqual([5, false])
  await aDayLater()
  await untilSent()
  expect(mailsTo(ada)).toHaveLength(2)
})

it('sends no pending email to a former team member, and to a member with a lower role only what the role permits', async () => {
  const acme = await newOrganization(app)
  const [former, viewer, editor] = [await reader('daily'), await reader('daily'), await reader('daily')]
  for (const member of [former, viewer, editor]) await join(acme, member, 'editor')
  const bert = await signUp(app)
  await bert.post(`/connections/o/${acme.username}`)
  for (const member of [former, viewer, editor]) {
    await untilNotified(member, (items) => expect(items.map(({ kind }) => kind)).toContain('follow'), acme.id)
  }
  const reply = { kind: 'reply', data: { postId: 1, replyTo: 1 }, emailAt: new Date(now + DAY_MS) }
  const ofTeam = { profileId: acme.id, aboutProfileId: acme.id }
  await store(...[former, viewer, editor].map((member) => stored(member, { ...reply, ...ofTeam })))
  for (const member of [former, viewer, editor]) {
    expect((await choose(member, { kind: 'reply', in_app: true, email: 'immediately' })).statusCode).toBe(200)
  }
  expect((await acme.owner.delete(`${acme.team}/${former.account.id}`)).statusCode).toBe(200)
  await acme.owner.put(`${acme.team}/${viewer.account.id}`, { role: 'viewer' })
  await aDayLater()
  await untilMails(editor, 2)
  await untilSent()
  const aboutTheTeam = (who: Person) =>
    mailsTo(who).filter(({ text }) => /followed|replied/.test(text) && text.includes(acme.username))
  expect([editor, former, viewer].map((who) => aboutTheTeam(who).length)).toEqual([2, 0, 0])
})

it('sends no email about an invitation that was withdrawn', async () => {
  const acme = await newOrganization(app)
  const [invited, uninvited] = [await reader('off'), await reader('off')]
  for (const person of [invited, uninvited]) {
    await choose(person, { kind: 'team_invitation', in_app: true, email: 'daily' })
    const made = await acme.owner.post(`${acme.team}/invites`, { username: person.account.username, role: 'editor' })
    expect(made.statusCode, made.body).toBe(201)
    await untilNotified(person, (items) => expect(items).toHaveLength(1))
    if (person !== uninvited) continue
    const { id } = made.json<{ id: number }>()
    expect((await acme.owner.delete(`${acme.team}/invites/${id}`)).statusCode).toBe(200)
  }
  await aDayLater()
  await untilMails(invited, 1)
  await untilSent()
  expect(mailsTo(uninvited)).toEqual([])
})

it('sends an email from another process after the first process failed to', async () => {
  // No other instance runs on this storage.
  const own = await openStorage()
  const start = (send = mailbox.mailer.send) =>
    createTestApp({
      storage: own.another(),
      clock: () => new Date(now),
      email: { mailer: { ...mailbox.mailer, send } },
    })
  const first = await start()
  const [ada, bert] = [await reader('daily', first.app, own), await signUp(first.app)]
  await follow(bert, ada)
  await untilNotified(ada, (items) => expect(items).toHaveLength(1))
  await first.close()
  now += DAY_MS
  let tries = 0
  const failing = await start(async ({ to }) => {
    if (to === ada.account.email) tries++
    throw new Error('the connection was lost')
  })
  await vi.waitFor(() => expect(tries).toBeGreaterThan(0), LONG)
  await failing.close()
  expect(mailsTo(ada)).toEqual([])
  now += DAY_MS
  const last = await start()
  await untilMails(ada, 1)
  await last.close()
  await own.close()
})
