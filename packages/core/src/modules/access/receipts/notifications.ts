import { z } from 'zod'
import { defineNotification } from '../../../framework/module/define-notification.ts'
import { moneyText } from '../../../model/money-text.ts'
import type { Receipt } from '../../../ports/storage/payments.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import { personProfileOf } from '../../people/teams/index.ts'
import { deliveryFailed, paymentDisputed, paymentSettled } from './events.ts'
import { disputeMessages, saleMessages, undeliveredMessages } from './messages.ts'

const sales = defineNotification({
  kind: 'sale',
  summary: 'Sales',
  email: 'immediately',
  events: [paymentSettled],
  data: z.object({
    resource: z.string(),
    /** The thing sold, as the buyer was shown it. */
    title: z.string(),
    url: z.string(),
    amount: z.object({ decimal: z.string(), currency: z.string() }),
  }),
  async notify({ profileId, data: { receiptId, resource, title, url, amount } }, read) {
    // Sales of the service itself have no profile.
    if (profileId === null) return undefined
    const payer = (await read.receipts.get(receiptId))?.payerAccountId
    return {
      to: { profileId, permission: 'payments.read' },
      // Payers without an account are not known.
      aboutProfileId: payer ? ((await personProfileOf(payer, read)) ?? null) : null,
      groupKey: resource,
      data: { resource, title, url, amount },
    }
  },
  text({ count, about, data: { resource, title, url, amount }, ...reader }) {
    const say = saleMessages(reader)
    const item = title || resource
    const sum = moneyText(reader, amount.decimal, amount.currency)
    const one = about ? say('oneTo', { item, amount: sum, buyer: about.username }) : say('one', { item, amount: sum })
    return { title: count > 1 ? say('many', { count, item }) : one, link: url }
  },
})

/** Returns what a receipt sold, as the buyer was shown it. Undefined when its payment is no longer stored. */
async function titleOf({ receiptId, seller, issuedAt }: Receipt, read: Readers): Promise<string | undefined> {
  const to = new Date(issuedAt.getTime() + 1)
  const page = await read.sales?.list({ profileIds: [seller.profileId], from: issuedAt, to }, { limit: 100 })
  return page?.items.find((sale) => sale.receiptId === receiptId)?.title ?? undefined
}

const disputes = defineNotification({
  kind: 'dispute',
  summary: 'Payments that buyers dispute at their bank',
  email: 'immediately',
  events: [paymentDisputed],
  data: z.object({
    receiptId: z.string(),
    reference: z.string(),
    state: z.enum(['opened', 'won', 'lost']),
    item: z.string(),
    amount: z.object({ decimal: z.string(), currency: z.string() }),
  }),
  async notify({ profileId, data: { receiptId, reference, state } }, read) {
    const receipt = await read.receipts.get(receiptId)
    if (!receipt) return undefined
    const { decimal, currency } = receipt.amount
    const item = (await titleOf(receipt, read)) || receipt.resource
    const notice = {
      // Processors repeat messages.
      groupKey: `${reference}:${state}`,
      data: { receiptId, reference, state, item, amount: { decimal, currency } },
    }
    const operators = { ...notice, to: { administrators: true }, aboutProfileId: profileId } as const
    return profileId === null
      ? operators
      : [{ ...notice, to: { profileId, permission: 'payments.read' } } as const, operators]
  },
  text({ data: { receiptId, reference, state, item, amount }, ...reader }) {
    const say = disputeMessages(reader)
    return {
      title: say(state, { item, amount: moneyText(reader, amount.decimal, amount.currency) }),
      body: [say('reference', { reference, receiptId })],
      link: `/eep/payment/receipts/${encodeURIComponent(receiptId)}`,
      page: null,
    }
  },
})

const undelivered = defineNotification({
  kind: 'undelivered',
  summary: 'Payments for which nothing was delivered',
  email: 'immediately',
  events: [deliveryFailed],
  data: z.object({
    receiptId: z.string(),
    item: z.string(),
    compensation: z.enum(['refund', 'keep']),
    amount: z.object({ decimal: z.string(), currency: z.string() }),
  }),
  async notify({ profileId, data: { receiptId, resource, title, compensation, amount } }) {
    if (profileId === null) return undefined
    return {
      to: { profileId, permission: 'payments.read' },
      aboutProfileId: null,
      groupKey: receiptId,
      data: { receiptId, item: title || resource, compensation, amount },
    }
  },
  text({ data: { receiptId, item, compensation, amount }, ...reader }) {
    const say = undeliveredMessages(reader)
    return {
      title: say(compensation, { item, amount: moneyText(reader, amount.decimal, amount.currency) }),
      link: `/eep/payment/receipts/${encodeURIComponent(receiptId)}`,
      page: null,
    }
  },
})

export const receiptNotifications = [sales, disputes, undelivered] as const
