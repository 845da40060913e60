import { describe, expect, it, vi } from 'vitest'
import type { Person } from '../support/accounts.ts'
import { newKey } from '../support/api-keys.ts'
import type { TestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { HOSTILE_TEXTS } from '../support/hostile-texts.ts'
import {
  addressOf,
  CONVERSATIONS,
  messagesOf,
  openConversation,
  openMessages,
  profileIdOf,
  reply,
} from '../support/messages.ts'
import { addressOf as listeningOn, openSocket, type TestSocket } from '../support/sockets.ts'
import { openStream } from '../support/streams.ts'
import { newMember, newOrganization } from '../support/teams.ts'

const { app, openOther, pair } = await openMessages()
const elsewhere = await openOther()

const direct = (who: { headers: Readonly<Record<string, string>> }, on: TestApp = app, query = '') =>
  openSocket(on, `/ws/messages${query}`, { headers: who.headers })
const pulse = (headers: Readonly<Record<string, string>>, on: TestApp = app) =>
  openSocket(on, '/eep/pulse', { headers })
const didOf = ({ account }: Person) => `did:web:profiles.example:u:${account.username}`
const end = (...sockets: readonly TestSocket[]) => Promise.all(sockets.map((socket) => socket.close()))

/** Waits until a connection receives messages, by sending one to it. */
async function untilLive(socket: TestSocket, from: Person, id: string): Promise<void> {
  const sent = await reply(from, id, 'first')
  await socket.next('message.received', ({ data }) => data.message.id === sent.json().id)
}

describe('/ws/messages', () => {
  it('delivers messages from other instances with their texts, once and in order', async () => {
    const [ada, bert] = await pair()
    const id = await openConversation(ada, bert)
    const [ours, theirs] = [await direct(ada), await direct(bert, elsewhere)]
    ours.send('chat', 'send', { conversation_id: id, body: 'One', client_id: 'c-1' })
    const { data: sent } = await ours.next('sent')
    expect(sent).toMatchObject({ client_id: 'c-1', message: { seq: 2, body: 'One', is_own: true, client_id: 'c-1' } })
    const { data: received } = await theirs.next('message.received', ({ data }) => data.message.seq === 2)
    expect(received).toEqual({
      event_id: expect.any(String),
      profile_id: profileIdOf(bert),
      message: { ...sent.message, is_own: false, client_id: null },
    })
    ours.send('chat', 'send', { conversation_id: id, body: 'One again', client_id: 'c-1' })
    expect((await ours.next('sent')).data).toEqual(sent)
    for (let index = 2; index < 12; index++) {
      ours.send('chat', 'send', { to: addressOf(bert), body: `${index}`, client_id: `c-${index}` })
    }
    await theirs.next('message.received', ({ data }) => data.message.seq === 12)
    const numbers = theirs.frames
      .filter(({ action }) => action === 'message.received')
      .map(({ data }) => data.message.seq)
    // The message that opened the conversation may still arrive, for it was stored just before the socket opened.
    expect(numbers.filter((seq) => seq > 2)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11])
    expect((await messagesOf(bert, id)).length).toBe(12)
    await end(ours, theirs)
  })

  it('reports which messages the other side read and deleted', async () => {
    const [ada, bert] = await pair()
    const id = await openConversation(ada, bert, 'Read me')
    const [message] = await messagesOf(ada, id)
    const [ours, theirs] = [await direct(ada, elsewhere), await direct(bert)]
    theirs.send('chat', 'read', { conversation_id: id, up_to: message?.id })
    expect((await theirs.next('read_ack')).data).toEqual({
      conversation_id: id,
      message_id: message?.id,
      unread_count: 0,
    })
    const about = { event_id: expect.any(String), conversation_id: id, message_id: message?.id, seq: 1 }
    expect((await ours.next('message.read')).data).toEqual({
      ...about,
      profile_id: profileIdOf(ada),
      reader_profile_id: profileIdOf(bert),
    })
    await ada.delete(`${CONVERSATIONS}/${id}/messages/${message?.id}`)
    expect((await theirs.next('message.deleted')).data).toEqual({
      ...about,
      profile_id: profileIdOf(bert),
      sender_profile_id: profileIdOf(ada),
    })
    await end(ours, theirs)
  })

  it('shows who is typing on the same instance, except to a blocked profile', async () => {
    const [ada, bert] = await pair()
    const id = await openConversation(ada, bert)
    const [ours, theirs] = [await direct(ada), await direct(bert)]
    // The connection may still be looking for its profiles.
    const asking = setInterval(() => ours.send('chat', 'typing', { conversation_id: id }), 100)
    expect((await theirs.next('typing')).data).toEqual({ conversation_id: id, profile_id: profileIdOf(ada) })
    clearInterval(asking)
    await bert.post(`${CONVERSATIONS}/${id}/block`)
    ours.send('chat', 'send', { conversation_id: id, body: 'Hello?', client_id: 'blocked' })
    expect((await ours.next('error')).error?.code).toBe('blocked')
    theirs.frames.length = 0
    ours.send('chat', 'typing', { conversation_id: id })
    ours.send('system', 'ping')
    await ours.next('pong')
    expect(theirs.frames.filter(({ action }) => action === 'typing')).toEqual([])
    await end(ours, theirs)
  })

  it('resumes after the event that the client names', async () => {
    const [ada, bert] = await pair()
    const id = await openConversation(ada, bert, 'one')
    const first = await direct(bert)
    await untilLive(first, ada, id)
    await reply(ada, id, 'before the end')
    const { data } = await first.next('message.received', (frame) => frame.data.message.body === 'before the end')
    await end(first)
    for (const body of ['missed 1', 'missed 2']) await reply(ada, id, body)
    const again = await direct(bert, elsewhere, `?last_event_id=${data.event_id}`)
    await reply(ada, id, 'live')
    await again.next('message.received', (frame) => frame.data.message.body === 'live')
    const missed = again.frames.filter(({ action }) => action === 'message.received')
    expect(missed.map((frame) => frame.data.message.body)).toEqual(['missed 1', 'missed 2'])
    const unknown = await direct(bert, app, '?last_event_id=nothing')
    expect(await unknown.closed()).toMatchObject({ code: 4009 })
    await end(again)
  })

  it('delivers messages of every profile that the account may act for, or of the one that the client names', async () => {
    const [ada, bert] = await pair()
    const acme = await newOrganization(app, bert)
    await bert.put(acme.path, { capabilities: ['contactable'] })
    const [editor, viewer] = [await newMember(app, acme, 'editor'), await newMember(app, acme, 'viewer')]
    const sockets = [
      await direct(bert),
      await direct(editor),
      await direct(viewer),
      await direct({ headers: { ...bert.headers, 'x-active-profile-id': String(profileIdOf(bert)) } }),
    ]
    const opened = await ada.post(CONVERSATIONS, { to: acme.id, body: 'To Acme' })
    const { id } = opened.json().conversation
    for (const socket of sockets.slice(0, 2)) {
      expect((await socket.next('message.received')).data).toMatchObject({
        profile_id: acme.id,
        message: { body: 'To Acme' },
      })
    }
    // A later message to each of them shows that the one before was not on its way.
    for (const [person, socket] of [
      [viewer, sockets[2]],
      [bert, sockets[3]],
    ] as const) {
      if (person === viewer) await viewer.put(`/profiles/${addressOf(viewer)}`, { capabilities: ['contactable'] })
      await openConversation(ada, person, 'To you')
      expect((await socket?.next('message.received'))?.data).toMatchObject({ message: { body: 'To you' } })
    }
    sockets[1]?.send('chat', 'send', { conversation_id: id, body: 'From Acme', client_id: 'a', profile_id: acme.id })
    expect((await sockets[1]?.next('sent'))?.data).toMatchObject({ message: { sender_profile_id: acme.id } })
    sockets[2]?.send('chat', 'send', { conversation_id: id, body: 'Not me', client_id: 'b', profile_id: acme.id })
    expect((await sockets[2]?.next('error'))?.error?.code).toBe('not_profile_owner')
    await end(...sockets)
  })

  it('rejects invalid frames', async () => {
    const [ada, bert] = await pair()
    const socket = await direct(ada)
    for (const data of [
      {},
      { conversation_id: 'x', to: addressOf(bert), body: 'Two', client_id: 'a' },
      { to: addressOf(bert), body: '', client_id: 'a' },
      { to: addressOf(bert), body: 'x'.repeat(5_001), client_id: 'a' },
      { to: addressOf(bert), body: 'No client id' },
    ]) {
      socket.send('chat', 'send', data)
      expect((await socket.next('error')).error?.code).toBe('validation_failed')
    }
    socket.send('chat', 'history', { entity_did: didOf(bert) })
    expect((await socket.next('error')).error?.code).toBe('unsupported')
    await end(socket)
  })
})

describe('chat on /eep/pulse', () => {
  it('sends no messages once its credential was replaced by a key that may not read them', async () => {
    const [ada, bert] = await pair()
    const id = await openConversation(ada, bert)
    const key = (...scopes: string[]) => newKey(app, bert.headers, { scopes })
    const [reader, other] = [await key('read:events', 'read:messages'), await key('read:events')]
    const [socket, witness] = [await pulse(reader.headers), await pulse(bert.headers)]
    const send = async (text: string) => {
      await reply(ada, id, text)
      await witness.next('received', ({ data }) => data.message === text)
    }
    const replaceBy = async (token: string) => {
      socket.send('system', 'auth_refresh', { token })
      await socket.next('auth_refreshed')
    }
    await send('One')
    await socket.next('received', ({ data }) => data.message === 'One')
    await replaceBy(other.key)
    await send('Two')
    await replaceBy(reader.key)
    await send('Three')
    const { data } = await socket.next('received', ({ data: { message } }) => ['Two', 'Three'].includes(message))
    expect(data.message).toBe('Three')
    await end(socket, witness)
  })

  it('sends, delivers, lists and acknowledges messages', async () => {
    const [ada, bert] = await pair()
    const [ours, theirs] = [await pulse(ada.headers), await pulse(bert.headers, elsewhere)]
    ours.send('chat', 'send', { entity_did: didOf(bert), message: 'Hello over EEP' })
    const { data: sent } = await ours.next('sent')
    expect(sent).toMatchObject({ entity_did: didOf(bert), seq: 1 })
    const { data: received } = await theirs.next('received')
    expect(received).toMatchObject({
      entity_did: didOf(ada),
      message: 'Hello over EEP',
      message_id: sent.message_id,
      conversation_id: sent.conversation_id,
      kind: 'message',
    })
    theirs.send('chat', 'read', { entity_did: didOf(ada), message_id: received.message_id })
    expect((await theirs.next('read_ack')).data).toMatchObject({ message_id: sent.message_id, unread_count: 0 })
    expect((await ours.next('read_ack')).data).toMatchObject({ entity_did: didOf(bert), message_id: sent.message_id })
    for (const message of ['two', 'three']) theirs.send('chat', 'send', { entity_did: didOf(ada), message })
    await ours.next('received', ({ data }) => data.message === 'three')
    ours.send('chat', 'history', { entity_did: didOf(bert), limit: 2 })
    const { data: newest } = await ours.next('history')
    expect([newest.messages.map(({ body }: { body: string }) => body), newest.has_more]).toEqual([
      ['three', 'two'],
      true,
    ])
    ours.send('chat', 'history', { entity_did: didOf(bert), before: newest.messages[1].id })
    const { data: oldest } = await ours.next('history')
    expect([oldest.messages.map(({ body }: { body: string }) => body), oldest.has_more]).toEqual([
      ['Hello over EEP'],
      false,
    ])
    ours.send('chat', 'send', { entity_did: didOf(bert), message: 'x'.repeat(4_097) })
    expect((await ours.next('error')).error?.code).toBe('validation_failed')
    await end(ours, theirs)
  })

  it('requires the scopes of a key for each frame, and delivers nothing without read:messages', async () => {
    const [ada, bert] = await pair()
    const key = await newKey(app, bert.headers, { scopes: ['read:events'] })
    const reading = await newKey(app, bert.headers, { scopes: ['read:events', 'read:messages'] })
    const [blind, seeing] = [await pulse(key.headers), await pulse(reading.headers)]
    for (const [socket, action, data] of [
      [blind, 'history', { entity_did: didOf(ada) }],
      [blind, 'send', { entity_did: didOf(ada), message: 'x' }],
      [seeing, 'send', { entity_did: didOf(ada), message: 'x' }],
    ] as const) {
      socket.send('chat', action, data)
      expect((await socket.next('error')).error?.code).toBe('insufficient_scope')
    }
    await openConversation(ada, bert, 'Secret')
    expect((await seeing.next('received')).data.message).toBe('Secret')
    blind.send('system', 'ping')
    await blind.next('pong')
    expect(blind.frames.filter(({ type }) => type === 'chat')).toEqual([])
    await end(blind, seeing)
  })
})

describe('hostile text', () => {
  it('arrives on both sockets as it was written, and in no event', async () => {
    const [ada, bert] = await pair()
    const name = HOSTILE_TEXTS[0] ?? ''
    expect((await ada.put(`/profiles/${addressOf(ada)}`, { full_name: name })).statusCode).toBe(200)
    const id = await openConversation(ada, bert)
    await reply(bert, id)
    const [ours, theirs, over] = [await direct(ada), await direct(bert, elsewhere), await pulse(bert.headers)]
    const stream = await openStream(`http://${await listeningOn(app)}`, '/eep/stream?types=message.*', bert.headers)
    const texts = HOSTILE_TEXTS.map((text) => text.replaceAll('\0', '')).filter((text) => text.trim())
    for (const [index, body] of texts.entries()) {
      ours.send('chat', 'send', { conversation_id: id, body, client_id: `${index}` })
      expect((await ours.next('sent')).data.message.body).toBe(body)
      const { data } = await theirs.next('message.received', (frame) => frame.data.message.seq === index + 3)
      expect(data.message.body).toBe(body)
      expect((await over.next('received', (frame) => frame.data.seq === index + 3)).data.message).toBe(body)
    }
    await vi.waitFor(() => expect(stream.envelopes().length).toBeGreaterThanOrEqual(texts.length), { timeout: 60_000 })
    const events = JSON.stringify(stream.envelopes())
    for (const text of [...texts, name]) expect(events).not.toContain(JSON.stringify(text).slice(1, -1))
    stream.close()
    await end(ours, theirs, over)
  })
})

describe('the stream of an account', () => {
  it('streams messages without their texts to those who may read them', async () => {
    const [ada, bert] = await pair()
    const base = `http://${await listeningOn(app)}`
    const stream = await openStream(base, '/eep/stream?types=message.*', bert.headers)
    const id = await openConversation(ada, bert, 'Not in the stream')
    await vi.waitFor(() => expect(stream.envelopes()).toHaveLength(1), { timeout: 60_000 })
    const [event] = stream.envelopes()
    expect(JSON.stringify(event)).not.toContain('Not in the stream')
    expect(event).toMatchObject({
      type: 'message.received',
      source: didOf(bert),
      subject: `/messages/conversations/${id}`,
      data: { conversation_id: id, seq: 1, kind: 'message', sender_profile_id: profileIdOf(ada) },
    })
    stream.close()
    const own = await client(app).as(ada).get('/eep/events?types=message.*')
    const { id: _id, time: _time, ...sent } = own.json().events[0]
    expect([own.json().events.length, sent]).toEqual([
      1,
      {
        specversion: '1.0',
        eep_version: '0.1',
        type: 'message.sent',
        source: didOf(ada),
        subject: `/messages/conversations/${id}`,
        datacontenttype: 'application/json',
        data: {
          conversation_id: id,
          message_id: expect.any(String),
          seq: 1,
          recipient_profile_id: profileIdOf(bert),
          connection_id: null,
        },
      },
    ])
  })
})
