import { LOG_START } from '@eep/core/ports'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { didOf, makeAdministrator, type Person, signUp } from '../support/accounts.ts'
import { keyAgent } from '../support/agents.ts'
import type { TestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { bodyOf, NEGOTIATIONS, openDeal, price } from '../support/deals.ts'
import { openInstances } from '../support/instances.ts'
import { CONVERSATIONS, openConversation, profileIdOf, reply, signUpTrusted, writeTo } from '../support/messages.ts'
import { readNotifications, untilNotified } from '../support/notifications.ts'
import { type Frame, openSocket } from '../support/sockets.ts'

const LONG = { timeout: 120_000, interval: 20 }
const { database, instance } = await openInstances()
const app = await instance()
/** Another database: the instance above would do the work of those that are stopped. */
const own = await openInstances()

interface Entry {
  readonly id: string
  readonly seq: number
  readonly kind: string
  readonly state: string
  readonly body: string | null
  readonly client_id: string | null
  readonly sender_profile_id: number | null
  readonly negotiation: { readonly negotiation_id: string; readonly action: string; readonly version: number } | null
}

interface Listed {
  readonly id: string
  readonly unread_count: number
  readonly last_message: Entry | null
}

const person = (on = app) => signUpTrusted(on, database.storage)
const conversationsOf = async (who: Person, on: TestApp = app): Promise<readonly Listed[]> =>
  (await client(on).as(who).get(CONVERSATIONS)).json().data
const entriesOf = async (who: Person, id: string, on: TestApp = app): Promise<readonly Entry[]> =>
  (await client(on).as(who).get(`${CONVERSATIONS}/${id}/messages?order=asc&limit=100`)).json().data
/** What entries say, in their order. */
const said = (entries: readonly Entry[]) =>
  entries.map(({ body, negotiation }) => body ?? `${negotiation?.action} ${negotiation?.version}`)

/** Waits until the last entry of the only conversation of a person is this move, and returns the conversation. */
const untilMove = (who: Person, action: string, version: number, on: TestApp = app): Promise<Listed> =>
  vi.waitFor(async () => {
    const [conversation, ...others] = await conversationsOf(who, on)
    expect(others).toEqual([])
    expect(conversation?.last_message?.negotiation).toMatchObject({ action, version })
    return conversation as Listed
  }, LONG)

let admin: Person
beforeAll(async () => {
  admin = await signUp(app)
  await makeAdministrator(database, admin)
})

describe('the moves of a negotiation', () => {
  it('adds negotiation moves to the conversation of the parties once, in order, between their messages', async () => {
    const [buyer, seller] = [await person(), await person()]
    const id = await openConversation(buyer, seller, 'Hello')
    const deal = await openDeal(app, { buyer, seller })
    await untilMove(seller, 'offer', 1)
    expect((await reply(seller, id, 'A little more?')).statusCode).toBe(201)
    await deal.play('seller counter', 'buyer accept', 'buyer dispute')
    await untilMove(seller, 'dispute', 4)
    expect((await deal.move(admin, 'complete', { outcome: 'rejected' })).status).toBe(200)
    await untilMove(buyer, 'resolve', 5)
    const entries = await entriesOf(seller, id)
    expect(said(entries)).toEqual([
      'Hello',
      'offer 1',
      'A little more?',
      ...['counter 2', 'accept 3', 'dispute 4', 'resolve 5'],
    ])
    expect(entries.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7])
    const [of, by] = [profileIdOf(buyer), profileIdOf(seller)]
    expect(entries.map(({ sender_profile_id: sender }) => sender)).toEqual([of, of, by, by, of, of, null])
    expect(entries[1]).toMatchObject({
      kind: 'negotiation',
      state: 'sent',
      client_id: null,
      negotiation: { negotiation_id: deal.id, action: 'offer', state: 'open', version: 1 },
    })
    expect(said(await entriesOf(buyer, id))).toEqual(said(entries))
    const [listed] = await conversationsOf(seller)
    expect(listed?.unread_count).toBe(5)
    const markdown = await seller.get(`${CONVERSATIONS}/${id}/messages?format=markdown`)
    expect(markdown.body).toContain('counter, now countered')
  })

  it('opens a conversation for parties that have not written, and notifies them of each move once', async () => {
    const deal = await openDeal(app)
    const { buyer, seller } = deal
    const { id, unread_count: unread } = await untilMove(seller, 'offer', 1)
    expect(unread).toBe(1)
    await deal.play('seller counter')
    await untilMove(buyer, 'counter', 2)
    await untilNotified(buyer, (items) => expect(items.map(({ kind }) => kind)).toEqual(['negotiation']))
    // A message after the moves: its notification is made after all that the moves could have made.
    expect((await reply(buyer, id, 'Fine')).statusCode).toBe(201)
    await untilNotified(seller, (items) => expect(items.map(({ kind }) => kind)).toEqual(['message', 'negotiation']))
    expect((await readNotifications(seller)).data.map(({ count }) => count)).toEqual([1, 1])
    expect((await readNotifications(buyer)).data).toHaveLength(1)
  })

  it('delivers moves with their texts on the sockets of the other party, and of both parties for decisions of administrators', async () => {
    const [buyer, seller] = [await person(), await person()]
    const id = await openConversation(buyer, seller)
    const connect = ({ headers }: Person) => openSocket(app, '/ws/messages', { headers })
    const [ofBuyer, ofSeller] = [await connect(buyer), await connect(seller)]
    const deal = await openDeal(app, { buyer, seller })
    const moved = (version: number) => (frame: Frame) => frame.data?.message?.negotiation?.version === version
    const { data } = await ofSeller.next('message.received', moved(1))
    expect(data).toMatchObject({ profile_id: profileIdOf(seller), message: { conversation_id: id, body: null } })
    expect(data.message.negotiation).toEqual({ negotiation_id: deal.id, action: 'offer', state: 'open', version: 1 })
    await deal.play('seller accept')
    await ofBuyer.next('message.received', moved(2))
    await deal.play('buyer dispute')
    expect((await deal.move(admin, 'complete', { outcome: 'rejected' })).status).toBe(200)
    for (const socket of [ofBuyer, ofSeller]) {
      const frame = await socket.next('message.received', moved(4))
      expect(frame?.data.message).toMatchObject({ sender_profile_id: null, negotiation: { action: 'resolve' } })
    }
    expect(ofSeller.frames.filter(moved(2)), 'its own move is not delivered to the seller').toEqual([])
    await Promise.all([ofBuyer.close(), ofSeller.close()])
  })

  it('lets the other party reply to an offer, but not after a refusal', async () => {
    const [buyer, seller] = [await signUp(app), await person()]
    const outcome = async () => (await writeTo(buyer, seller)).statusCode
    const first = await openDeal(app, { buyer, seller })
    await untilMove(seller, 'offer', 1)
    await first.play('seller reject')
    const { id } = await untilMove(buyer, 'reject', 2)
    expect(await outcome(), 'the trust of the buyer is too low').toBe(403)
    const second = await openDeal(app, { buyer, seller })
    await second.play('seller accept')
    await untilMove(buyer, 'accept', 2)
    expect(await outcome()).toBe(201)
    expect((await reply(seller, id)).statusCode).toBe(201)
  })

  it('records moves while one party blocks the other, without delivering them', async () => {
    const [buyer, seller] = [await person(), await person()]
    const deal = await openDeal(app, { buyer, seller })
    const { id } = await untilMove(seller, 'offer', 1)
    const socket = await openSocket(app, '/ws/messages', { headers: seller.headers })
    expect((await seller.post(`${CONVERSATIONS}/${id}/block`)).statusCode).toBe(200)
    expect((await reply(buyer, id)).statusCode).toBe(403)
    await deal.play('seller counter', 'buyer accept')
    await untilMove(seller, 'accept', 3)
    await untilNotified(seller, ([item]) => expect(item?.title).toContain('accepted an offer'))
    expect(said(await entriesOf(buyer, id))).toEqual(['offer 1', 'counter 2', 'accept 3'])
    await seller.delete(`${CONVERSATIONS}/${id}/block`)
    await reply(buyer, id, 'unblocked')
    await socket.next('message.received', ({ data }) => data.message.body === 'unblocked')
    const moves = socket.frames.flatMap(({ data }) => data?.message?.negotiation?.action ?? [])
    expect(moves.filter((action) => action !== 'offer')).toEqual([])
    await socket.close()
  })

  it('adds no moves of agents to a conversation', async () => {
    const [agent, buyer, seller] = [keyAgent(), await person(), await person()]
    const body = JSON.stringify({ seller_did: didOf(seller), service: 'Advice', pricing: price(90) })
    const signed = agent.sign({ method: 'POST', path: NEGOTIATIONS, body })
    const made = await client(app).post(NEGOTIATIONS, body, { ...signed, 'content-type': 'application/json' })
    expect(made.statusCode, made.body).toBe(201)
    await openDeal(app, { buyer, seller })
    // A later move of another party is there, and nothing else.
    const { id } = await untilMove(seller, 'offer', 1)
    expect(said(await entriesOf(buyer, id))).toEqual(['offer 1'])
  })
})

describe('a service that was stopped, or ran without conversations', () => {
  it('adds moves made in the meantime, each once', async () => {
    const { database, instance } = own
    const first = await instance()
    const [buyer, seller] = [await signUp(first), await signUp(first)]
    const deal = await openDeal(first, { buyer, seller })
    const { id } = await untilMove(seller, 'offer', 1, first)
    await first.close()

    const without = await instance({ messages: false })
    const move = async (who: Person, action: string) => {
      const made = await client(without).as(who).post(`${NEGOTIATIONS}/${deal.id}/${action}`, bodyOf(action))
      expect(made.statusCode, made.body).toBe(200)
    }
    await move(seller, 'counter')
    await move(buyer, 'accept')
    expect((await client(without).as(buyer).get(CONVERSATIONS)).statusCode).toBe(404)
    await without.close()

    // As after a process that ended before it stored its place: everything is handled again.
    const lessee = { name: 'messages.negotiation-moves', holder: 'a process that ended' }
    await database.storage.transaction(async (tx) => {
      const from = (await tx.followers.lease(lessee, { leaseMs: 60_000, start: LOG_START })) ?? LOG_START
      expect(from).not.toBe(LOG_START)
      expect(await tx.followers.advance(lessee, { from, to: LOG_START })).toBe(true)
      await tx.followers.lease(lessee, { leaseMs: 0, start: LOG_START })
    })
    const again = await Promise.all([instance(), instance()])
    await untilMove(seller, 'accept', 3, again[0])
    expect(said(await entriesOf(seller, id, again[1]))).toEqual(['offer 1', 'counter 2', 'accept 3'])
    const invoiced = await client(again[1]).as(seller).post(`${NEGOTIATIONS}/${deal.id}/invoice`, bodyOf('invoice'))
    expect(invoiced.statusCode).toBe(200)
    await untilMove(buyer, 'invoice', 4, again[1])
    expect(said(await entriesOf(buyer, id, again[0]))).toEqual(['offer 1', 'counter 2', 'accept 3', 'invoice 4'])
  })
})
