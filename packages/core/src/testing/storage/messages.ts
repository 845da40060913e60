import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { invalidCursor } from '../../kernel/page.ts'
import { type Conversation, MAX_COUNTED_UNREAD, type NewMessage } from '../../ports/storage/messages.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { eraseAccount } from '../erase-account.ts'
import { eventsAfter } from '../event-log.ts'
import { newEvent, newMessage } from '../records.ts'
import { casesFor, ODD_JSON, ODD_TEXT, present } from './bench.ts'

type Tx = Stores<'messages'>

const AT = new Date('2026-07-07T07:07:07.007Z')
const at = (seconds: number) => new Date(AT.getTime() + seconds * 1_000)

export const messageCases = casesFor(['messages'], (it, bench) => {
  const opening =
    (profileId: number, otherProfileId: number, createdAt = AT) =>
    (tx: Tx) =>
      tx.messages.open({ id: randomUUID(), profileId, otherProfileId, createdAt })
  const appending = (message: NewMessage) => (tx: Tx) => tx.messages.append(message)

  /** A new conversation of two new profiles. */
  async function opened(): Promise<Conversation> {
    const [ada, bert] = [await bench.profile(), await bench.profile()]
    return present(await bench.write(opening(ada.id, bert.id)))
  }
  const written = async (conversation: Conversation, changes: Partial<NewMessage> = {}, from?: number) =>
    (await bench.write(appending(newMessage(conversation.id, from ?? conversation.profileId, changes)))).message
  const sequence = async ({ id }: Conversation) =>
    (await bench.read.messages.listMessages(id, { limit: 100, order: 'asc' })).items.map(({ seq }) => seq)

  it('opens one conversation for two profiles, from either side', async () => {
    const [ada, bert] = [await bench.profile(), await bench.profile()]
    assert.equal(await bench.read.messages.find(ada.id, bert.id), undefined)
    const made = present(await bench.write(opening(ada.id, bert.id)))
    const side = { hasWritten: false, blockedAt: null }
    assert.deepEqual(made, {
      id: made.id,
      profileId: ada.id,
      otherProfileId: bert.id,
      own: { ...side, readSeq: 0 },
      other: side,
      lastSeq: 0,
      lastAt: AT,
      createdAt: AT,
    })
    const turned = { ...made, profileId: bert.id, otherProfileId: ada.id }
    assert.deepEqual(await bench.write(opening(bert.id, ada.id, at(5))), turned)
    assert.deepEqual(await bench.read.messages.find(bert.id, ada.id), turned)
    assert.deepEqual(await bench.read.messages.get(made.id, ada.id), made)
    const stranger = await bench.profile()
    for (const id of [made.id, randomUUID(), 'no uuid']) {
      assert.equal(await bench.read.messages.get(id, stranger.id), undefined)
      assert.equal(await bench.read.messages.getListed(id, stranger.id), undefined)
      assert.equal(await bench.write((tx) => tx.messages.lock(id, stranger.id)), undefined)
    }
  })

  it('opens one conversation for concurrent calls', async () => {
    const [ada, bert] = [await bench.profile(), await bench.profile()]
    const { first, others } = await bench.overlap(opening(ada.id, bert.id), [
      opening(bert.id, ada.id),
      opening(ada.id, bert.id),
    ])
    assert.deepEqual(
      others.map((other) => other?.id),
      [first?.id, first?.id],
    )
    assert.equal((await bench.read.messages.list(ada.id, { limit: 9 })).total, 1)
  })

  it('opens the conversation in the next transaction when the first one is rolled back', async () => {
    const [ada, bert] = [await bench.profile(), await bench.profile()]
    const { others } = await bench.overlap(opening(ada.id, bert.id), [opening(bert.id, ada.id)], 'rollback')
    assert.deepEqual((await bench.read.messages.find(ada.id, bert.id))?.id, present(others[0]).id)
  })

  it('opens no conversation with a deleted profile, also under concurrent calls', async () => {
    const [ada, gone, going] = [await bench.profile(), await bench.profile(), await bench.profile()]
    await bench.write((tx) => tx.profiles.delete(gone.id))
    assert.equal(await bench.write(opening(ada.id, gone.id)), undefined)
    const { others } = await bench.overlap((tx) => eraseAccount(tx, going.ownerAccountId), [opening(ada.id, going.id)])
    assert.deepEqual(others, [undefined])
    assert.equal((await bench.read.messages.list(ada.id, { limit: 9 })).total, 0)
  })

  it('stores a message as it was written', async () => {
    const conversation = await opened()
    const message = newMessage(conversation.id, conversation.profileId, {
      body: ODD_TEXT,
      data: ODD_JSON,
      clientId: ODD_TEXT,
      createdAt: at(3),
    })
    const stored = { ...message, seq: 1, deletedAt: null }
    assert.deepEqual(await bench.write(appending(message)), { message: stored, isNew: true })
    assert.deepEqual(await bench.read.messages.getMessage(message.id), stored)
    const known = await bench.read.messages.getByClientId(conversation.id, conversation.profileId, ODD_TEXT)
    assert.deepEqual(known, stored)
    const { profileId, otherProfileId } = conversation
    assert.equal(await bench.read.messages.getByClientId(conversation.id, otherProfileId, ODD_TEXT), undefined)
    assert.equal(await bench.read.messages.getByClientId('no uuid', profileId, '\0'), undefined)
    for (const id of [randomUUID(), 'no uuid']) assert.equal(await bench.read.messages.getMessage(id), undefined)
    const after = present(await bench.read.messages.get(conversation.id, profileId))
    assert.deepEqual([after.lastSeq, after.lastAt], [1, at(3)])
    assert.deepEqual([after.own.hasWritten, after.other?.hasWritten], [true, false])
    const entry = { kind: 'negotiation', body: null, createdAt: at(1) } as const
    assert.equal((await bench.write(appending(newMessage(conversation.id, null, entry)))).message.seq, 2)
    const { lastSeq, lastAt, other } = present(await bench.read.messages.get(conversation.id, profileId))
    assert.deepEqual([lastSeq, lastAt, other?.hasWritten], [2, at(3), false], 'times never decrease')
  })

  it('lets the other side reply to a negotiation move, unless the move allows no replies', async () => {
    const { id, profileId, otherProfileId } = await opened()
    const moved = async (sender: number | null, version: number, allowsReplies?: boolean) => {
      const move = { kind: 'negotiation', body: null, clientId: `neg:${version}`, data: { version } } as const
      const made = await bench.write(appending(newMessage(id, sender, { ...move, allowsReplies })))
      assert.deepEqual(made.message, present(await bench.read.messages.getMessage(made.message.id)))
      const { own, other } = present(await bench.read.messages.get(id, profileId))
      return [made.message.seq, own.hasWritten, other?.hasWritten]
    }
    assert.deepEqual(await moved(otherProfileId, 1, false), [1, false, false])
    assert.deepEqual(await moved(null, 2), [2, false, false])
    assert.deepEqual(await moved(otherProfileId, 3), [3, false, true])
    assert.deepEqual(await moved(otherProfileId, 4, false), [4, false, true])
    assert.deepEqual(await moved(profileId, 5, true), [5, true, true])
    assert.deepEqual(await moved(otherProfileId, 3), [3, true, true], 'a move is stored once')
  })

  it('numbers concurrent messages of both sides without gaps, in the order of commits', async () => {
    const conversation = await opened()
    const { id, profileId, otherProfileId } = conversation
    const from = (sender: number, body: string) => appending(newMessage(id, sender, { body }))
    const { first, others } = await bench.overlap(from(profileId, 'first'), [
      from(otherProfileId, 'second'),
      from(profileId, 'third'),
    ])
    assert.equal(first?.message.seq, 1)
    assert.deepEqual(others.map(({ message }) => message.seq).sort(), [2, 3])
    assert.deepEqual(await sequence(conversation), [1, 2, 3])
    const rolledBack = await bench.overlap(from(profileId, 'never'), [from(otherProfileId, 'fourth')], 'rollback')
    assert.equal(rolledBack.others[0]?.message.seq, 4)
    assert.deepEqual(await sequence(conversation), [1, 2, 3, 4])
  })

  it('puts the events of concurrent messages into the log in the order of their numbers', async () => {
    const { id, profileId, otherProfileId } = await opened()
    const after = await bench.read.events.head()
    const sending = (sender: number, opens: boolean) =>
      bench.write(async (tx) => {
        const locked = opens
          ? await tx.messages.open({
              id,
              profileId: sender,
              otherProfileId: profileId + otherProfileId - sender,
              createdAt: AT,
            })
          : await tx.messages.lock(id, sender)
        const { message } = await tx.messages.append(newMessage(present(locked).id, sender))
        await tx.events.append([newEvent({ profileId, data: { seq: message.seq } })])
      })
    await Promise.all(
      Array.from({ length: 24 }, (_, index) => sending(index % 2 === 0 ? profileId : otherProfileId, index % 3 === 0)),
    )
    const events = await eventsAfter(bench, after, { profileId })
    assert.deepEqual(
      events.map(({ data }) => data),
      events.map((_, index) => ({ seq: index + 1 })),
    )
    assert.equal(events.length, 24)
  })

  it('stores a message with a client id once, also under concurrent calls', async () => {
    const conversation = await opened()
    const { id, profileId, otherProfileId } = conversation
    const repeated = (sender: number | null, body: string) =>
      appending(newMessage(id, sender, { body, clientId: 'one', kind: sender === null ? 'negotiation' : 'message' }))
    const { first, others } = await bench.overlap(repeated(profileId, 'first'), [
      repeated(profileId, 'again'),
      repeated(otherProfileId, 'of the other side'),
    ])
    assert.deepEqual(others[0], { message: first?.message, isNew: false })
    assert.equal(others[1]?.isNew, true)
    assert.equal((await bench.write(repeated(null, ''))).isNew, true)
    assert.equal((await bench.write(repeated(null, ''))).isNew, false)
    assert.deepEqual(await sequence(conversation), [1, 2, 3])
  })

  it('counts unread entries up to a limit', async () => {
    const conversation = await opened()
    await bench.write(async (tx) => {
      for (let made = 0; made <= MAX_COUNTED_UNREAD; made++) {
        await tx.messages.append(newMessage(conversation.id, conversation.profileId))
      }
    })
    const unreadOf = async () =>
      (await bench.read.messages.getListed(conversation.id, conversation.otherProfileId))?.unread
    assert.equal(await unreadOf(), MAX_COUNTED_UNREAD)
    await bench.write((tx) => tx.messages.markRead(conversation.id, conversation.otherProfileId, 3))
    assert.equal(await unreadOf(), MAX_COUNTED_UNREAD - 2)
  })

  it('lists the conversations of a profile, latest message first, with unread entries', async () => {
    const ada = await bench.profile()
    const others = [await bench.profile(), await bench.profile(), await bench.profile()]
    const conversations: Conversation[] = []
    for (const [index, { id }] of others.entries()) {
      const conversation = present(await bench.write(opening(ada.id, id, at(index))))
      await written(conversation, { createdAt: at(index) }, id)
      conversations.push(conversation)
    }
    const [one, two, three] = conversations.map((conversation) => present(conversation))
    await written(present(one), { createdAt: at(9), body: 'latest' })
    const last = await written(present(two), { createdAt: at(8) }, others[1]?.id)
    const order = [one, two, three].map((conversation) => conversation?.id)
    const { items, total, nextCursor } = await bench.read.messages.list(ada.id, { limit: 2 })
    const rest = await bench.read.messages.list(ada.id, { limit: 2, cursor: nextCursor })
    const listed = [...items, ...rest.items]
    assert.deepEqual([total, rest.total, rest.nextCursor], [3, 3, undefined])
    assert.deepEqual(
      listed.map(({ conversation }) => conversation.id),
      order,
    )
    assert.deepEqual(
      listed.map(({ unread }) => unread),
      [1, 2, 1],
    )
    assert.deepEqual(listed[1]?.lastMessage, last)
    const { id, ownerAccountId, type, username, fullName, visibility, withdrawnAt } = present(others[1])
    const correspondent = { id, ownerAccountId, type, username, fullName, visibility, withdrawnAt }
    assert.deepEqual(listed[1]?.correspondent, correspondent)
    assert.deepEqual(await bench.read.messages.getListed(present(two).id, ada.id), listed[1])
    await assert.rejects(bench.read.messages.list(ada.id, { limit: 2, cursor: 'x' }), { code: invalidCursor.code })

    const read = (seq: number) => bench.write((tx) => tx.messages.markRead(present(two).id, ada.id, seq))
    assert.deepEqual([await read(2), await read(1), await read(2)], [true, false, false])
    const after = present(await bench.read.messages.getListed(present(two).id, ada.id))
    assert.deepEqual([after.unread, after.conversation.own.readSeq], [0, 2])
    const theirs = present(await bench.read.messages.getListed(present(two).id, present(others[1]).id))
    assert.deepEqual([theirs.unread, theirs.conversation.own.readSeq], [0, 0])
  })

  it('lists only the conversations in which a profile blocks the other one, in pages', async () => {
    const ada = await bench.profile()
    const conversations: Conversation[] = []
    for (let index = 0; index < 4; index++) {
      conversations.push(present(await bench.write(opening(ada.id, (await bench.profile()).id, at(index)))))
    }
    const [first, second, third, fourth] = conversations.map((conversation) => present(conversation))
    for (const conversation of [first, second, third]) {
      await bench.write((tx) => tx.messages.setBlocked(present(conversation).id, ada.id, AT))
    }
    // A block of the other side is not one of this profile.
    const theirs = present(fourth)
    await bench.write((tx) => tx.messages.setBlocked(theirs.id, theirs.otherProfileId, AT))
    const blocked = async (cursor?: string) => {
      const page = await bench.read.messages.list(ada.id, { limit: 2, cursor, isBlocking: true })
      return { ids: page.items.map(({ conversation }) => conversation.id), ...page }
    }
    const newest = await blocked()
    assert.deepEqual([newest.ids, newest.total], [[present(third).id, present(second).id], 3])
    const rest = await blocked(newest.nextCursor)
    assert.deepEqual([rest.ids, rest.nextCursor], [[present(first).id], undefined])
    await bench.write((tx) => tx.messages.setBlocked(present(second).id, ada.id, null))
    assert.deepEqual((await blocked()).ids, [present(third).id, present(first).id])
  })

  it('lists messages in both orders, in pages', async () => {
    const conversation = await opened()
    for (const body of ['a', 'b', 'c']) await written(conversation, { body })
    const bodies = async (order: 'asc' | 'desc', cursor?: string, afterSeq?: number) => {
      const page = await bench.read.messages.listMessages(conversation.id, { order, limit: 2, cursor, afterSeq })
      return { bodies: page.items.map(({ body }) => body), ...page }
    }
    const newest = await bodies('desc')
    assert.deepEqual([newest.bodies, newest.total], [['c', 'b'], 3])
    await written(conversation, { body: 'd' })
    assert.deepEqual((await bodies('desc', newest.nextCursor)).bodies, ['a'], 'a cursor is stable under inserts')
    const oldest = await bodies('asc')
    assert.deepEqual(oldest.bodies, ['a', 'b'])
    assert.deepEqual((await bodies('asc', oldest.nextCursor)).bodies, ['c', 'd'])
    const late = await bodies('asc', undefined, 3)
    assert.deepEqual([late.bodies, late.total], [['d'], 1])
    assert.deepEqual(await bench.read.messages.listMessages('no uuid', { order: 'asc', limit: 2 }), {
      items: [],
      total: 0,
    })
  })

  it('blocks and unblocks a conversation once', async () => {
    const { id, profileId, otherProfileId } = await opened()
    const set = (blockedAt: Date | null) => bench.write((tx) => tx.messages.setBlocked(id, profileId, blockedAt))
    assert.deepEqual([await set(null), await set(at(1)), await set(at(2))], [false, true, false])
    assert.deepEqual((await bench.read.messages.get(id, profileId))?.own.blockedAt, at(1))
    assert.deepEqual((await bench.read.messages.get(id, otherProfileId))?.other?.blockedAt, at(1))
    assert.deepEqual((await bench.read.messages.get(id, otherProfileId))?.own.blockedAt, null)
    assert.deepEqual([await set(null), await set(null)], [true, false])
    assert.equal(await bench.write((tx) => tx.messages.setBlocked('no uuid', profileId, AT)), false)
  })

  it('locks a conversation, so that a block applies to the next message', async () => {
    const { id, profileId, otherProfileId } = await opened()
    const { others } = await bench.overlap(
      async (tx) => {
        await tx.messages.lock(id, profileId)
        await tx.messages.setBlocked(id, profileId, AT)
      },
      [(tx) => tx.messages.lock(id, otherProfileId)],
    )
    assert.deepEqual(others[0]?.other?.blockedAt, AT)
  })

  it('deletes the body of a message once', async () => {
    const conversation = await opened()
    const { id, body, ...message } = await written(conversation)
    assert.equal(body, 'Hello')
    const deleting = (seconds: number) => (tx: Tx) => tx.messages.deleteMessage(id, at(seconds))
    const { first, others } = await bench.overlap(deleting(1), [deleting(2)])
    assert.deepEqual([first, ...others], [true, false])
    assert.deepEqual(await bench.read.messages.getMessage(id), { ...message, id, body: null, deletedAt: at(1) })
    assert.equal((await bench.read.messages.getListed(conversation.id, conversation.otherProfileId))?.unread, 0)
    assert.equal(await bench.write((tx) => tx.messages.deleteMessage('no uuid', AT)), false)
  })

  it('deletes message bodies with the profile that wrote them, and keeps the rest for the other side', async () => {
    const conversation = await opened()
    const { id, profileId, otherProfileId } = conversation
    await written(conversation, { body: 'stays' })
    await written(conversation, { body: 'goes' }, otherProfileId)
    await bench.write((tx) => tx.profiles.delete(otherProfileId))
    const { items } = await bench.read.messages.listMessages(id, { order: 'asc', limit: 9 })
    assert.deepEqual(
      items.map(({ body, senderProfileId, deletedAt }) => [body, senderProfileId, deletedAt]),
      [
        ['stays', profileId, null],
        [null, otherProfileId, null],
      ],
    )
    const listed = present(await bench.read.messages.getListed(id, profileId))
    assert.deepEqual([listed.correspondent, listed.conversation.other], [undefined, null])
    assert.equal(await bench.read.messages.get(id, otherProfileId), undefined)
    assert.equal((await bench.write((tx) => tx.messages.lock(id, profileId)))?.other, null)
  })
})

export const messageErasureCases = casesFor(['messages'], (it, bench) => {
  it('erases messages written by the profiles of an account, and conversations left without a profile', async () => {
    const [leaving, staying] = [await bench.account(), await bench.account()]
    const own = [
      await bench.profile({ ownerAccountId: leaving.id }),
      await bench.profile({ ownerAccountId: leaving.id }),
    ]
    const [first, second] = [present(own[0]), present(own[1])]
    const other = await bench.profile({ ownerAccountId: staying.id })
    const gone = await bench.profile({ ownerAccountId: staying.id })
    const between = async (one: number, two: number) => {
      const open = (tx: Tx) =>
        tx.messages.open({ id: randomUUID(), profileId: one, otherProfileId: two, createdAt: AT })
      const { id } = present(await bench.write(open))
      for (const sender of [one, two]) {
        await bench.write((tx) => tx.messages.append(newMessage(id, sender, { body: `of ${sender}` })))
      }
      return id
    }
    const kept = await between(first.id, other.id)
    const inside = await between(first.id, second.id)
    const left = await between(second.id, gone.id)
    const foreign = await between(other.id, gone.id)
    await bench.write((tx) => tx.profiles.delete(gone.id))
    await bench.write((tx) => tx.messages.eraseAccount({ ...leaving, profileIds: [first.id, second.id] }))
    const bodies = async (id: string) =>
      (await bench.read.messages.listMessages(id, { order: 'asc', limit: 9 })).items.map(({ body }) => body)
    assert.deepEqual(await bodies(kept), [null, `of ${other.id}`])
    assert.deepEqual([await bodies(inside), await bodies(left)], [[], []])
    assert.deepEqual(await bodies(foreign), [`of ${other.id}`, null])
    assert.equal((await bench.read.messages.list(first.id, { limit: 9 })).total, 0)
    assert.equal((await bench.read.messages.list(other.id, { limit: 9 })).total, 2)
  })
})
