import { endOfLog, eventsAfter } from '@eep/core/testing'
import { describe, expect, it } from 'vitest'
import { codeOf, type Person, signUp } from '../support/accounts.ts'
import { newKey } from '../support/api-keys.ts'
import { client } from '../support/client.ts'
import {
  addressOf,
  bodiesOf,
  CONVERSATIONS,
  messagesOf,
  openConversation,
  openMessages,
  profileIdOf,
  reply,
  writeTo,
} from '../support/messages.ts'
import { newMember, newOrganization } from '../support/teams.ts'

const { app, database, openOther, pair, person } = await openMessages()
const other = await openOther()

const as = (profileId: number) => ({ 'x-active-profile-id': String(profileId) })

describe('a conversation', () => {
  it('opens one conversation for two profiles, and shows both the same messages', async () => {
    const [ada, bert] = await pair()
    const first = await writeTo(ada, bert, 'Hello Bert', { client_id: 'm-1' })
    expect(first.statusCode, first.body).toBe(201)
    const { conversation, message } = first.json()
    expect(message).toEqual({
      id: expect.any(String),
      conversation_id: conversation.id,
      seq: 1,
      kind: 'message',
      sender_profile_id: profileIdOf(ada),
      is_own: true,
      client_id: 'm-1',
      state: 'sent',
      body: 'Hello Bert',
      negotiation: null,
      created_at: expect.any(String),
      deleted_at: null,
    })
    expect(conversation).toEqual({
      id: conversation.id,
      profile_id: profileIdOf(ada),
      participant: {
        id: profileIdOf(bert),
        did: `did:web:profiles.example:u:${bert.account.username}`,
        profile_type: 'person',
        username: bert.account.username,
        full_name: null,
        url: `https://profiles.example/u/${bert.account.username}`,
      },
      is_blocked: false,
      unread_count: 0,
      last_message: message,
      created_at: message.created_at,
      updated_at: message.created_at,
    })
    const back = await bert.post(CONVERSATIONS, { to: profileIdOf(ada), body: 'Hello Ada' })
    expect(back.json().conversation.id).toBe(conversation.id)
    expect((await reply(ada, conversation.id, 'How are you?')).statusCode).toBe(201)
    const [ofAda, ofBert] = [await messagesOf(ada, conversation.id), await messagesOf(bert, conversation.id)]
    expect(ofAda.map(({ seq, body, is_own }) => [seq, body, is_own])).toEqual([
      [1, 'Hello Bert', true],
      [2, 'Hello Ada', false],
      [3, 'How are you?', true],
    ])
    expect(ofBert.map(({ id }) => id)).toEqual(ofAda.map(({ id }) => id))
    expect(ofBert[0]?.client_id).toBeNull()
    const newest = await ada.get(`${CONVERSATIONS}/${conversation.id}/messages?limit=2`)
    expect(newest.json().data.map(({ seq }: { seq: number }) => seq)).toEqual([3, 2])
    const { next_cursor: cursor } = newest.json().pagination
    const oldest = await ada.get(`${CONVERSATIONS}/${conversation.id}/messages?limit=2&cursor=${cursor}`)
    expect(oldest.json().data.map(({ seq }: { seq: number }) => seq)).toEqual([1])
    const late = await bert.get(`${CONVERSATIONS}/${conversation.id}/messages?after_seq=2&order=asc`)
    expect(late.json().data.map(({ seq }: { seq: number }) => seq)).toEqual([3])
  })

  it('opens one conversation when both sides write first concurrently, on two instances', async () => {
    const [ada, bert] = await pair()
    const there = client(other).as(bert)
    const answers = await Promise.all([
      ...[1, 2, 3].map((index) => writeTo(ada, bert, `a${index}`)),
      ...[1, 2, 3].map((index) => there.post(CONVERSATIONS, { to: addressOf(ada), body: `b${index}` })),
    ])
    const ids = new Set(answers.map((answer) => answer.json().conversation?.id ?? answer.body))
    expect(ids.size).toBe(1)
    const [id = ''] = ids
    const seen = await messagesOf(ada, id)
    expect(seen.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6])
    const theirs = await there.get(`${CONVERSATIONS}/${id}/messages?order=asc`)
    expect(theirs.json().data.map((message: { id: string }) => message.id)).toEqual(seen.map((one) => one.id))
    expect((await ada.get(CONVERSATIONS)).json().pagination.total).toBe(1)
  })

  it('stores a message once for 20 concurrent requests with one client_id, and answers all of them the same', async () => {
    const [ada, bert] = await pair()
    const senders = Array.from({ length: 20 }, (_, index) => client(index % 2 ? other : app).as(ada))
    const send = (each: (typeof senders)[number]) =>
      each.post(CONVERSATIONS, { to: addressOf(bert), body: 'Once', client_id: 'same' })
    const answers = await Promise.all(senders.map(send))
    expect(new Set(answers.map((answer) => `${answer.statusCode} ${JSON.stringify(answer.json().message)}`)).size).toBe(
      1,
    )
    expect(answers[0]?.statusCode).toBe(201)
    const id = answers[0]?.json().conversation.id
    expect(await bodiesOf(bert, id)).toEqual(['Once'])
    const again = await reply(ada, id, 'Something else', { client_id: 'same' })
    expect(again.json()).toEqual(answers[0]?.json().message)
    expect((await reply(bert, id, 'Mine', { client_id: 'same' })).json().seq).toBe(2)
  })

  it('counts unread messages, up to the last one marked as read', async () => {
    const [ada, bert] = await pair()
    const id = await openConversation(ada, bert, 'one')
    for (const body of ['two', 'three']) await reply(ada, id, body)
    const unread = async (who: Person) => (await who.get(CONVERSATIONS)).json().data[0].unread_count
    expect([await unread(ada), await unread(bert)]).toEqual([0, 3])
    const [, second, third] = await messagesOf(bert, id)
    const read = (upTo: string | undefined) => bert.post(`${CONVERSATIONS}/${id}/read`, { up_to: upTo })
    const answer = await read(second?.id)
    expect([answer.statusCode, answer.json().unread_count]).toEqual([200, 1])
    expect((await read(third?.id)).json().unread_count).toBe(0)
    expect((await read(second?.id)).json().unread_count).toBe(0)
    expect(await unread(ada)).toBe(0)
    for (const unknown of ['none', 'c0ffee00-0000-4000-8000-000000000000']) {
      expect(codeOf(await read(unknown))).toBe('message_not_found')
    }
    const elsewhere = await openConversation(await person(), ada)
    const [foreign] = await messagesOf(ada, elsewhere)
    expect(codeOf(await read(foreign?.id))).toBe('message_not_found')
  })

  it('emits events without message texts to members of the team who may read messages', async () => {
    const [ada, bert] = await pair()
    const after = await endOfLog(database.storage)
    const id = await openConversation(ada, bert, 'a secret text')
    const [message] = await messagesOf(bert, id)
    await bert.post(`${CONVERSATIONS}/${id}/read`, { up_to: message?.id })
    await bert.post(`${CONVERSATIONS}/${id}/read`, { up_to: message?.id })
    await ada.delete(`${CONVERSATIONS}/${id}/messages/${message?.id}`)
    const events = (await eventsAfter(database.storage, after)).filter(({ type }) => type.startsWith('messages.'))
    const common = { conversationId: id, messageId: message?.id, seq: 1 }
    expect(events.map(({ type, profileId, data }) => ({ type, profileId, data }))).toEqual([
      {
        type: 'messages.message_received',
        profileId: profileIdOf(bert),
        data: { ...common, kind: 'message', senderProfileId: profileIdOf(ada) },
      },
      {
        type: 'messages.message_sent',
        profileId: profileIdOf(ada),
        data: { ...common, recipientProfileId: profileIdOf(bert), connectionId: null },
      },
      {
        type: 'messages.conversation_read',
        profileId: profileIdOf(ada),
        data: { ...common, readerProfileId: profileIdOf(bert) },
      },
      {
        type: 'messages.message_deleted',
        profileId: profileIdOf(bert),
        data: { ...common, senderProfileId: profileIdOf(ada) },
      },
    ])
  })

  it('returns 404 for the conversations of others', async () => {
    const [ada, bert] = await pair()
    const eve = await person()
    const id = await openConversation(ada, bert)
    const [message] = await messagesOf(ada, id)
    const at = (path: string) => `${CONVERSATIONS}/${id}${path}`
    const answers = [
      await eve.get(at('/messages')),
      await reply(eve, id),
      await eve.post(at('/read'), { up_to: message?.id }),
      await eve.post(at('/block')),
      await eve.delete(at('/block')),
      await eve.delete(at(`/messages/${message?.id}`)),
      await ada.get(`${CONVERSATIONS}/none/messages`),
    ]
    expect(new Set(answers.map((answer) => `${answer.statusCode} ${codeOf(answer)}`))).toEqual(
      new Set(['404 conversation_not_found']),
    )
  })

  it('rejects texts that are empty, too long or cannot be stored, and profiles that do not exist', async () => {
    const [ada, bert] = await pair()
    const send = async (body: unknown) => (await ada.post(CONVERSATIONS, { to: addressOf(bert), body })).statusCode
    for (const body of ['', ' \n ', 'a'.repeat(5_001), '😀'.repeat(5_001), '\ud800', null]) {
      expect(await send(body)).toBe(400)
    }
    for (const body of ['a', 'a'.repeat(5_000), '😀'.repeat(5_000)]) expect(await send(body)).toBe(201)
    const code = async (to: unknown) => codeOf(await ada.post(CONVERSATIONS, { to, body: 'Hello' }))
    expect(await code('u/unknown-name')).toBe('profile_not_found')
    expect(await code('x/ada')).toBe('profile_not_found')
    expect(await code(999_999_999)).toBe('profile_not_found')
    expect(await code('ada')).toBe('validation_failed')
    expect(await code(addressOf(ada))).toBe('cannot_message_itself')
  })
})

describe('the acting profile', () => {
  it.each([
    ['owner', true],
    ['admin', true],
    ['editor', true],
    ['viewer', false],
    ['outsider', false],
  ] as const)('lets an %s use its conversations: %s', async (role, isAllowed) => {
    const acme = await newOrganization(app)
    const ada = await person()
    const who = role === 'owner' ? acme.owner : role === 'outsider' ? await person() : await newMember(app, acme, role)
    await client(app)
      .as(acme.owner)
      .put(acme.path, { capabilities: ['contactable'] })
    const opened = await ada.post(CONVERSATIONS, { to: acme.id, body: 'Hello' })
    expect(opened.statusCode, opened.body).toBe(201)
    const { conversation, message } = opened.json()
    const at = `${CONVERSATIONS}/${conversation.id}`
    const acting = client(app).as(who).with(as(acme.id))
    const sent = await acting.post(`${at}/messages`, { body: 'Welcome' })
    const own = isAllowed ? sent.json().id : message.id
    const answers = [
      sent,
      await acting.get(CONVERSATIONS),
      await acting.get(`${at}/messages`),
      await acting.post(CONVERSATIONS, { to: addressOf(ada), body: 'Hello' }),
      await acting.post(`${at}/read`, { up_to: message.id }),
      await acting.post(`${at}/block`),
      await acting.delete(`${at}/block`),
      await acting.delete(`${at}/messages/${own}`),
    ]
    const allowed = [201, 200, 200, 201, 200, 200, 200, 200]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(isAllowed ? allowed : allowed.map(() => 403))
    if (!isAllowed) expect(new Set(answers.map(codeOf))).toEqual(new Set(['not_profile_owner']))
  })

  it('is that of an API key for one profile', async () => {
    const [ada, bert] = await pair()
    const id = await openConversation(ada, bert)
    const acme = await newOrganization(app, bert)
    const reads = await newKey(app, bert.headers, { scopes: ['read:messages'] })
    const writes = await newKey(app, bert.headers, { scopes: ['write:messages'] })
    const limited = await newKey(app, bert.headers, {
      scopes: ['read:messages', 'write:messages'],
      profile_id: acme.id,
    })
    const list = (headers: Record<string, string>) => client(app).get(CONVERSATIONS, headers)
    const send = (headers: Record<string, string>) =>
      client(app).post(`${CONVERSATIONS}/${id}/messages`, { body: 'Hello' }, headers)
    expect((await list(reads.headers)).json().data[0].id).toBe(id)
    expect((await send(writes.headers)).statusCode).toBe(201)
    expect((await list(limited.headers)).json().data).toEqual([])
    expect(codeOf(await send(limited.headers))).toBe('conversation_not_found')
    expect(codeOf(await list({ ...limited.headers, ...as(profileIdOf(bert)) }))).toBe('not_profile_owner')
  })
})

describe('deleting a message', () => {
  it('leaves a tombstone for both sides when a message is deleted', async () => {
    const [ada, bert] = await pair()
    const id = await openConversation(ada, bert, 'I should not have said this')
    await reply(ada, id, 'Sorry')
    const [message] = await messagesOf(ada, id)
    const path = `${CONVERSATIONS}/${id}/messages/${message?.id}`
    expect(codeOf(await bert.delete(path))).toBe('not_your_message')
    const answer = await ada.delete(path)
    expect([answer.statusCode, answer.json().state, answer.json().body]).toEqual([200, 'deleted', null])
    expect((await ada.delete(path)).json()).toEqual(answer.json())
    expect(await bodiesOf(bert, id)).toEqual([null, 'Sorry'])
    expect((await bert.get(CONVERSATIONS)).json().data[0].unread_count).toBe(1)
    expect(codeOf(await ada.delete(`${CONVERSATIONS}/${id}/messages/none`))).toBe('message_not_found')
  })
})

describe('a new account', () => {
  it('lists no conversations for a new account', async () => {
    const ada = await signUp(app)
    expect((await ada.get(CONVERSATIONS)).json()).toEqual({ data: [], pagination: { total: 0, has_more: false } })
  })
})
