import { didOf, type Person, signUp } from './accounts.ts'
import type { TestApp } from './app.ts'
import { client } from './client.ts'

export const NEGOTIATIONS = '/eep/commerce/negotiations'

/** A service at a fixed price. */
export const advice = (more: object = {}) => ({
  name: 'An hour of advice',
  category: 'consulting',
  pricing: { model: 'fixed', currency: 'usd', amount: 100 },
  delivery: 'async',
  ...more,
})

export const price = (amount: number) => ({ model: 'fixed', currency: 'usd', amount })
export const catalogueOf = (person: Person) => `/eep/services/${didOf(person)}`

/** Lists a service; its id. */
export async function listService(seller: Person, body: object = advice()): Promise<string> {
  const made = await seller.post(catalogueOf(seller), body)
  if (made.statusCode !== 201) throw new Error(`not listed: ${made.body}`)
  return made.json().id
}

/** A buyer and a seller, and a deal between them that the buyer has opened. */
export interface Deal {
  readonly buyer: Person
  readonly seller: Person
  readonly id: string
  readonly path: string
  /** Makes a move. */
  move(
    who: Person,
    action: string,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<{ readonly status: number; readonly body: Record<string, unknown> & { readonly error?: Refusal } }>
  /** Makes moves one after another, each of which must be taken: `seller accept`. */
  play(...moves: readonly string[]): Promise<void>
}

interface Refusal {
  readonly code: string
  readonly details: Record<string, unknown>
}

const BODIES: Readonly<Record<string, object>> = {
  counter: { pricing: price(80) },
  invoice: { invoice_id: 'inv-1', amount: 90, currency: 'usd' },
  receipt: { receipt_id: 'slip-1', payment_proof: { type: 'bank', token: '' } },
  dispute: { reason_code: 'not_delivered', requested_remedy: 'refund' },
}

let slips = 0

/** A body that a move takes; undefined where none is needed. */
export const bodyOf = (action: string): object | undefined =>
  action === 'receipt'
    ? { ...BODIES.receipt, payment_proof: { type: 'bank', token: `slip-${++slips}` } }
    : BODIES[action]

export async function openDeal(
  app: TestApp,
  parties: Partial<Pick<Deal, 'buyer' | 'seller'>> = {},
  offer: object = {},
) {
  const { buyer = await signUp(app), seller = await signUp(app) } = parties
  const body = { seller_did: didOf(seller), service: 'Advice', pricing: price(90), ...offer }
  const made = await buyer.post(NEGOTIATIONS, body)
  if (made.statusCode !== 201) throw new Error(`no deal: ${made.body}`)
  const id: string = made.json().negotiation_id
  const path = `${NEGOTIATIONS}/${id}`

  const move: Deal['move'] = async (who, action, payload, headers = {}) => {
    const response = await client(app).post(`${path}/${action}`, payload, { ...who.headers, ...headers })
    return { status: response.statusCode, body: response.json() }
  }
  const deal: Deal = {
    buyer,
    seller,
    id,
    path,
    move,
    async play(...moves) {
      for (const one of moves) {
        const [who, action = ''] = one.split(' ')
        const { status, body: answer } = await move(who === 'buyer' ? buyer : seller, action, bodyOf(action))
        if (status !== 200) throw new Error(`${one}: ${JSON.stringify(answer)}`)
      }
    },
  }
  return deal
}

/** The moves that bring a deal into each state. */
export const WAYS: Readonly<Record<string, readonly string[]>> = {
  open: [],
  countered: ['seller counter'],
  accepted: ['seller accept'],
  invoiced: ['seller accept', 'seller invoice'],
  paid: ['seller accept', 'seller invoice', 'buyer receipt'],
  completed: ['seller accept', 'buyer complete'],
  disputed: ['seller accept', 'buyer dispute'],
  rejected: ['seller reject'],
  expired: ['buyer expire'],
}
