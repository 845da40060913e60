import type { EepEventType } from '../../events/catalog.ts'
import type { StoredEvent } from '../../events/store.ts'

/** Modules in which nothing happens that decides what lists show. */
const ELSEWHERE = new Set([
  'accounts',
  'api_keys',
  'commerce',
  'connections',
  'files',
  'oauth',
  'payments',
  'reactions',
  'services',
  'teams',
  'wallets',
])

/** Events after which a list may lack something or have it in another order, and shows nothing that it must not. */
const HARMLESS: readonly string[] = [
  'profiles.profile_created',
  'profiles.profile_restored',
  'content.pages_reordered',
  'content.categories_reordered',
  'gates.entitlement_granted',
  'gates.entitlement_revoked',
] satisfies EepEventType[]

/**
 * Whether, after an event, lists that were made before it may show what must not be seen any more: a profile or page that
 * is gone, hidden or moved, or text that is gated now. Of an event it does not know it says yes.
 */
export function mayHide({ type, profileId, data }: Pick<StoredEvent, 'type' | 'profileId' | 'data'>): boolean {
  const [module = ''] = type.split('.')
  if (profileId === null || ELSEWHERE.has(module) || HARMLESS.includes(type)) return false
  if (type === 'content.page_saved') return data.previousStatus === 'published'
  return true
}
