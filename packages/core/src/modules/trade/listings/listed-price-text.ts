import type { ListingDetails } from '../../../model/listing-details.ts'
import type { PageLanguage } from '../../../model/messages.ts'
import { pricingText } from '../../../model/pricing-text.ts'
import { serviceMessages } from './messages.ts'

/** The price of a listed service in words: `$20.00 / month`. */
export function listedPriceText(page: PageLanguage, { pricing }: Pick<ListingDetails, 'pricing'>): string {
  const say = serviceMessages(page)
  return pricing.model === 'free' ? say('free') : (pricingText(page, pricing) ?? say('onRequest'))
}
