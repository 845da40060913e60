import { randomUUID } from 'node:crypto'
import type { BillingCheckout } from '@eep/core/ports'
import { sandboxBilling } from '@eep/core/sandbox'
import { type BillingMessage, type BillingProcessorSubject, billingProcessorContract } from '@eep/core/testing'
import * as vitest from 'vitest'
import { createPlayApp } from '../support/play-money.ts'

const TOO_OLD_MS = 301_000

const ORDER = {
  tier: 'pro',
  currency: 'usd',
  priceCents: 0,
  trialDays: 0,
  title: 'Pro',
  email: 'ada@mail.example',
  successUrl: 'https://pages.example/subscribed',
  cancelUrl: 'https://pages.example/pricing',
}

async function subject(): Promise<BillingProcessorSubject> {
  let behindMs = 0
  let losesAnswer = false
  const { storage, books, close } = await createPlayApp({ clock: () => new Date(Date.now() - behindMs) })

  const processor = sandboxBilling({
    storage: {
      ...storage,
      async transaction(work) {
        const result = await storage.transaction(work)
        if (!losesAnswer) return result
        losesAnswer = false
        throw new Error('the answer was lost')
      },
    },
  })

  /** The messages about a change. Throws when it changed nothing. */
  async function messagesOf(changing: ReturnType<typeof books.complete>): Promise<readonly BillingMessage[]> {
    const messages = (await changing)?.messages ?? []
    if (messages.length === 0) throw new Error('nothing changed')
    return messages
  }

  behindMs = TOO_OLD_MS
  const { id } = await processor.openCheckout({ ...ORDER, accountId: randomUUID(), attempt: randomUUID() })
  const [old] = await messagesOf(books.complete(id))
  behindMs = 0

  return {
    processor,
    buy: (page: BillingCheckout) => messagesOf(books.complete(page.id)),
    async endPeriod(subscriptionId, payment) {
      if (payment === 'failed') await books.failNextPayment(subscriptionId)
      return messagesOf(books.endPeriod(subscriptionId))
    },
    end: (subscriptionId) => messagesOf(books.cancel(subscriptionId, 'unpaid')),
    async taken() {
      const plans = await books.list(1_000)
      return plans.reduce((sum, { subscription }) => sum + BigInt(subscription?.takenCents ?? 0), 0n)
    },
    oldMessage() {
      if (!old) throw new Error('there was no message')
      return old
    },
    declineNext: (subscriptionId) => books.failNextPayment(subscriptionId),
    loseAnswer() {
      losesAnswer = true
    },
    close,
  }
}

billingProcessorContract(vitest, subject)
