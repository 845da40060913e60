import assert from 'node:assert/strict'
import type { BillingProcessor } from '../../ports/billing-processor.ts'
import type { BillingMessage } from '../cash/fake-billing.ts'
import { bought, has, type Story } from './shared.ts'

const read = (processor: BillingProcessor, { body, headers }: BillingMessage) =>
  processor.readMessage(Buffer.from(body), headers)

const isInvalid = has('invalid_message')

/** Webhook messages, genuine and forged. */
export const listening: Story = (it, bench) => {
  it('reads the same subscription from a message each time', async () => {
    const { processor } = bench()
    const { id, messages } = await bought(bench())
    const events = [...messages, ...(await bench().end(id))].flatMap((message) => {
      const event = read(processor, message)
      assert.deepEqual(read(processor, message), event)
      return event ?? []
    })
    assert.ok(events.length >= 2, 'messages report the purchase and the end')
    for (const event of events) assert.equal(event.subscriptionId, id)
    assert.equal(new Set(events.map((event) => event.id)).size, events.length, 'two messages have different ids')
  })

  it('reads whether an invoice was paid, and its amount', async () => {
    const { processor } = bench()
    const { id, order } = await bought(bench())
    const bills = async (payment: 'paid' | 'failed') =>
      (await bench().endPeriod(id, payment)).flatMap((message) => read(processor, message)?.invoice ?? [])
    const [paid] = await bills('paid')
    assert.ok(paid?.paid)
    assert.equal(paid.amountCents, order.priceCents)
    const [failed] = await bills('failed')
    assert.equal(failed?.paid, false)
    assert.equal(failed?.amountCents, order.priceCents)
    assert.ok(failed && failed.attempt >= 1 && failed.id !== paid.id)
  })

  it('rejects a message that is changed, unsigned, or signed with another secret', async () => {
    const { processor } = bench()
    const { messages } = await bought(bench())
    const [message, other] = messages
    assert.ok(message && other)
    const spoiled: readonly BillingMessage[] = [
      { ...message, body: `${message.body} ` },
      { ...message, body: '' },
      { ...message, headers: {} },
      { ...message, headers: other.headers },
      ...Object.entries(message.headers).map(([name, value]) => ({
        ...message,
        headers: Object.fromEntries(Object.keys(message.headers).map((key) => [key, key === name ? '' : `x${value}`])),
      })),
    ]
    for (const one of spoiled) assert.throws(() => read(processor, one), isInvalid, JSON.stringify(one))
  })

  it('rejects a message that was signed too long ago', () => {
    const old = bench().oldMessage?.()
    if (old) assert.throws(() => read(bench().processor, old), isInvalid)
  })

  it('rejects every message when no secret is configured', async () => {
    const { withoutSecret } = bench()
    if (!withoutSecret) return
    const { messages } = await bought(bench())
    for (const message of messages) assert.throws(() => read(withoutSecret, message), isInvalid)
  })

  it('ignores messages about other objects', () => {
    for (const message of bench().foreign?.() ?? []) assert.equal(read(bench().processor, message), undefined)
  })
}
