import { expect, it } from 'vitest'
import type { Sale } from '../payments/index.ts'
import type { Profile } from '../profiles/index.ts'
import type { GatedResource, Visitor } from './gated-resource.ts'
import type { Gate } from './store.ts'
import { createStrangerSales } from './stranger-sales.ts'

const gate = { version: 1 } as unknown as Gate
const sale = {} as Sale
const payTo = {}
const page: GatedResource = {
  profile: { id: 1 } as Profile,
  name: 'content.page',
  path: '/u/ada/content/page',
  description: 'A page',
  preview: 'How it begins',
  role: undefined,
}
const stranger: Visitor = {
  caller: undefined,
  agent: undefined,
  payer: undefined,
  proofs: [],
  authorization: undefined,
  credentials: {},
  preference: [],
  mayPay: true,
  mimeType: 'text/markdown',
}

/** Sales of one gate, of which a stranger was offered one at the beginning of a second. */
function offered() {
  let now = 1_000_000
  const sales = createStrangerSales(() => new Date(now))
  sales.keep(gate, page, stranger, { sale, payTo })
  return { sales, pass: (ms: number) => (now += ms) }
}

it('offers the next stranger of the same second the same, and knows nothing of it in the next one', () => {
  const { sales, pass } = offered()
  pass(999)
  expect(sales.find(gate, page, stranger)).toMatchObject({ sale, payTo })
  pass(1)
  expect(sales.find(gate, page, stranger)).toBeUndefined()
})

it.each<[string, Partial<Visitor>]>([
  ['an account', { caller: {} as Visitor['caller'] }],
  ['an agent', { agent: { did: 'did:web:agent.example', verified: false } }],
  ['a payer', { payer: { wallet: '0x1', network: 'eip155:1' } }],
  ['a wallet that signs in', { signIn: 'e30=' }],
  ['proofs', { proofs: [{ type: 'trust', self_attested: true }] }],
  ['a session', { authorization: 'EEP-Session e30' }],
  ['a wish how to pay', { preference: ['x402'] }],
])('neither answers nor remembers who shows %s', (_what, shown) => {
  const { sales } = offered()
  expect(sales.find(gate, page, { ...stranger, ...shown })).toBeUndefined()
  const fresh = createStrangerSales(() => new Date(0))
  fresh.keep(gate, page, { ...stranger, ...shown }, { sale, payTo })
  expect(fresh.find(gate, page, stranger)).toBeUndefined()
})

it.each<[string, Gate, GatedResource, Visitor]>([
  ['gate', { ...gate }, page, stranger],
  ['profile', gate, { ...page, profile: { ...page.profile } }, stranger],
  ['title', gate, { ...page, description: 'A better page' }, stranger],
  ['preview', gate, { ...page, preview: null }, stranger],
  ['page', gate, { ...page, path: '/u/ada/content/other' }, stranger],
  ['format', gate, page, { ...stranger, mimeType: 'application/json' }],
])('offers nothing of before to another %s', (_what, ofGate, resource, visitor) => {
  expect(offered().sales.find(ofGate, resource, visitor)).toBeUndefined()
})
