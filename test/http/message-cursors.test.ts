import { randomUUID } from 'node:crypto'
import { newProfile } from '@eep/core/testing'
import { expect, it } from 'vitest'
import { type Person, signUp } from '../support/accounts.ts'
import { openInstances } from '../support/instances.ts'
import {
  CONVERSATIONS,
  type MessageRecord,
  makeContactable,
  OPEN_MESSAGES,
  openConversation,
  profileIdOf,
  reply,
} from '../support/messages.ts'

const { database, instance } = await openInstances(OPEN_MESSAGES)
const app = await instance()
const { storage } = database

/** How many rows others add, and how many they delete, while a list is read. */
const CHANGES = 30
const PAGE_SIZE = 10
const EACH_PAGE = 8

interface Listed {
  readonly id: string
}

/** Reads a list to its end; `onPage` is called after each page. */
async function walk<Row extends Listed>(who: Person, url: string, onPage: () => void = () => {}): Promise<Row[]> {
  const rows: Row[] = []
  for (let cursor = ''; ; ) {
    const answer = await who.get(`${url}limit=${PAGE_SIZE}${cursor}`)
    expect(answer.statusCode, answer.body).toBe(200)
    const { data, pagination } = answer.json()
    rows.push(...data)
    if (pagination.next_cursor === undefined) return rows
    cursor = `&cursor=${pagination.next_cursor}`
    onPage()
  }
}

/** Runs changes beside the reads of a list: some begin with each page, and the rest at the end. */
function changesBeside(change: (index: number) => Promise<unknown>) {
  const underway: Promise<unknown>[] = []
  const begin = () => {
    for (let index = 0; index < EACH_PAGE && underway.length < CHANGES; index++) underway.push(change(underway.length))
  }
  return { begin, isDone: () => underway.length === CHANGES, settled: () => Promise.all(underway) }
}

const succeeds = async (answer: Promise<{ readonly statusCode: number; readonly body: string }>) => {
  const { statusCode, body } = await answer
  expect(statusCode, body).toBeLessThan(300)
}

it('neither repeats a conversation nor skips one that stays in its place while others are opened and deleted', async () => {
  const [ada, bert] = [await signUp(app), await signUp(app)]
  await makeContactable(ada)
  const owned = async (count: number) =>
    storage.transaction(async (tx) => {
      const ids: number[] = []
      for (let index = 0; index < count; index++) {
        const profile = await tx.profiles.insert(newProfile(bert.account.id, { type: 'place', typeData: {} }))
        ids.push(profile?.id ?? 0)
      }
      return ids
    })
  const acting = (id: number) => ({ 'x-active-profile-id': String(id) })

  // Many are of the same moment, and one of three is with a profile that is deleted meanwhile.
  const first = await owned(60)
  const begunAt = Date.now() - 60_000
  const stays = await storage.transaction(async (tx) => {
    const ids: string[] = []
    for (const [index, profileId] of first.entries()) {
      const createdAt = new Date(begunAt + Math.floor(index / 20))
      const sides = { id: randomUUID(), profileId: profileIdOf(ada), otherProfileId: profileId, createdAt }
      const { id } = (await tx.messages.open(sides)) ?? { id: '' }
      await tx.messages.append({
        id: randomUUID(),
        conversationId: id,
        kind: 'message',
        senderProfileId: profileId,
        clientId: null,
        body: 'Hello',
        data: {},
        createdAt,
      })
      ids.push(id)
    }
    return ids
  })
  const moving = await openConversation(bert, ada)
  const writers = await owned(CHANGES)
  const doomed = first.filter((_, index) => index % 3 === 0)
  const { begin, isDone, settled } = changesBeside(async (index) => {
    const writer = writers[index] ?? 0
    const opened = await bert.post(CONVERSATIONS, { to: profileIdOf(ada), body: 'New' }, acting(writer))
    expect(opened.statusCode, opened.body).toBe(201)
    const { id, conversation_id: conversation } = opened.json().message
    await succeeds(reply(bert, moving, `${index}`))
    const gone = index % 3 === 0 ? (doomed.pop() ?? writer) : writer
    if (index % 2 === 0) await storage.transaction((tx) => tx.profiles.delete(gone))
    else await succeeds(bert.delete(`${CONVERSATIONS}/${conversation}/messages/${id}`, acting(writer)))
  })
  const expected = new Set(stays)
  let order: readonly string[] | undefined
  while (!isDone()) {
    const seen = (await walk<Listed>(ada, `${CONVERSATIONS}?`, begin)).map(({ id }) => id)
    expect(new Set(seen).size, 'nothing twice').toBe(seen.length)
    const stayed = seen.filter((id) => expected.has(id))
    expect(new Set(stayed), 'nothing missing').toEqual(expected)
    order ??= stayed
    expect(stayed, 'one order').toEqual(order)
  }
  await settled()
  const all = await walk<Listed>(ada, `${CONVERSATIONS}?`)
  expect(new Set(all.map(({ id }) => id)).size).toBe(stays.length + 1 + CHANGES)
}, 300_000)

it('neither repeats nor skips a message while others are sent and deleted', async () => {
  const [ada, bert] = [await signUp(app), await signUp(app)]
  await makeContactable(bert)
  const id = await openConversation(ada, bert)
  const url = `${CONVERSATIONS}/${id}/messages`
  for (let index = 0; index < 40; index++) await succeeds(reply(index % 2 === 0 ? ada : bert, id, `${index}`))
  const existing = 41
  const { begin, isDone, settled } = changesBeside(async (index) => {
    const who = index % 2 === 0 ? ada : bert
    const sent = await reply(who, id, `new ${index}`)
    expect(sent.statusCode, sent.body).toBe(201)
    await succeeds(who.delete(`${url}/${sent.json().id}`))
  })
  const seqs = (rows: readonly MessageRecord[]) => rows.map(({ seq }) => seq)
  const upTo = (count: number, from = 1) => Array.from({ length: count - from + 1 }, (_, index) => index + from)
  let reached = existing
  while (!isDone()) {
    const [newest, oldest, later] = await Promise.all([
      walk<MessageRecord>(ada, `${url}?`, begin).then(seqs),
      walk<MessageRecord>(bert, `${url}?order=asc&`, begin).then(seqs),
      walk<MessageRecord>(bert, `${url}?order=asc&after_seq=20&`, begin).then(seqs),
    ])
    for (const seen of [newest, oldest, later]) expect(Math.max(...seen)).toBeGreaterThanOrEqual(reached)
    // Numbers have no gaps, so every list is complete between its ends.
    expect(newest).toEqual(upTo(newest.length).toReversed())
    expect(oldest).toEqual(upTo(oldest.length))
    expect(later).toEqual(upTo(later.length + 20, 21))
    reached = newest.length
  }
  await settled()
  const rows = await walk<MessageRecord>(ada, `${url}?order=asc&`)
  expect(seqs(rows)).toEqual(upTo(existing + CHANGES))
  expect(rows.filter(({ state }) => state === 'deleted')).toHaveLength(CHANGES)
}, 300_000)
