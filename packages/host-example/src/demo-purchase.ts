import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { decodePaymentRequiredHeader, decodePaymentSignatureHeader } from '@x402/core/http'
import { decodePaymentResponseHeader, wrapFetchWithPayment } from '@x402/fetch'
import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from 'jose'
import { formatUnits } from 'viem'
import type { DemoMoney } from './demo-money.ts'
import { type DemoReceiver, signInDemoOwner } from './demo-subscriber.ts'
import { DEMO_PATHS } from './seed.ts'

const USDC_DECIMALS = 6

const newPassword = () => `Aa1${randomBytes(18).toString('base64url')}`
const step = (title: string) => console.log(`\n${title}`)
const show = (...lines: readonly string[]) => {
  for (const line of lines) console.log(`    ${line}`)
}
const content = (markdown: string, lines: number) =>
  show(
    ...markdown
      .replace(/^---\n.*?\n---\n/s, '')
      .trim()
      .split('\n')
      .slice(0, lines)
      .map((line) => `│ ${line}`.trimEnd()),
  )

export interface DemoSetting {
  readonly money: DemoMoney
  /** The data directory of the host. */
  readonly dataDir: string
  /** The webhook receiver of the seller, which the host is allowed to call. */
  readonly receiver: DemoReceiver
}

/** An agent visits the demo and buys its page with the official client, unmodified; a webhook reports the sale to the seller. */
export async function buyDemoPage(host: string, { money, dataDir, receiver }: DemoSetting): Promise<void> {
  const usdc = (atomic: bigint | string) => `${formatUnits(BigInt(atomic), USDC_DECIMALS)} USDC`

  /** Sends a request and prints it. */
  const request = async (path: string, init: RequestInit = {}, status = 200): Promise<Response> => {
    const answer = await fetch(`${host}${path}`, init)
    show(`${init.method ?? 'GET'} ${path}  →  ${answer.status} ${answer.statusText}`)
    assert.equal(answer.status, status, await answer.clone().text())
    return answer
  }

  const post = (body: object, headers: Readonly<Record<string, string>> = {}): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

  step('1. An agent reads a profile. It lists what is there and what it costs.')
  content(await (await request(DEMO_PATHS.profile)).text(), 12)

  step('2. It asks for a page that has a price, and gets the terms.')
  const refusal = await request(DEMO_PATHS.gated, {}, 402)
  const { accepts: offers } = decodePaymentRequiredHeader(refusal.headers.get('payment-required') ?? '')
  // Cards may be offered too.
  const accepts = offers.filter(({ network }) => network.startsWith('eip155:'))
  const { preview } = (await refusal.json()) as { readonly preview: string }
  for (const { amount, network, payTo, maxTimeoutSeconds, extra } of accepts) {
    show(`price    ${usdc(amount)} per ${extra.per}, tier ${extra.tier}, on ${network}`, `pay to   ${payTo}`)
    show(`within   ${maxTimeoutSeconds} s`, `preview  ${preview}`)
  }

  step('3. The owner of the profile subscribes to its sales, with a webhook.')
  const owner = await signInDemoOwner(host, dataDir, newPassword())
  const { did } = (await (
    await fetch(host + DEMO_PATHS.profile, { headers: { accept: 'application/json' } })
  ).json()) as { readonly did: string }
  const wanted = {
    source_did: did,
    event_types: ['gate.*'],
    delivery_method: 'webhook',
    delivery_url: receiver.url,
  }
  const subscribed = await request('/eep/subscribe', post(wanted, { authorization: `Bearer ${owner}` }), 201)
  const { status, delivery_secret: secret } = (await subscribed.json()) as {
    readonly status: string
    readonly delivery_secret: string
  }
  assert.equal(status, 'active')
  show(`status   ${status}: the receiver at ${receiver.url} repeated the challenge`)

  step('4. The agent signs up, so that it can list its receipts.')
  const account = { email: 'agent@example.com', username: 'curious-agent', password: newPassword() }
  const registered = await request('/auth/register', post(account), 201)
  const { token } = (await registered.json()) as { readonly token: string }
  const authorization = `Bearer ${token}`

  step('5. Its client (@x402/fetch, unmodified) receives the 402, signs, and repeats the same request.')
  const [price] = accepts
  assert.ok(price)
  const buyer = await money.newPayer(host, price.asset)
  const balances = async (when: string) => {
    if (!money.balanceOf) return undefined
    const [paid = 0n, received = 0n] = await Promise.all([buyer.address, price.payTo].map(money.balanceOf))
    show(`${when}  buyer ${usdc(paid)}, seller ${usdc(received)}`)
    return paid
  }
  const before = await balances('before ')
  const watched: typeof fetch = async (input, init) => {
    const sent = new Request(input, init)
    const signature = sent.headers.get('payment-signature')
    if (signature) {
      const { payload } = decodePaymentSignatureHeader(signature)
      const { authorization: signed } = payload as { authorization: { from: string; to: string; value: string } }
      show(
        `signed   ${usdc(signed.value)} from ${signed.from}`,
        `         to ${signed.to}, and no gas: the host sends it`,
      )
    }
    const answer = await fetch(sent)
    show(`GET ${DEMO_PATHS.gated}  →  ${answer.status} ${answer.statusText}`)
    return answer
  }
  const buy = wrapFetchWithPayment(watched, buyer.client)
  const bought = await buy(`${host}${DEMO_PATHS.gated}`, { headers: { authorization } })
  assert.equal(bought.status, 200, await bought.clone().text())
  content(await bought.text(), 6)
  const { transaction, success } = decodePaymentResponseHeader(bought.headers.get('payment-response') ?? '')
  assert.ok(success)
  show(`settled  ${transaction}`)
  const after = await balances('after  ')
  if (before !== undefined && after !== undefined) assert.equal(before - after, BigInt(price.amount))

  step('6. The webhook of the owner receives the sale, and checks its signature (standardwebhooks, unmodified).')
  const { type, data: sale } = (await receiver.first(secret)) as {
    readonly type: string
    readonly data: { readonly resource: string; readonly tier: string; readonly valid_until: string }
  }
  assert.equal(type, 'gate.access_granted')
  show(`event    ${type}: verified`, `opens    ${sale.resource} with tier ${sale.tier} until ${sale.valid_until}`)

  step('7. The agent reads the page again and pays nothing: the day is bought.')
  const payer = ['x-eep-payer-wallet', 'x-eep-payer-network'].map(
    (name) => [name, bought.headers.get(name) ?? ''] as const,
  )
  await request(DEMO_PATHS.gated, { headers: Object.fromEntries(payer) })

  step('8. Its receipt proves the purchase to anyone with the public key of the host.')
  const receipts = await request('/eep/payment/receipts', { headers: { authorization } })
  const { data } = (await receipts.json()) as {
    readonly data: readonly (Record<string, unknown> & { readonly signature: string })[]
  }
  const keys = (await (await request('/.well-known/jwks.json')).json()) as JSONWebKeySet
  const [receipt, ...more] = data
  assert.ok(receipt && more.length === 0, 'there is one receipt')
  const { signature, refund: _, ...facts } = receipt
  const { payload, protectedHeader } = await compactVerify(signature, createLocalJWKSet(keys))
  assert.deepEqual(JSON.parse(Buffer.from(payload).toString()), facts)
  show(
    `receipt  ${receipt.receipt_id}`,
    `signed   ${protectedHeader.alg} by key ${protectedHeader.kid}: verified, and its content equals the receipt in the list`,
  )
}
