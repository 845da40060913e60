import type { AudienceRequirement } from './audience.ts'
import { audienceMessages, termMessages } from './common-messages.ts'
import type { PageLanguage } from './messages.ts'
import { moneyText } from './money-text.ts'
import { offerText, termText } from './offer-text.ts'
import type { PageAccess } from './page-access.ts'

/** Names an audience in the language of a page. */
function audienceText(page: PageLanguage, value: string): string {
  const say = audienceMessages(page)
  switch (value) {
    case 'people':
    case 'browsers':
    case 'verified_bots':
    case 'search_engines':
    case 'unverified':
      return say(value)
    case 'purpose:search':
      return say('search')
    case 'purpose:training':
      return say('training')
    case 'purpose:user':
      return say('user')
    default:
      return say('agent', { origin: value.replace('agent:https://', '') })
  }
}

/** Lists the audiences of a requirement in the language of a page: `people with an account and browsers`. */
export const audienceList = (page: PageLanguage, { any_of: names }: AudienceRequirement): string =>
  new Intl.ListFormat(page.language, { type: 'conjunction' }).format(names.map((name) => audienceText(page, name)))

/**
 * Writes what a gated page costs, the same for every reader: `$2.50 for one month`, or `Free for people · $0.01 for programs`. Undefined
 * when neither a payment nor an audience alone opens it.
 */
export function accessText(page: PageLanguage, { price, free_for: free = [] }: PageAccess): string | undefined {
  const isForBrowsers = free.includes('browsers')
  if (!isForBrowsers && !free.includes('people')) return price ? offerText(page, price) : undefined
  const say = termMessages(page)
  if (!price) return say(isForBrowsers ? 'onlyPeople' : 'onlyAccounts')
  const amount = moneyText(page, price.amount, price.currency)
  if (price.per === 'request') return say(isForBrowsers ? 'freeForPeople' : 'freeForAccounts', { amount })
  const term = termText(page, price.per)
  return say(isForBrowsers ? 'freeForPeopleTerm' : 'freeForAccountsTerm', { amount, term })
}
