import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { codeOf, makeAdministrator, type Person, signUp } from '../support/accounts.ts'
import { client, type Response } from '../support/client.ts'
import { newPost, OPEN_FEED } from '../support/feed.ts'
import { openInstances } from '../support/instances.ts'
import { CONVERSATIONS, messagesOf, openConversation, profileIdOf, reply, signUpTrusted } from '../support/messages.ts'
import { countingIn } from '../support/rate-limits.ts'
import { newMember, newOrganization } from '../support/teams.ts'

const { database, instance } = await openInstances(OPEN_FEED)
const app = await instance()

let admin: Person
beforeAll(async () => {
  admin = await signUp(app)
  await makeAdministrator(database, admin)
})

const person = () => signUpTrusted(app, database.storage)
const pair = async (): Promise<readonly [Person, Person]> => [await person(), await person()]
const outcome = (answer: Response) =>
  answer.statusCode < 400 ? answer.statusCode : `${answer.statusCode} ${codeOf(answer)}`
const reportIn = (who: Pick<Person, 'post'>, id: string, fields: object = {}, headers = {}) =>
  who.post(`${CONVERSATIONS}/${id}/report`, { reason: 'Spam', ...fields }, headers)
const reportPost = (who: Pick<Person, 'post'>, id: number, fields: object = {}) =>
  who.post(`/feed/${id}/report`, { reason: 'Spam', ...fields })
const shown = async (id: string) => (await admin.get(`/admin/reports/${id}`)).json()

interface AuditEntry {
  readonly action: string
  readonly actor_account_id: string
  readonly before: object
  readonly after: object
}

const audited = async (id: string): Promise<readonly AuditEntry[]> =>
  (await admin.get(`/admin/audit?target=${encodeURIComponent(`reports/${id}`)}`)).json().data

/** A conversation of two people with one message. */
async function conversation(text = 'Buy my course now') {
  const [ada, bert] = await pair()
  const id = await openConversation(bert, ada, text)
  const [message] = await messagesOf(ada, id)
  return { ada, bert, id, messageId: message?.id ?? '' }
}

const profileOf = (who: Person) => ({
  id: profileIdOf(who),
  did: `did:web:profiles.example:u:${who.account.username}`,
  profile_type: 'person',
  username: who.account.username,
  url: `https://profiles.example/u/${who.account.username}`,
  owner_account_id: who.account.id,
})

describe('a report of a message', () => {
  it('shows administrators the reported text as it was, and the reporter only what it wrote', async () => {
    const { ada, bert, id, messageId } = await conversation()
    const made = await reportIn(ada, id, { reason: 'Three times\na day', message_id: messageId })
    expect(made.statusCode, made.body).toBe(201)
    const own = made.json()
    expect(own).toEqual({
      id: expect.any(String),
      subject: { type: 'message', id: messageId },
      status: 'open',
      reason: 'Three times\na day',
      created_at: expect.any(String),
    })
    const full = {
      ...own,
      evidence: 'Buy my course now',
      reporter_account_id: ada.account.id,
      reporter: profileOf(ada),
      reported: profileOf(bert),
      note: null,
      updated_at: own.created_at,
    }
    expect(await shown(own.id)).toEqual(full)
    expect((await bert.delete(`${CONVERSATIONS}/${id}/messages/${messageId}`)).statusCode).toBe(200)
    const answer = await admin.get(`/admin/reports/${own.id}`)
    expect(answer.json(), 'evidence outlives the deletion of the message').toEqual(full)
    expect(answer.headers['cache-control']).toBe('private, no-store')
    expect(await bert.get(`${CONVERSATIONS}/${id}/messages`).then(({ body }) => body)).not.toContain(own.id)
  })

  it('keeps the last ten messages of the other profile as evidence of a reported conversation', async () => {
    const { ada, bert, id, messageId } = await conversation('The first of Bert')
    const own = (await reportIn(bert, id)).json()
    expect(own.subject).toEqual({ type: 'conversation', id })
    expect(await shown(own.id), 'Ada has written nothing').toMatchObject({
      evidence: null,
      reported: { id: profileIdOf(ada) },
    })
    for (let count = 1; count <= 12; count++) {
      expect((await reply(bert, id, `Bert ${count}`)).statusCode).toBe(201)
      if (count % 3 === 0) expect((await reply(ada, id, `Ada ${count}`)).statusCode).toBe(201)
    }
    const sent = (await messagesOf(bert, id)).filter(({ body }) => body?.startsWith('Bert'))
    await bert.delete(`${CONVERSATIONS}/${id}/messages/${sent.at(-1)?.id}`)
    const { id: reportId } = (await reportIn(ada, id)).json()
    const { evidence, reported } = await shown(reportId)
    const lines = sent.slice(1, -1).map(({ seq, body, created_at: at }) => `${seq}. ${at}\n${body}`)
    expect([lines.length, evidence, reported.id]).toEqual([10, lines.join('\n\n'), profileIdOf(bert)])
    await bert.delete(`${CONVERSATIONS}/${id}/messages/${messageId}`)
    expect((await shown(reportId)).evidence, 'evidence outlives the deletion of messages').toBe(lines.join('\n\n'))
    await database.storage.transaction((tx) => tx.profiles.delete(profileIdOf(bert)))
    expect((await shown(reportId)).evidence).toBeNull()
  })

  it('refuses reports from outsiders, about oneself, and about messages of other conversations', async () => {
    const { ada, bert, id, messageId } = await conversation()
    const other = await conversation()
    const stranger = await person()
    expect(outcome(await reportIn(stranger, id))).toBe('404 conversation_not_found')
    expect(outcome(await reportIn(stranger, id, { message_id: messageId }))).toBe('404 conversation_not_found')
    expect(outcome(await reportIn(ada, randomUUID()))).toBe('404 conversation_not_found')
    expect(outcome(await reportIn(bert, id, { message_id: messageId }))).toBe('400 cannot_report_itself')
    for (const message_id of [other.messageId, randomUUID(), 'no uuid']) {
      expect(outcome(await reportIn(ada, id, { message_id }))).toBe('404 message_not_found')
    }
    const asOther = { 'x-active-profile-id': String(profileIdOf(bert)) }
    expect(outcome(await reportIn(ada, id, {}, asOther))).toBe('403 not_profile_owner')
  })

  it('lets members report who may write messages for the profile', async () => {
    const [ada, owner] = await pair()
    const acme = await newOrganization(app, owner)
    await owner.put(acme.path, { capabilities: ['contactable'] })
    const opened = await ada.post(CONVERSATIONS, { to: acme.id, body: 'Hello' })
    const { id } = opened.json().conversation
    const [editor, viewer] = [await newMember(app, acme, 'editor'), await newMember(app, acme, 'viewer')]
    const acting = { 'x-active-profile-id': String(acme.id) }
    expect(outcome(await reportIn(viewer, id, {}, acting))).toBe('403 not_profile_owner')
    const made = await reportIn(editor, id, {}, acting)
    expect(made.statusCode).toBe(201)
    const { reporter, reporter_account_id } = await shown(made.json().id)
    expect([reporter.id, reporter_account_id]).toEqual([acme.id, editor.account.id])
  })

  it('accepts reports while one profile blocks the other, but not after the other is deleted', async () => {
    const { ada, bert, id } = await conversation()
    await ada.post(`${CONVERSATIONS}/${id}/block`)
    expect(outcome(await reply(bert, id))).toBe('403 blocked')
    expect(outcome(await reportIn(bert, id))).toBe(201)
    expect(outcome(await reportIn(ada, id))).toBe(201)
    const gone = await conversation()
    await database.storage.transaction((tx) => tx.profiles.delete(profileIdOf(gone.bert)))
    expect(outcome(await reportIn(gone.ada, gone.id))).toBe('409 conversation_closed')
  })
})

describe('a report of a post', () => {
  it('shows administrators the text of a reported post, also after its deletion', async () => {
    const [ada, bert] = await pair()
    const { id } = await newPost(bert, 'Buy #now')
    const made = await reportPost(ada, id)
    expect(made.statusCode, made.body).toBe(201)
    const own = made.json()
    expect(own.subject).toEqual({ type: 'post', id: String(id) })
    await bert.delete(`/feed/${id}`)
    expect(await shown(own.id)).toEqual({
      ...own,
      evidence: 'Buy #now',
      reporter_account_id: ada.account.id,
      reporter: null,
      reported: profileOf(bert),
      note: null,
      updated_at: own.created_at,
    })
    expect(outcome(await reportPost(await person(), id))).toBe('404 post_not_found')
  })

  it('refuses reports about own posts and about posts that the caller cannot see', async () => {
    const [ada, bert] = await pair()
    const { id } = await newPost(bert)
    expect(outcome(await reportPost(bert, id))).toBe('400 cannot_report_itself')
    await admin.put(`/admin/feed/${id}`, { hidden: true })
    expect(outcome(await reportPost(ada, id))).toBe('404 post_not_found')
    expect(outcome(await reportPost(ada, 999_999_999))).toBe('404 post_not_found')
  })
})

describe('a repeated report', () => {
  it('returns the open report for a repeated one, also under concurrent requests', async () => {
    const { ada, id, messageId } = await conversation()
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => reportIn(ada, id, { reason: `${at}`, message_id: messageId })),
    )
    const created = answers.filter(({ statusCode }) => statusCode === 201)
    expect(created).toHaveLength(1)
    const [first] = created
    for (const answer of answers) {
      expect([200, 201]).toContain(answer.statusCode)
      expect(answer.json()).toEqual(first?.json())
    }
    const again = await reportIn(ada, id, { reason: 'Again', message_id: messageId })
    expect([again.statusCode, again.json()]).toEqual([200, first?.json()])
    // Another subject and another reporter have theirs.
    expect((await reportIn(ada, id)).statusCode).toBe(201)

    const { id: reportId } = first?.json() ?? {}
    expect((await admin.put(`/admin/reports/${reportId}`, { status: 'dismissed' })).statusCode).toBe(200)
    const second = await reportIn(ada, id, { message_id: messageId })
    expect(second.statusCode).toBe(201)
    expect(second.json().id).not.toBe(reportId)
    const reopened = await admin.put(`/admin/reports/${reportId}`, { status: 'open' })
    expect(outcome(reopened)).toBe('409 another_report_open')
  })

  it('does not count repeated reports against the hourly limit', async () => {
    const hits = new Map<string, number>()
    const limited = await instance({ limits: { rateLimit: { store: countingIn(hits), multiplier: 1 } } })
    const [ada, bert] = await pair()
    const [first, last, late] = [await newPost(bert), await newPost(bert), await newPost(bert)]
    const reporter = client(limited).as(ada)
    // The limit of 20, less two.
    hits.set(`reports:${ada.account.id}`, 18)
    const outcomes: unknown[] = []
    for (const { id } of [first, first, last]) outcomes.push(outcome(await reportPost(reporter, id)))
    expect(outcomes).toEqual([201, 200, 201])
    const refused = await reportPost(reporter, late.id)
    expect(outcome(refused)).toBe('429 too_many_reports')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(outcome(await reportPost(reporter, first.id))).toBe(200)
  })
})

describe('invalid input', () => {
  it('rejects invalid reports', async () => {
    const { ada, id, messageId } = await conversation()
    const { id: postId } = await newPost(ada)
    const { id: reportId } = (await reportIn(ada, id)).json()
    for (const fields of [{ reason: '' }, { reason: ' \n' }]) {
      expect(outcome(await reportIn(ada, id, fields)), JSON.stringify(fields)).toBe('400 validation_failed')
      expect(outcome(await reportPost(ada, postId, fields)), JSON.stringify(fields)).toBe('400 validation_failed')
    }
    for (const body of [{ status: 'closed' }, { status: 'open', note: ' ' }]) {
      expect(outcome(await admin.put(`/admin/reports/${reportId}`, body)), JSON.stringify(body)).toBe(
        '400 validation_failed',
      )
    }
    for (const query of ['status=closed', 'limit=0', 'limit=101']) {
      expect(outcome(await admin.get(`/admin/reports?${query}`))).toBe('400 validation_failed')
    }
    expect(outcome(await admin.get('/admin/reports?cursor=x'))).toBe('400 invalid_cursor')
    expect(outcome(await reportIn(ada, id, { reason: 'é'.repeat(1_000), message_id: messageId }))).toBe(201)
  })
})

describe('an administrator', () => {
  it('lets administrators decide reports, and records each change', async () => {
    const { ada, id, messageId } = await conversation()
    const { id: reportId } = (await reportIn(ada, id, { message_id: messageId })).json()
    const decide = (body: object, who = admin) => who.put(`/admin/reports/${reportId}`, body)
    const resolved = await decide({ status: 'resolved', note: 'Banned for this' })
    expect([resolved.statusCode, resolved.json().status, resolved.json().note]).toEqual([
      200,
      'resolved',
      'Banned for this',
    ])
    expect(resolved.json()).toEqual(await shown(reportId))
    // Nothing changes, so nothing is recorded.
    await decide({ status: 'resolved' })
    expect((await decide({ status: 'dismissed', note: null })).json()).toMatchObject({
      status: 'dismissed',
      note: null,
    })
    expect((await decide({ status: 'open' })).json().status).toBe('open')
    const entries = await audited(reportId)
    expect(entries.map(({ action, before, after }) => [action, before, after])).toEqual([
      ['report.decided', { status: 'dismissed', has_note: false }, { status: 'open', has_note: false }],
      ['report.decided', { status: 'resolved', has_note: true }, { status: 'dismissed', has_note: false }],
      ['report.decided', { status: 'open', has_note: false }, { status: 'resolved', has_note: true }],
    ])
    expect(new Set(entries.map(({ actor_account_id: actor }) => actor))).toEqual(new Set([admin.account.id]))
    expect(JSON.stringify(entries)).not.toContain('Banned for this')
    for (const unknown of [randomUUID(), 'no uuid']) {
      expect(outcome(await admin.get(`/admin/reports/${unknown}`))).toBe('404 report_not_found')
      expect(outcome(await admin.put(`/admin/reports/${unknown}`, { status: 'open' }))).toBe('404 report_not_found')
    }
    for (const who of [ada, client(app)]) {
      const expected = who === ada ? '403 forbidden' : '401 unauthenticated'
      expect(outcome(await who.get('/admin/reports'))).toBe(expected)
      expect(outcome(await who.get(`/admin/reports/${reportId}`))).toBe(expected)
      expect(outcome(await who.put(`/admin/reports/${reportId}`, { status: 'open' }))).toBe(expected)
    }
  })

  it('lists reports in pages, newest first, filtered by status', async () => {
    const [ada, bert] = await pair()
    const made: string[] = []
    for (let count = 0; count < 5; count++) made.push((await reportPost(ada, (await newPost(bert)).id)).json().id)
    const [first = ''] = made
    await admin.put(`/admin/reports/${first}`, { status: 'dismissed' })
    const walk = async (status: string) => {
      const seen: string[] = []
      for (let cursor = ''; ; ) {
        const page = await admin.get(`/admin/reports?limit=2${status}${cursor}`)
        expect(page.statusCode, page.body).toBe(200)
        const { data, pagination } = page.json()
        expect(data.length).toBeLessThanOrEqual(2)
        seen.push(...data.map((report: { id: string }) => report.id))
        if (pagination.next_cursor === undefined) return seen.filter((id) => made.includes(id))
        cursor = `&cursor=${pagination.next_cursor}`
        // A report that is added meanwhile moves nothing.
        await reportPost(ada, (await newPost(bert)).id)
        if (seen.includes(first) || seen.length > 500) return seen.filter((id) => made.includes(id))
      }
    }
    expect(await walk('')).toEqual(made.toReversed())
    expect(await walk('&status=open')).toEqual(made.slice(1).toReversed())
    expect(await walk('&status=dismissed')).toEqual([first])
  })
})

describe('a purged account', () => {
  const DAY_MS = 86_400_000

  it("removes a purged account's texts from reports about it, and its name from reports by it", async () => {
    const clock = { now: new Date() }
    const at = await instance({ clock: () => clock.now, auth: { purgeIntervalMs: 100 } })
    const { ada, bert, id, messageId } = await conversation('Words of the reported')
    const { id: byAda } = (await reportIn(ada, id, { reason: 'About bert', message_id: messageId })).json()
    const { id: postId } = await newPost(ada, 'Words that stay')
    const { id: byBert } = (await reportPost(bert, postId, { reason: 'Said by bert' })).json()
    await admin.put(`/admin/reports/${byAda}`, { status: 'resolved', note: 'About bert' })
    await database.storage.transaction((tx) =>
      tx.accounts.save(bert.account.id, { deletionScheduledAt: new Date(clock.now.getTime() - 31 * DAY_MS) }),
    )
    await vi.waitFor(async () => expect(await database.storage.read.accounts.get(bert.account.id)).toBeUndefined(), {
      timeout: 120_000,
      interval: 50,
    })
    expect(await shown(byAda)).toMatchObject({
      status: 'resolved',
      reason: null,
      evidence: null,
      note: null,
      reported: null,
      reporter: { id: profileIdOf(ada) },
      subject: { type: 'message', id: messageId },
    })
    expect(await shown(byBert)).toMatchObject({
      status: 'open',
      reason: null,
      evidence: 'Words that stay',
      reporter: null,
      reporter_account_id: null,
      reported: { id: profileIdOf(ada) },
    })
    const rows = (await database.dump?.(['reports', 'report_evidence'])) ?? []
    for (const trace of ['Words of the reported', 'About bert', 'Said by bert', bert.account.id]) {
      expect(rows.filter((row) => row.includes(trace))).toEqual([])
    }
    // The number of the profile, which is not the one of a post.
    const numbers = rows.map((row) => row.replace(/,post,\d+,/, ','))
    expect(numbers.filter((row) => row.includes(`,${profileIdOf(bert)},`))).toEqual([])
    await at.close()
  })
})

describe('a module that is switched off', () => {
  it('offers no reports of its items, and still those of other modules', async () => {
    const { ada, id } = await conversation()
    const { id: postId } = await newPost(await person())
    const withoutFeed = client(await instance({ feed: false })).as(ada)
    expect([(await reportPost(withoutFeed, postId)).statusCode, (await reportIn(withoutFeed, id)).statusCode]).toEqual([
      404, 201,
    ])
    const withoutMessages = client(await instance({ messages: false })).as(ada)
    expect([
      (await reportIn(withoutMessages, id)).statusCode,
      (await reportPost(withoutMessages, postId)).statusCode,
    ]).toEqual([404, 201])
    const without = await instance({ reports: false })
    expect((await reportIn(client(without).as(ada), id)).statusCode).toBe(404)
    expect((await client(without).as(admin).get('/admin/reports')).statusCode).toBe(404)
    expect((await client(without).as(ada).get(`${CONVERSATIONS}/${id}/messages`)).statusCode).toBe(200)
  })
})
