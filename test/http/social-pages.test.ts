import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Person } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { browserOf } from '../support/console.ts'
import { createWriter } from '../support/content.ts'
import { OPEN_FEED } from '../support/feed.ts'
import { CONVERSATIONS, OPEN_MESSAGES, openConversation, signUpTrusted } from '../support/messages.ts'
import { leadsTo, openBrowser } from '../support/pages.ts'
import { join, newMember, newOrganization } from '../support/teams.ts'

let test: Awaited<ReturnType<typeof createTestApp>>
beforeAll(async () => {
  test = await createTestApp({ ...OPEN_FEED, ...OPEN_MESSAGES })
})
afterAll(() => test.close())

const person = () => signUpTrusted(test.app, test.storage)
const profileOf = ({ account }: Person) => `/u/${account.username}`
const thread = (id: string) => `/messages/threads/${id}`
const BLOCK = '/messages/blocks/form'
const BLOCKED = '/messages/blocked'

/** Two people with a conversation, and the browser of the second one. */
async function conversation() {
  const [ada, bert] = [await person(), await person()]
  const id = await openConversation(ada, bert, 'Hello Bert')
  return { ada, bert, id, tab: await browserOf(test.app, bert) }
}

describe('a conversation with a block', () => {
  it('is blocked and unblocked on its page, and has no form to write while it is blocked', async () => {
    const { ada, id, tab } = await conversation()
    const before = await tab.open(thread(id))
    expect(before.body).toContain('>Block</button>')
    expect(before.body).toContain(`/reports/new?conversation=${id}`)
    const form = { conversation: id, on: '1', next: thread(id) }
    expect(leadsTo(await tab.submit(BLOCK, form))).toEqual([303, thread(id)])
    const blocked = await tab.open(thread(id))
    expect(blocked.body).toContain('This profile is blocked.')
    expect(blocked.body).toContain('>Unblock</button>')
    expect(blocked.body).not.toContain('<textarea')
    expect((await ada.post(`${CONVERSATIONS}/${id}/messages`, { body: 'Again' })).statusCode).toBe(403)
    // The other side cannot see on its page who blocked.
    const other = await browserOf(test.app, ada)
    expect((await other.open(thread(id))).body).toContain('<textarea')
    await tab.submit(BLOCK, { ...form, on: '0' })
    expect((await tab.open(thread(id))).body).toContain('<textarea')
    expect((await ada.post(`${CONVERSATIONS}/${id}/messages`, { body: 'Again' })).statusCode).toBe(201)
  })

  it('is blocked from the profile of the other side, where people without a conversation have no button', async () => {
    const { ada, id, tab } = await conversation()
    expect((await tab.open(profileOf(ada))).body).toContain('>Block</button>')
    await tab.submit(BLOCK, { conversation: id, on: '1', next: profileOf(ada) })
    const blocked = await tab.open(profileOf(ada))
    expect(blocked.body).toContain('This profile is blocked.')
    expect(blocked.body).toContain('>Unblock</button>')
    const stranger = await browserOf(test.app, await person())
    for (const { body } of [await stranger.open(profileOf(ada)), await openBrowser(test.app).open(profileOf(ada))]) {
      expect(body).not.toContain(BLOCK)
    }
  })

  it('is blocked only by its own sides, and by no page of another site', async () => {
    const { bert, id, tab } = await conversation()
    const stranger = await browserOf(test.app, await person())
    expect((await stranger.submit(BLOCK, { conversation: id, on: '1', next: '/' })).statusCode).toBe(404)
    for (const conversation of ['none', 'x'.repeat(65)]) {
      expect((await tab.submit(BLOCK, { conversation, on: '1', next: '/' })).statusCode).toBe(404)
    }
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect((await tab.submit(BLOCK, { conversation: id, on: '1', next: '/' }, foreign)).statusCode).toBe(403)
    const [status, location] = leadsTo(await openBrowser(test.app).submit(BLOCK, { conversation: id, next: BLOCKED }))
    expect([status, location]).toEqual([303, `/login?next=${encodeURIComponent(BLOCKED)}`])
    expect((await bert.get(`${CONVERSATIONS}?blocked=true`)).json().data).toEqual([])
  })
})

describe('the page of blocked profiles', () => {
  it('lists them with a button that unblocks each, and is empty without one', async () => {
    const { ada, bert, id, tab } = await conversation()
    const other = await openConversation(await person(), bert)
    expect((await tab.open('/messages')).body).toContain(`href="${BLOCKED}"`)
    expect((await tab.open(BLOCKED)).body).toContain('You block no profile.')
    await tab.submit(BLOCK, { conversation: id, on: '1', next: BLOCKED })
    const page = await tab.open(BLOCKED)
    expect(page.body).toContain(`>${ada.account.username}</bdi>`)
    expect(page.body).toContain(`href="${thread(id)}"`)
    expect(page.body).not.toContain(thread(other))
    const listed = (await bert.get(`${CONVERSATIONS}?blocked=true`)).json()
    expect([listed.data.map((each: { id: string }) => each.id), listed.pagination.total]).toEqual([[id], 1])
    await tab.submit(BLOCK, { conversation: id, on: '0', next: BLOCKED })
    const after = await tab.open(BLOCKED)
    expect(after.body).toContain('This profile is no longer blocked.')
    expect(after.body).toContain('You block no profile.')
  })

  it('is for signed-in people, and continues on further pages', async () => {
    const bert = await person()
    for (let made = 0; made < 31; made++) {
      const id = await openConversation(bert, await person())
      await bert.post(`${CONVERSATIONS}/${id}/block`)
    }
    const tab = await browserOf(test.app, bert)
    const [, next = ''] = /rel="next" href="([^"]+)"/.exec((await tab.open(BLOCKED)).body) ?? []
    expect((await tab.open(next.replaceAll('&amp;', '&'))).body.split('>Unblock</button>')).toHaveLength(2)
    expect((await tab.open(`${BLOCKED}?cursor=none`)).statusCode).toBe(400)
    expect(leadsTo(await openBrowser(test.app).open(BLOCKED))[1]).toContain('/login?next=')
  }, 120_000)
})

describe('posting on a profile', () => {
  it('is offered to its editors, and posts as the profile', async () => {
    const owner = await person()
    const acme = await newOrganization(test.app, owner)
    const editor = await person()
    await join(acme, editor, 'editor')
    const [profile, feed] = [`/o/${acme.username}`, `/feed/o/${acme.username}`]
    const tab = await browserOf(test.app, editor)
    expect((await tab.open(profile)).body).toContain(`href="${feed}#text"`)
    expect((await tab.open(feed)).body).toContain(`name="profile" value="${acme.id}"`)
    const form = { body: 'We are open', profile: String(acme.id), form_id: 'p'.repeat(36), next: feed }
    expect(leadsTo(await tab.submit('/feed/posts/form', form))).toEqual([303, feed])
    const page = await tab.open(feed)
    expect(page.body).toContain('We are open')
    expect(page.body).toContain('Your post was published.')
    expect((await editor.get(`/feed/u/${editor.account.username}?format=json`)).json().data).toEqual([])
  })

  it('is refused by role, for another profile, and without a valid profile', async () => {
    const acme = await newOrganization(test.app, await person())
    const viewer = await newMember(test.app, acme, 'viewer')
    const stranger = await person()
    const feed = `/feed/o/${acme.username}`
    for (const who of [viewer, stranger]) {
      const tab = await browserOf(test.app, who)
      expect((await tab.open(`/o/${acme.username}`)).body).not.toContain(`${feed}#text`)
      expect((await tab.open(feed)).body).not.toContain('<textarea')
      const form = { body: 'Not mine', form_id: 'q'.repeat(36), next: feed }
      const sent = await tab.submit('/feed/posts/form', { ...form, profile: String(acme.id) })
      expect(sent.statusCode).toBe(403)
      expect((await tab.submit('/feed/posts/form', { ...form, profile: 'x' })).statusCode).toBe(404)
      expect((await who.get(`/feed/u/${who.account.username}?format=json`)).json().data).toEqual([])
    }
    expect((await openBrowser(test.app).open(feed)).body).not.toContain('<textarea')
  })

  it('keeps the text and the profile of a post that is refused', async () => {
    const acme = await newOrganization(test.app, await person())
    const tab = await browserOf(test.app, acme.owner)
    const form = { body: 'x'.repeat(501), profile: String(acme.id), form_id: 'r'.repeat(36), next: '/feed' }
    const refused = await tab.submit('/feed/posts/form', form)
    expect(refused.statusCode).toBe(400)
    expect(refused.body).toContain(`name="profile" value="${acme.id}"`)
    expect(refused.body).toContain(form.body)
  })
})

describe('the page of bookmarks', () => {
  it('lists the bookmarked pages, removes one, and shows no page that became private', async () => {
    const writer = await createWriter(test.app, 'bookmarked-writer')
    const [one, two] = [await writer.newPage({ title: 'First page' }), await writer.newPage({ title: 'Second page' })]
    const tab = await browserOf(test.app, await person())
    expect((await tab.open('/account/bookmarks')).body).toContain('You have no bookmarks.')
    const mark = (id: number) => ({ page: String(id), kind: 'bookmark', on: '1', next: '/account/bookmarks' })
    for (const { id } of [one, two]) await tab.submit('/content/reactions/form', mark(id))
    const page = await tab.open('/account/bookmarks')
    expect(page.body).toContain(`href="${one.path}"`)
    expect(page.body).toContain(`href="${two.path}"`)
    await writer.put(`/manage/pages/${two.id}`, { status: 'draft' })
    await tab.submit('/content/reactions/form', { ...mark(one.id), on: '0' })
    const after = await tab.open('/account/bookmarks')
    expect(after.body).toContain('This page is no longer in your bookmarks.')
    expect(after.body).not.toContain('Second page')
    expect(after.body).toContain('You have no bookmarks.')
    expect((await (await browserOf(test.app, await person())).open('/dashboard')).body).toContain('/account/bookmarks')
    expect(leadsTo(await openBrowser(test.app).open('/account/bookmarks'))[1]).toContain('/login?next=')
  })
})
