import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { codeOf, type Person } from '../support/accounts.ts'
import type { Response } from '../support/client.ts'
import { openInstances } from '../support/instances.ts'
import {
  CONVERSATIONS,
  messagesOf,
  OPEN_MESSAGES,
  openConversation,
  reply,
  signUpTrusted,
  writeTo,
} from '../support/messages.ts'

const { database, instance } = await openInstances(OPEN_MESSAGES)
const app = await instance()

const DAY_MS = 86_400_000
const person = () => signUpTrusted(app, database.storage)

/** One side of a conversation, and the last message of each side. */
interface Side {
  readonly who: Person
  readonly other: Person
  readonly id: string
  readonly own: string
  readonly theirs: string
}

const ACTIONS: Readonly<Record<string, (side: Side) => Promise<Response>>> = {
  open: ({ who, other }) => writeTo(who, other),
  send: ({ who, id }) => reply(who, id),
  'repeat a message': ({ who, id }) => reply(who, id, 'Repeated', { client_id: 'mine' }),
  read: ({ who, id, theirs }) => who.post(`${CONVERSATIONS}/${id}/read`, { up_to: theirs }),
  'list conversations': ({ who }) => who.get(CONVERSATIONS),
  'list messages': ({ who, id }) => who.get(`${CONVERSATIONS}/${id}/messages`),
  'report the conversation': ({ who, id }) => who.post(`${CONVERSATIONS}/${id}/report`, { reason: 'Spam' }),
  'report a message': ({ who, id, theirs }) =>
    who.post(`${CONVERSATIONS}/${id}/report`, { reason: 'Spam', message_id: theirs }),
  'delete an own message': ({ who, id, own }) => who.delete(`${CONVERSATIONS}/${id}/messages/${own}`),
  'delete a message of the other side': ({ who, id, theirs }) =>
    who.delete(`${CONVERSATIONS}/${id}/messages/${theirs}`),
  block: ({ who, id }) => who.post(`${CONVERSATIONS}/${id}/block`),
  unblock: ({ who, id }) => who.delete(`${CONVERSATIONS}/${id}/block`),
}

const outcome = (answer: Response) =>
  answer.statusCode < 400 ? `${answer.statusCode}` : `${answer.statusCode} ${codeOf(answer)}`

/** A conversation of two people in which each has written, as both sides see it. */
async function conversation() {
  const [ada, bert] = [await person(), await person()]
  const id = await openConversation(ada, bert, 'Written by Ada')
  await reply(ada, id, 'Last of Ada', { client_id: 'mine' })
  await reply(bert, id, 'Written by Bert')
  await reply(bert, id, 'Last of Bert', { client_id: 'mine' })
  const messages = await messagesOf(ada, id)
  const idOf = (text: string) => messages.find(({ body }) => body === text)?.id ?? ''
  const [ofAda, ofBert] = [idOf('Last of Ada'), idOf('Last of Bert')]
  return {
    id,
    ada: { who: ada, other: bert, id, own: ofAda, theirs: ofBert },
    bert: { who: bert, other: ada, id, own: ofBert, theirs: ofAda },
  }
}

describe('while a profile blocks the other one', () => {
  /** The outcome of each action for the profile that is blocked and for the one that blocks. */
  const TABLE: Readonly<Record<string, readonly [blocked: string, blocking: string]>> = {
    open: ['403 blocked', '403 blocked'],
    send: ['403 blocked', '403 blocked'],
    'repeat a message': ['201', '201'],
    read: ['200', '200'],
    'list conversations': ['200', '200'],
    'list messages': ['200', '200'],
    'report the conversation': ['201', '201'],
    'report a message': ['201', '201'],
    'delete an own message': ['200', '200'],
    'delete a message of the other side': ['403 not_your_message', '403 not_your_message'],
    block: ['200', '200'],
    unblock: ['200', '200'],
  }

  let made: Awaited<ReturnType<typeof conversation>>
  beforeAll(async () => {
    made = await conversation()
  })
  afterEach(async () => {
    for (const { who } of [made.ada, made.bert]) await who.delete(`${CONVERSATIONS}/${made.id}/block`)
  })

  it.each(Object.keys(ACTIONS))('answers each side: %s', async (action) => {
    const seen: string[] = []
    // A deleted message stays deleted.
    if (action.startsWith('delete')) made = await conversation()
    for (const side of ['bert', 'ada'] as const) {
      expect((await made.ada.who.post(`${CONVERSATIONS}/${made.id}/block`)).statusCode).toBe(200)
      const count = (await messagesOf(made.ada.who, made.id)).length
      const answer = await ACTIONS[action]?.(made[side])
      if (!answer) throw new Error(`no action ${action}`)
      seen.push(outcome(answer))
      // Its own block is shown to a profile, and that of the other one is not.
      if (side === 'bert' && action !== 'block') expect(answer.body).not.toContain('"is_blocked":true')
      expect((await messagesOf(made.ada.who, made.id)).length, 'nothing was stored').toBe(count)

      // Only the profile that blocks ends the block, and only its own.
      const ends = action === 'unblock' && side === 'ada'
      const replies = [await reply(made.bert.who, made.id), await reply(made.ada.who, made.id)]
      expect(replies.map(outcome)).toEqual(ends ? ['201', '201'] : ['403 blocked', '403 blocked'])
      await made.ada.who.delete(`${CONVERSATIONS}/${made.id}/block`)
      const isBothBlocked = action === 'block' && side === 'bert'
      expect(outcome(await reply(made.ada.who, made.id))).toBe(isBothBlocked ? '403 blocked' : '201')
      await made.bert.who.delete(`${CONVERSATIONS}/${made.id}/block`)
    }
    expect(seen).toEqual(TABLE[action])
  })
})

describe('a conversation whose other account was purged', () => {
  /** The outcome of each action for the side that is left. */
  const TABLE: Readonly<Record<string, string>> = {
    open: '404 profile_not_found',
    send: '409 conversation_closed',
    'repeat a message': '201',
    read: '200',
    'list conversations': '200',
    'list messages': '200',
    'report the conversation': '409 conversation_closed',
    'report a message': '409 conversation_closed',
    'delete an own message': '200',
    'delete a message of the other side': '403 not_your_message',
    block: '200',
    unblock: '200',
  }

  it('answers every action of the side that is left, and keeps its texts only', async () => {
    const { ada, bert, id } = await conversation()
    const secrets = ['Written by Bert', 'Last of Bert', bert.who.account.username]
    const purging = await instance({ auth: { purgeIntervalMs: 100 } })
    const { id: accountId } = bert.who.account
    await database.storage.transaction((tx) =>
      tx.accounts.save(accountId, { deletionScheduledAt: new Date(Date.now() - 31 * DAY_MS) }),
    )
    const gone = async () => expect(await database.storage.read.accounts.get(accountId)).toBeUndefined()
    await vi.waitFor(gone, { timeout: 120_000, interval: 50 })
    await purging.close()

    const seen = await messagesOf(ada.who, id)
    expect(seen.map(({ seq, state, body }) => [seq, state, body])).toEqual([
      [1, 'sent', 'Written by Ada'],
      [2, 'sent', 'Last of Ada'],
      [3, 'erased', null],
      [4, 'erased', null],
    ])
    const outcomes: Record<string, string> = {}
    for (const [action, run] of Object.entries(ACTIONS)) {
      const answer = await run(ada)
      outcomes[action] = outcome(answer)
      for (const secret of secrets) expect(answer.body, action).not.toContain(secret)
    }
    expect(outcomes).toEqual(TABLE)
    const stored = await database.storage.read.messages.getMessage(bert.own)
    expect(stored, 'the entry stays, without its text').toMatchObject({ seq: 4, body: null, data: {} })
    for (const accept of ['text/markdown', 'application/json']) {
      for (const path of [CONVERSATIONS, `${CONVERSATIONS}/${id}/messages`]) {
        const { statusCode, body } = await ada.who.get(path, { accept })
        expect(statusCode).toBe(200)
        for (const secret of secrets) expect(body, `${path} as ${accept}`).not.toContain(secret)
      }
    }
    const [listed] = (await ada.who.get(CONVERSATIONS)).json().data
    expect([listed.participant, listed.last_message.state]).toEqual([null, 'erased'])
    const rest = await messagesOf(ada.who, id)
    expect(rest.map(({ state, body }) => [state, body])).toEqual([
      ['sent', 'Written by Ada'],
      ['deleted', null],
      ['erased', null],
      ['erased', null],
    ])
  })
})
