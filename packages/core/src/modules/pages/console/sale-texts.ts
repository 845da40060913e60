import { type Html, html } from '../../../http/html/html.ts'
import { hrefOn, type Site } from '../../../http/html/view.ts'
import { moneyText } from '../../../model/money-text.ts'
import type { SellerCustomer } from '../../access/receipts/index.ts'
import { salesScreenMessages } from './messages.ts'

/** Writes who bought, without an email address. */
export function customerHtml(site: Site, customer: SellerCustomer): Html {
  const say = salesScreenMessages(site)
  switch (customer.kind) {
    case 'account': {
      const { profile } = customer
      if (!profile) return html`${say('reader')}`
      return html`<a href="${hrefOn(site, `/u/${profile.username}`)}"><bdi>${profile.fullName ?? profile.username}</bdi></a>`
    }
    case 'agent':
      return html`<bdi>${customer.did}</bdi>`
    case 'wallet':
      return html`<code>${customer.wallet}</code>`
    case 'card':
      return html`${say('cardBuyer', { number: String(customer.number) })}`
    case 'erased':
      return html`${say('erased')}`
  }
}

/** Writes an amount of the smallest unit, which may be negative, as money. */
export function atomicText(site: Site, atomic: string | bigint, decimals: number, currency: string): string {
  const amount = BigInt(atomic)
  const digits = String(amount < 0n ? -amount : amount).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const decimal = decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`
  return moneyText(site, amount < 0n ? `-${decimal}` : decimal, currency)
}
