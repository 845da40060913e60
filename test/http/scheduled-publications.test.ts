import { defineError } from '@eep/core'
import { endOfLog, eventsAfter } from '@eep/core/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { codeOf, signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createWriter, type Writer } from '../support/content.ts'
import { createMailbox } from '../support/mailbox.ts'
import { image, sellOnly, sent } from '../support/pictures.ts'
import { newMember } from '../support/teams.ts'

const LONG = { timeout: 60_000, interval: 20 }
const PAST = new Date('2026-01-01T00:00:00Z')
const HOUR_MS = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString()
const mailbox = createMailbox()

const refused = defineError('not_here', 403, 'Not here')

/** What the hook of the hosts does with a page; by default it accepts it. */
let decide: (title: string) => Promise<void> = async () => {}
let first: Awaited<ReturnType<typeof createTestApp>>
let second: typeof first
let ada: Writer

beforeAll(async () => {
  const options = {
    auth: { purgeIntervalMs: 100 },
    email: { mailer: mailbox.mailer },
    hooks: { beforePublish: ({ title }: { readonly title: string }) => decide(title) },
  }
  first = await createTestApp(options)
  second = await createTestApp({ ...options, storage: first.storage })
  ada = await createWriter(first.app, 'ada')
})
afterAll(async () => {
  await second.close()
  await first.close()
})

const pageUrl = ({ id }: { readonly id: number }) => `/manage/pages/${id}`
const draftUrl = (page: { readonly id: number }) => `${pageUrl(page)}/draft`
const publicly = async (path: string) => client(first.app).get(`${path}?format=json`)

/** Lets a scheduled publication be due by the clock of the storage. */
const letBeDue = (page: { readonly id: number }, scheduledBy = ada.account.id) =>
  first.storage.transaction((tx) => tx.scheduledPublications.put({ pageId: page.id, publishAt: PAST, scheduledBy }))
const isScheduled = async (page: { readonly id: number }) =>
  (await first.storage.read.scheduledPublications.list([page.id])).length > 0
const eventsOf = async (start: string, pageId: number) =>
  (await eventsAfter(first.storage, start)).filter(({ data }) => data.pageId === pageId)

describe('publish_at of a page that is a draft', () => {
  it('is shown and cleared, and makes no version', async () => {
    const page = await ada.newPage({ status: 'draft', title: 'Later' })
    const publishAt = inHours(2)
    const set = await ada.put(pageUrl(page), { publish_at: publishAt })
    expect(set.json()).toMatchObject({ status: 'draft', version: 1, publish_at: publishAt })
    const { data } = await ada.getJson(`/manage/pages?profile_id=${ada.profileId}&status=draft`)
    expect(data.find(({ id }: { readonly id: number }) => id === page.id)).toMatchObject({ publish_at: publishAt })
    const saved = await ada.put(pageUrl(page), { body: 'More.', autosave: true })
    expect(saved.json()).toMatchObject({ version: 2, publish_at: publishAt })
    expect((await ada.put(pageUrl(page), { publish_at: null })).json()).toMatchObject({ version: 2, publish_at: null })
  })

  it('accepts times with an offset, of the next year only', async () => {
    const page = await ada.newPage({ status: 'draft' })
    expect(codeOf(await ada.put(pageUrl(page), { publish_at: '2020-01-01T00:00:00Z' }))).toBe('in_the_past')
    expect(codeOf(await ada.put(pageUrl(page), { publish_at: inHours(24 * 400) }))).toBe('too_far_ahead')
    for (const publish_at of ['tomorrow', 5, '2027-01-01T00:00:00']) {
      expect((await ada.put(pageUrl(page), { publish_at })).statusCode).toBe(400)
    }
    const at = new Date(Date.now() + HOUR_MS)
    const local = `${new Date(at.getTime() + 2 * HOUR_MS).toISOString().slice(0, 19)}+02:00`
    const set = await ada.put(pageUrl(page), { publish_at: local })
    expect(Date.parse(set.json().publish_at)).toBe(Math.floor(at.getTime() / 1_000) * 1_000)
  })

  it('is refused for a page that is published, or becomes it', async () => {
    const published = await ada.newPage()
    const draft = await ada.newPage({ status: 'draft' })
    expect(codeOf(await ada.put(pageUrl(published), { publish_at: inHours(1) }))).toBe('page_not_draft')
    const both = await ada.put(pageUrl(draft), { status: 'published', publish_at: inHours(1) })
    expect([both.statusCode, codeOf(both)]).toEqual([409, 'page_not_draft'])
  })

  it('ends when the page is published by hand', async () => {
    const page = await ada.newPage({ status: 'draft' })
    await ada.put(pageUrl(page), { publish_at: inHours(1) })
    expect((await ada.put(pageUrl(page), { status: 'published' })).json().publish_at).toBeNull()
    expect(await isScheduled(page)).toBe(false)
  })

  it('publishes the page once on two instances that publish it at the same time', async () => {
    const page = await ada.newPage({ status: 'draft', title: 'Held by the host', body: 'Due.' })
    const start = await endOfLog(first.storage)
    const held = Promise.withResolvers<void>()
    let asked = 0
    decide = async (title) => {
      if (title !== 'Held by the host') return
      asked += 1
      await held.promise
    }
    await letBeDue(page)
    // Both have found it due, and wait for the answer of their host.
    await vi.waitFor(() => expect(asked).toBe(2), LONG)
    held.resolve()
    await vi.waitFor(async () => expect((await publicly(page.path)).statusCode).toBe(200), LONG)
    await vi.waitFor(async () => expect(await isScheduled(page)).toBe(false), LONG)
    decide = async () => {}
    const record = await ada.getJson(pageUrl(page))
    expect(record).toMatchObject({ status: 'published', version: 2, publish_at: null })
    expect(record.published_at).not.toBeNull()
    const events = await eventsOf(start, page.id)
    expect(events.map(({ type, data }) => [type, data.status, data.previousStatus])).toEqual([
      ['content.page_saved', 'published', 'draft'],
    ])
  })

  it('publishes the page of a member who left the team', async () => {
    const organization = { owner: ada, id: ada.profileId, team: `/profiles/${ada.profileId}/team` }
    const editor = await newMember(first.app, organization, 'editor')
    const page = await ada.newPage({ status: 'draft', title: 'Of a former member' })
    expect((await editor.put(pageUrl(page), { publish_at: inHours(1) })).statusCode).toBe(200)
    await ada.delete(`${organization.team}/${editor.account.id}`)
    await letBeDue(page, editor.account.id)
    await vi.waitFor(async () => expect((await publicly(page.path)).statusCode).toBe(200), LONG)
  })
})

describe('publish_at of the draft of a published page', () => {
  it('publishes the draft, which stays scheduled while it is saved', async () => {
    const page = await ada.newPage({ title: 'Seasons', body: 'Spring.' })
    await ada.put(draftUrl(page), { body: 'Summer.' })
    const publishAt = inHours(3)
    const set = await ada.post(`${draftUrl(page)}/publish`, { publish_at: publishAt })
    expect(set.statusCode).toBe(202)
    expect(set.json()).toMatchObject({ body: 'Summer.', publish_at: publishAt })
    expect((await ada.put(draftUrl(page), { body: 'Autumn.' })).json().publish_at).toBe(publishAt)
    expect((await ada.getJson(pageUrl(page))).publish_at).toBe(publishAt)
    await letBeDue(page)
    await vi.waitFor(async () => expect((await publicly(page.path)).json().body).toBe('Autumn.'), LONG)
    expect(codeOf(await ada.get(draftUrl(page)))).toBe('draft_not_found')
    expect(await ada.getJson(pageUrl(page))).toMatchObject({ version: 2, publish_at: null })
  })

  it('is cancelled by null, and ends with the draft', async () => {
    const page = await ada.newPage()
    await ada.put(draftUrl(page), { body: 'a' })
    await ada.post(`${draftUrl(page)}/publish`, { publish_at: inHours(1) })
    expect((await ada.put(draftUrl(page), { publish_at: null })).json().publish_at).toBeNull()
    await ada.post(`${draftUrl(page)}/publish`, { publish_at: inHours(1) })
    await ada.delete(draftUrl(page))
    expect(await isScheduled(page)).toBe(false)
  })

  it('does not publish a draft of an earlier version, keeps it, and reports why by event and email', async () => {
    const page = await ada.newPage({ title: 'Overtaken', body: 'Old.' })
    await ada.put(draftUrl(page), { body: 'Drafted.' })
    await ada.post(`${draftUrl(page)}/publish`, { publish_at: inHours(1) })
    await ada.putPage(page.id, { body: 'Saved directly.' })
    expect((await ada.post(`${draftUrl(page)}/publish`, { publish_at: inHours(1) })).statusCode).toBe(412)
    await first.storage.transaction((tx) => tx.accounts.save(ada.account.id, { emailVerified: true, emailOwned: true }))
    const start = await endOfLog(first.storage)
    await letBeDue(page)
    await vi.waitFor(async () => expect(await isScheduled(page)).toBe(false), LONG)
    const events = await eventsOf(start, page.id)
    expect(events.map(({ type, data }) => [type, data.of, data.reason])).toEqual([
      ['content.publication_failed', 'draft', 'version_changed'],
    ])
    const typed = '/eep/events?types=content.publication.failed&limit=1000'
    const signals = (await ada.getJson(typed)).events.filter(
      ({ data }: { readonly data: { readonly page_id: number } }) => data.page_id === page.id,
    )
    expect(signals).toMatchObject([
      {
        type: 'content.publication.failed',
        data: { entity_id: ada.profileId, of: 'draft', publish_at: PAST.toISOString(), reason: 'version_changed' },
      },
    ])
    const stranger = await signUp(first.app)
    expect((await stranger.get(typed)).json().events).toEqual([])
    expect((await publicly(page.path)).json().body).toBe('Saved directly.')
    expect(await ada.getJson(draftUrl(page))).toMatchObject({ body: 'Drafted.', publish_at: null })
    await vi.waitFor(
      () => expect(mailbox.mails.map(({ subject }) => subject).join()).toContain('not published at its scheduled time'),
      LONG,
    )
  })
})

describe('a due publication', () => {
  const failing = async (page: { readonly id: number }, start: string) => {
    await vi.waitFor(async () => expect(await isScheduled(page)).toBe(false), LONG)
    expect((await first.storage.read.pages.get(page.id))?.status).toBe('draft')
    return (await eventsOf(start, page.id)).map(({ type, data }) => [type, data.of, data.reason])
  }

  it.each([
    ['account_banned', { bannedAt: PAST }],
    ['account_deletion_scheduled', { deletionScheduledAt: new Date(Date.now() + 24 * HOUR_MS) }],
  ])('is not published when the owner is %s', async (reason, changes) => {
    const writer = await createWriter(first.app)
    const page = await writer.newPage({ status: 'draft' })
    await first.storage.transaction((tx) => tx.accounts.save(writer.account.id, changes))
    const start = await endOfLog(first.storage)
    await letBeDue(page, writer.account.id)
    expect(await failing(page, start)).toEqual([['content.publication_failed', 'page', reason]])
  })

  it('is not published when the host refuses it', async () => {
    const page = await ada.newPage({ status: 'draft', title: 'Refused by the host' })
    decide = async (title) => {
      if (title === 'Refused by the host') throw refused()
    }
    const start = await endOfLog(first.storage)
    await letBeDue(page)
    expect(await failing(page, start)).toEqual([['content.publication_failed', 'page', 'refused']])
    decide = async () => {}
  })

  it.each([
    ['page', 'draft'],
    ['draft', 'published'],
  ] as const)(
    'is not published when the cover of the %s became a closed file that no page shows',
    async (of, status) => {
      const writer = await createWriter(first.app)
      const file = await sent(first.app, writer, await image('teal'), 'cover.png')
      const cover_url = `/files/${file}`
      const page = await writer.newPage({ status, ...(of === 'page' ? { cover_url } : {}) })
      if (of === 'draft') expect((await writer.put(draftUrl(page), { cover_url })).statusCode).toBe(200)
      await sellOnly(writer, [`files.f${file}`])
      const start = await endOfLog(first.storage)
      await letBeDue(page, writer.account.id)
      await vi.waitFor(async () => expect(await isScheduled(page)).toBe(false), LONG)
      const events = (await eventsOf(start, page.id)).map(({ type, data }) => [type, data.of, data.reason])
      expect(events).toEqual([['content.publication_failed', of, 'refused']])
      expect((await client(first.app).get(cover_url)).statusCode).toBe(402)
    },
  )

  it('is published with a closed file as the cover that the page shows already', async () => {
    const writer = await createWriter(first.app)
    const file = await sent(first.app, writer, await image('olive'), 'cover.png')
    const page = await writer.newPage({ cover_url: `/files/${file}` })
    await writer.put(draftUrl(page), { body: 'With the same cover.' })
    await sellOnly(writer, [`files.f${file}`])
    await letBeDue(page, writer.account.id)
    await vi.waitFor(async () => expect((await publicly(page.path)).json().body).toBe('With the same cover.'), LONG)
  })

  it('is repeated when the host fails, and does not delay others', async () => {
    const page = await ada.newPage({ status: 'draft', title: 'Later than planned' })
    const next = await ada.newPage({ status: 'draft', title: 'After it' })
    let failures = 0
    let isDown = true
    decide = async (title) => {
      if (title !== 'Later than planned' || !isDown) return
      failures += 1
      throw new Error('the host is down')
    }
    await letBeDue(page)
    await letBeDue(next)
    await vi.waitFor(async () => expect((await publicly(next.path)).statusCode).toBe(200), LONG)
    await vi.waitFor(() => expect(failures).toBeGreaterThan(2), LONG)
    expect(await isScheduled(page)).toBe(true)
    isDown = false
    await vi.waitFor(async () => expect((await publicly(page.path)).statusCode).toBe(200), LONG)
    decide = async () => {}
  })
})
