import { describe, expect, it } from 'vitest'
import { codeOf, PASSWORD, type Person, signUp } from '../support/accounts.ts'
import { client } from '../support/client.ts'
import { createClock } from '../support/clock.ts'
import { HOSTILE_TEXTS, nameOf } from '../support/hostile-texts.ts'
import {
  addressOf,
  bodiesOf,
  CONVERSATIONS,
  messagesOf,
  openConversation,
  openMessages,
  profileIdOf,
  reply,
  signUpTrusted,
  writeTo,
} from '../support/messages.ts'
import { newOrganization } from '../support/teams.ts'

const { app, database, instance, pair, person } = await openMessages()

const outcome = (answer: { statusCode: number; body: string; json(): { error: { code: string } } }) =>
  answer.statusCode === 201 ? 'sent' : `${answer.statusCode} ${answer.json().error.code}`

describe('profiles with little trust', () => {
  it('lets profiles with little trust reply only', async () => {
    const [ada, fresh] = [await person(), await signUp(app)]
    expect(outcome(await writeTo(fresh, ada))).toBe('403 low_trust')
    const put = await fresh.put(`/profiles/${addressOf(fresh)}`, { capabilities: ['contactable'] })
    expect(put.statusCode, put.body).toBe(200)
    const id = await openConversation(ada, fresh)
    expect(outcome(await reply(fresh, id))).toBe('sent')
    expect(outcome(await writeTo(fresh, ada))).toBe('sent')
    expect(outcome(await writeTo(fresh, await person()))).toBe('403 low_trust')
  })
})

describe('profiles without the trait contactable', () => {
  it('lets profiles without the trait contactable receive messages from profiles that they follow or have answered', async () => {
    const [ada, shy] = [await person(), await person(false)]
    expect(outcome(await writeTo(ada, shy))).toBe('403 not_contactable')
    const followed = await shy.post(`/connections/${addressOf(ada)}`)
    expect(followed.statusCode).toBe(201)
    const id = await openConversation(ada, shy)
    await shy.delete(`/connections/${addressOf(ada)}`)
    expect(outcome(await reply(ada, id))).toBe('403 not_contactable')
    expect(outcome(await reply(shy, id))).toBe('sent')
    expect(outcome(await reply(ada, id))).toBe('sent')
    const bert = await person()
    await openConversation(shy, bert)
    expect(outcome(await writeTo(bert, shy))).toBe('sent')
  })
})

describe('a block', () => {
  it('refuses messages in both directions while a block lasts, without saying who set it', async () => {
    const [ada, bert] = await pair()
    const id = await openConversation(ada, bert)
    await reply(bert, id)
    const block = (who: Person) => who.post(`${CONVERSATIONS}/${id}/block`)
    const unblock = (who: Person) => who.delete(`${CONVERSATIONS}/${id}/block`)
    const sends = async () => {
      const answers = [await reply(ada, id), await reply(bert, id), await writeTo(ada, bert), await writeTo(bert, ada)]
      return { outcomes: new Set(answers.map(outcome)), bodies: new Set(answers.map(({ body }) => body)) }
    }
    for (const [blocking, other] of [
      [ada, bert],
      [bert, ada],
    ] as const) {
      const answer = await block(blocking)
      expect([answer.statusCode, answer.json().is_blocked]).toEqual([200, true])
      expect((await block(blocking)).statusCode).toBe(200)
      const { outcomes, bodies } = await sends()
      expect([outcomes, bodies.size]).toEqual([new Set(['403 blocked']), 1])
      expect((await other.get(CONVERSATIONS)).json().data[0].is_blocked).toBe(false)
      expect((await unblock(other)).json().is_blocked).toBe(false)
      expect(outcome(await reply(other, id)), 'only the side that blocks can unblock').toBe('403 blocked')
      expect((await unblock(blocking)).json().is_blocked).toBe(false)
      expect((await sends()).outcomes).toEqual(new Set(['sent']))
    }
    const [last] = (await messagesOf(ada, id)).slice(-1)
    await block(ada)
    expect((await messagesOf(bert, id)).length).toBeGreaterThan(1)
    const read = await bert.post(`${CONVERSATIONS}/${id}/read`, { up_to: last?.id })
    expect([read.statusCode, read.json().unread_count]).toEqual([200, 0])
  })
})

describe('new accounts', () => {
  it('refuses links from new accounts to profiles that have not answered', async () => {
    const clock = createClock()
    const app = await instance({ clock: clock.clock, messages: { newAccountDays: 1 } })
    const [ada, bert] = [await signUpTrusted(app, database.storage), await signUpTrusted(app, database.storage)]
    const text = 'Look at https://example.com/offer'
    expect(outcome(await writeTo(ada, bert, text))).toBe('403 links_not_allowed')
    const id = await openConversation(ada, bert, 'Hello')
    expect(outcome(await reply(ada, id, text))).toBe('403 links_not_allowed')
    await clock.at(Date.now() + 25 * 3_600_000, async () => {
      expect(outcome(await reply(ada, id, text))).toBe('sent')
    })
    await reply(bert, id, 'Hello')
    expect(outcome(await reply(ada, id, text))).toBe('sent')
  })

  it.each([
    ['younger than a day', 0, { messages: 2, conversations: 1 }],
    ['older than a day', 25 * 3_600_000, { messages: 4, conversations: 3 }],
  ] as const)('are limited more strictly: an account %s', async (_name, ageMs, { messages, conversations }) => {
    const clock = createClock()
    const rateLimit = { multiplier: 1 }
    const limits = { perMinute: 4, newPerHour: 3, newAccountDays: 1, newAccountPerMinute: 2, newAccountNewPerHour: 1 }
    const open = async (messages: object) => {
      const limited = await instance({ clock: clock.clock, limits: { rateLimit }, messages })
      return (from: Person, to: Person, fields: object = {}) =>
        client(limited)
          .as(from)
          .post(CONVERSATIONS, { to: addressOf(to), body: 'Hello', ...fields })
    }
    const write = await open(limits)
    const open99 = await open({ ...limits, perMinute: 99, newAccountPerMinute: 99 })
    const [ada, bert, ...others] = [await person(), await person(), await person(), await person(), await person()]
    await clock.at(Date.now() + ageMs, async () => {
      for (let round = 0; round < messages; round++) {
        expect(outcome(await write(ada as Person, bert as Person, { client_id: `${round}` }))).toBe('sent')
      }
      const refused = await write(ada as Person, bert as Person)
      expect(outcome(refused)).toBe('429 too_many_messages')
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
      const ofNew = ageMs === 0 ? { new_account_until: expect.stringMatching(/^\d{4}-/) } : undefined
      expect(refused.json().error.details).toEqual(ofNew)
      const repeated = await write(ada as Person, bert as Person, { client_id: '0' })
      expect(outcome(repeated), 'a repetition does not count').toBe('sent')

      const opened: string[] = []
      for (const other of others) opened.push(outcome(await open99(bert as Person, other)))
      const expected = others.map((_, index) => (index < conversations ? 'sent' : '429 too_many_conversations'))
      expect(opened).toEqual(expected)
      expect(outcome(await open99(bert as Person, ada as Person)), 'the conversation exists').toBe('sent')
    })
  })
})

describe('profiles that are not available', () => {
  it('closes a conversation while the owner of a profile is banned', async () => {
    const [ada, bert] = await pair()
    const id = await openConversation(ada, bert)
    const ban = (bannedAt: Date | null) =>
      database.storage.transaction((tx) => tx.accounts.save(bert.account.id, { bannedAt }))
    await ban(new Date())
    expect(outcome(await reply(ada, id))).toBe('409 conversation_closed')
    expect(outcome(await writeTo(ada, bert))).toBe('409 conversation_closed')
    await ban(null)
    expect(outcome(await reply(ada, id))).toBe('sent')
  })

  it('hides the names of profiles whose account is being deleted, and keeps their messages', async () => {
    const [ada, bert] = await pair()
    const id = await openConversation(ada, bert)
    await reply(bert, id, 'See you')
    expect((await bert.send('DELETE', '/auth/account', { password: PASSWORD })).statusCode).toBe(200)
    expect(outcome(await reply(ada, id))).toBe('409 conversation_closed')
    expect(outcome(await writeTo(ada, bert))).toBe('404 profile_not_found')
    const list = await ada.get(CONVERSATIONS)
    expect(list.json().data[0].participant).toBeNull()
    expect(list.body).not.toContain(bert.account.username)
    expect(await bodiesOf(ada, id)).toEqual(['Hello', 'See you'])
  })

  it('deletes the messages of a deleted profile, and keeps those of the other one', async () => {
    const [ada, bert] = await pair()
    const acme = await newOrganization(app, bert)
    const opened = await client(app)
      .as(bert)
      .with({ 'x-active-profile-id': String(acme.id) })
      .post(CONVERSATIONS, { to: addressOf(ada), body: 'From Acme' })
    expect(opened.statusCode, opened.body).toBe(201)
    const { id } = opened.json().conversation
    await reply(ada, id, 'To Acme')
    expect((await bert.delete(acme.path)).statusCode).toBe(200)
    const seen = await messagesOf(ada, id)
    expect(seen.map(({ state, body, sender_profile_id }) => [state, body, sender_profile_id])).toEqual([
      ['erased', null, acme.id],
      ['sent', 'To Acme', profileIdOf(ada)],
    ])
    const [listed] = (await ada.get(CONVERSATIONS)).json().data
    expect([listed.id, listed.participant]).toEqual([id, null])
    expect(outcome(await reply(ada, id))).toBe('409 conversation_closed')
    const own = await ada.delete(`${CONVERSATIONS}/${id}/messages/${seen[1]?.id}`)
    expect([own.statusCode, own.json().state]).toEqual([200, 'deleted'])
  })

  it('refuses to delete a message after a day', async () => {
    const clock = createClock()
    const app = await instance({ clock: clock.clock, messages: { newAccountDays: 1 } })
    const [ada, bert] = [await signUpTrusted(app, database.storage), await person()]
    const id = await openConversation(ada, bert)
    const [message] = await messagesOf(ada, id)
    await clock.at(Date.now() + 24 * 3_600_000 + 60_000, async () => {
      expect(codeOf(await ada.delete(`${CONVERSATIONS}/${id}/messages/${message?.id}`))).toBe('message_too_old')
    })
  })
})

describe('hostile text', () => {
  it('escapes hostile text in JSON and Markdown', async () => {
    const [ada, bert] = await pair()
    const id = await openConversation(ada, bert)
    await reply(bert, id)
    const texts = HOSTILE_TEXTS.map((text) => text.replaceAll('\0', '').slice(0, 5_000)).filter((text) => text.trim())
    const headings = (markdown: string, level: string) => markdown.split('\n').filter((line) => line.startsWith(level))
    const checkMarkdown = (markdown: string) => {
      const isStructure = (line: string) => /^(#|---|===|```|~~~|\||>|<(?!https?:)|\d+\. )/.test(line)
      const foreign = markdown.split('\n').filter((line) => isStructure(line) && !/^##? /.test(line))
      expect(foreign).toEqual([])
      // What is not escaped would begin a tag, a link or an image, apart from our links and URLs that are written as autolinks.
      const own = /\[[^\]]*\]\(<https:\/\/profiles\.example[^>]*>\)|<https?:\/\/[^<>\s]*>/g
      expect(markdown.replaceAll(/\\./g, '').replaceAll(own, '')).not.toMatch(/[<>[\]]/)
    }
    for (const text of texts) {
      const named = await ada.put(`/profiles/${addressOf(ada)}`, { full_name: nameOf(text, 60).trim() || 'Ada' })
      expect(named.statusCode, named.body).toBe(200)
      expect(outcome(await reply(ada, id, text)), text).toBe('sent')
      const { body } = await bert.get(CONVERSATIONS, { accept: 'text/markdown' })
      checkMarkdown(body)
      expect(headings(body, '#').length, body).toBe(2)
    }
    const seen: (string | null)[] = []
    for (let after = 2; after < texts.length + 2; after += 100) {
      const url = `${CONVERSATIONS}/${id}/messages?order=asc&limit=100&after_seq=${after}`
      const json = await bert.get(url)
      expect(json.headers['content-type']).toBe('application/json; charset=utf-8')
      expect(json.headers['x-content-type-options']).toBe('nosniff')
      const { data } = json.json<{ data: readonly { readonly body: string | null }[] }>()
      seen.push(...data.map(({ body }) => body))
      const markdown = await bert.get(url, { accept: 'text/markdown' })
      expect(markdown.headers['content-type']).toBe('text/markdown; charset=utf-8')
      expect(markdown.headers['cache-control']).toBe('private, no-store')
      checkMarkdown(markdown.body)
      expect(headings(markdown.body, '## ').length).toBe(data.length)
      expect(headings(markdown.body, '#').length).toBe(data.length + 1)
    }
    expect(seen).toEqual(texts)
    const named = await bert.get(`${CONVERSATIONS}?format=markdown`, { accept: 'application/json' })
    expect(named.headers['content-type']).toBe('text/markdown; charset=utf-8')
    const chosen = await bert.get(`${CONVERSATIONS}?format=json`, { accept: 'text/markdown' })
    expect(chosen.headers['content-type']).toBe('application/json; charset=utf-8')
    expect((await bert.get(`${CONVERSATIONS}?format=toon`)).statusCode).toBe(400)
  })
})
