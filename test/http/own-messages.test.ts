import { describe, expect, it } from 'vitest'
import { newKey } from '../support/api-keys.ts'
import type { TestApp } from '../support/app.ts'
import type { Headers } from '../support/client.ts'
import {
  addressOf,
  CONVERSATIONS,
  makeContactable,
  openConversation,
  openMessages,
  profileIdOf,
  reply,
} from '../support/messages.ts'
import { type Frame, openSocket } from '../support/sockets.ts'
import { join, newMember, newOrganization, type OwnedProfile } from '../support/teams.ts'

const { app, openOther, person } = await openMessages()
const elsewhere = await openOther()

const actingAs = ({ headers }: { readonly headers: Headers }, id: number) => ({
  headers: { ...headers, 'x-active-profile-id': String(id) } as Record<string, string>,
})

/** An organization that everyone may write to. */
async function newContactable(owner: Awaited<ReturnType<typeof person>>): Promise<OwnedProfile> {
  const organization = await newOrganization(app, owner)
  const answer = await owner.put(organization.path, { capabilities: ['contactable'] })
  expect(answer.statusCode, answer.body).toBe(200)
  return organization
}

/** What a connection is sent of messages: `own 3` or `their 3`, after their numbers. */
async function connect(who: { readonly headers: Headers }, path = '/ws/messages', on: TestApp = app) {
  const delivered: string[] = []
  const eventIds: string[] = []
  const isMessage = ({ action }: Frame) => action === 'message.received' || action === 'received'
  const socket = await openSocket(on, path, {
    headers: who.headers as Record<string, string>,
    onFrame(frame) {
      if (!isMessage(frame)) return
      const { seq, is_own } = frame.data.message?.seq === undefined ? frame.data : frame.data.message
      delivered.push(`${is_own ? 'own' : 'their'} ${seq}`)
      eventIds.push(frame.data.event_id)
    },
  })
  const seqOf = ({ data }: Frame) => data.message?.seq ?? data.seq
  return {
    ...socket,
    delivered,
    eventIds,
    /** Waits for a message of the other side, before which everything else was delivered. */
    until: (seq: number) =>
      socket.next(path === '/eep/pulse' ? 'received' : 'message.received', (f) => seqOf(f) === seq),
  }
}

describe('messages that a profile sends', () => {
  it('are delivered once to each other connection of its team, and answered on the one that sent them', async () => {
    const [ada, bert] = [await person(), await person()]
    const acme = await newContactable(ada)
    const [editor, viewer] = [await newMember(app, acme, 'editor'), await newMember(app, acme, 'viewer')]
    const id = await openConversation(bert, ada)
    const toAcme = await bert.post(CONVERSATIONS, { to: acme.id, body: 'one' })
    const conversation = toAcme.json().conversation.id
    const key = await newKey(app, editor.headers, { scopes: ['read:events', 'read:messages'] })
    const connections = {
      sending: await connect(ada),
      sibling: await connect(ada, '/ws/messages', elsewhere),
      pulse: await connect(ada, '/eep/pulse', elsewhere),
      editor: await connect(actingAs(editor, acme.id), '/ws/messages', elsewhere),
      key: await connect(key, '/eep/pulse'),
      viewer: await connect(viewer),
      another: await connect(actingAs(ada, profileIdOf(ada))),
      theirs: await connect(bert, '/ws/messages', elsewhere),
    }
    const { sending, viewer: blind, another, theirs, ...team } = connections
    const fields = { conversation_id: conversation, profile_id: acme.id }
    sending.send('chat', 'send', { ...fields, body: 'two', client_id: 'c-2' })
    const { data: sent } = await sending.next('sent')
    // A repetition is the same message.
    sending.send('chat', 'send', { ...fields, body: 'two again', client_id: 'c-2' })
    await sending.next('sent')
    const asAcme = { 'x-active-profile-id': String(acme.id) }
    expect((await reply(editor, conversation, 'three', {}, asAcme)).statusCode).toBe(201)
    await reply(bert, conversation, 'four')
    await reply(bert, id, 'to Ada herself')

    const { data } = await team.editor.next('message.received', (frame) => frame.data.message.seq === 2)
    expect(data).toEqual({ event_id: expect.any(String), profile_id: acme.id, message: sent.message })
    expect(data.message).toMatchObject({ is_own: true, body: 'two', client_id: 'c-2' })
    const own = await team.pulse.next('received', (frame) => frame.data.seq === 2 && frame.data.is_own)
    expect(own.data).toMatchObject({ message: 'two', message_id: sent.message.id, profile_id: acme.id })
    expect(own.data.entity_did, 'the other profile').toBe(`did:web:profiles.example:u:${bert.account.username}`)

    for (const connection of [team.sibling, team.pulse, team.editor, team.key, sending]) await connection.until(4)
    // The messages that opened the conversations may still arrive, for they were stored just before the sockets opened.
    const ofAcme = ({ delivered }: typeof sending) => delivered.filter((each) => /[34]$|own/.test(each))
    for (const [name, connection] of Object.entries(team)) {
      expect(ofAcme(connection), name).toEqual(['own 2', 'own 3', 'their 4'])
    }
    expect(ofAcme(sending), 'the answer is enough').toEqual(['own 3', 'their 4'])
    await another.next('message.received', (frame) => frame.data.message.body === 'to Ada herself')
    expect(another.delivered.filter((each) => each.startsWith('own'))).toEqual([])
    await theirs.next('message.received', (frame) => frame.data.message.seq === 3)
    // A later message of the viewer's own shows that nothing else was on its way.
    await makeContactable(viewer)
    await openConversation(ada, viewer, 'To the viewer')
    await blind.next('message.received')
    expect(blind.delivered).toEqual(['their 1'])
    for (const { close } of Object.values(connections)) await close()
  })

  it('are delivered once to connections that act for both profiles', async () => {
    const [ada, bert] = [await person(), await person()]
    const acme = await newContactable(ada)
    await join(acme, bert, 'editor')
    const opened = await bert.post(CONVERSATIONS, { to: acme.id, body: 'one' })
    const { id } = opened.json().conversation
    const connections = {
      both: await connect(bert),
      pulse: await connect(bert, '/eep/pulse', elsewhere),
      asBert: await connect(actingAs(bert, profileIdOf(bert)), '/ws/messages', elsewhere),
      asAcme: await connect(actingAs(bert, acme.id)),
      ada: await connect(ada),
    }
    await reply(bert, id, 'two')
    await reply(ada, id, 'three', {}, { 'x-active-profile-id': String(acme.id) })
    const bySeq = (frame: Frame) => (frame.data.message?.seq ?? frame.data.seq) === 3
    for (const [name, { next }] of Object.entries(connections)) {
      await next(name === 'pulse' ? 'received' : 'message.received', bySeq)
    }
    const outcome = Object.fromEntries(
      Object.entries(connections).map(([name, { delivered }]) => [
        name,
        delivered.filter((each) => !each.endsWith('1')),
      ]),
    )
    expect(outcome).toEqual({
      both: ['their 2', 'their 3'],
      pulse: ['their 2', 'their 3'],
      asBert: ['own 2', 'their 3'],
      asAcme: ['their 2', 'own 3'],
      ada: ['their 2', 'own 3'],
    })
    for (const { close } of Object.values(connections)) await close()
  })

  it('are delivered to a connection that continues, also those whose answer was lost', async () => {
    const [ada, bert] = [await person(), await person()]
    const id = await openConversation(ada, bert)
    await reply(bert, id, 'two')
    const first = await connect(ada)
    await reply(bert, id, 'three')
    await first.until(3)
    first.send('chat', 'send', { to: addressOf(bert), body: 'four', client_id: 'c-4' })
    await first.next('sent')
    const last = first.eventIds.at(-1)
    await first.close()
    const again = await connect(ada, `/ws/messages?last_event_id=${last}`, elsewhere)
    await reply(bert, id, 'five')
    await again.until(5)
    expect(again.delivered).toEqual(['own 4', 'their 5'])
    const repeated = await connect(ada, `/ws/messages?last_event_id=${again.eventIds[0]}`)
    await repeated.until(5)
    expect(repeated.delivered).toEqual(['their 5'])
    await Promise.all([again.close(), repeated.close()])
  })
})
