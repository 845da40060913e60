import { steadyRateLimits } from '../defaults/steady-rate-limits.ts'
import { createDispatcher } from '../events/dispatcher.ts'
import type { StoredEvent } from '../events/store.ts'
import type { RateGroup } from '../http/routes.ts'
import { createKeyring } from '../kernel/keyring.ts'
import { createOutbox } from '../modules/accounts/index.ts'
import { LISTINGS, mayHide } from '../modules/discovery/index.ts'
import { createNameHashes, serviceDid, withNameHashes } from '../modules/profiles/index.ts'
import { PRICING } from '../modules/subscriptions/index.ts'
import type { Settings } from '../options.ts'
import { createGuardedFetch } from '../outbound/index.ts'
import { guardStorage } from '../storage/guard.ts'
import { createReadCache } from '../storage/read-cache.ts'

/** Requests per minute of each group (interface, Limits). */
const REQUESTS_PER_MINUTE: Readonly<Record<RateGroup, number>> = {
  auth: 5,
  search: 30,
  files: 10,
  default: 100,
  exempt: 6_000,
}

/** Events about what strangers never read; they leave the read cache alone. */
const isPrivate = (type: string) =>
  /^(payments|connections|commerce|subscriptions|jobs)\./.test(type) || type === 'gates.entitlement_granted'

/** How many mails for a new password, and how many with a code, an account gets, whoever asks for them. */
const MAILS_PER_HOUR = 10

/** How many lists of everything public are kept; a sitemap may have some megabytes. */
const MAX_LISTS = 24

/** Events about an account itself, and not about what it did. */
const isAboutAccount = (type: string) => /^(accounts|wallets|oauth|trust)\./.test(type)

/** What every service stands on: the storage as services see it, the log, caches, keys, counters, and ways out. */
export function createFoundation(settings: Settings) {
  const { storage, clock, publicUrl, logger, mailer } = settings
  const report = (error: unknown, event?: StoredEvent) =>
    event
      ? logger?.error({ err: error, event: event.type, position: event.position }, 'an event was not handled')
      : logger?.error({ err: error }, 'work in the background failed')

  const sight = { isCurrent: () => dispatcher.isCurrent(), silentMs: () => dispatcher.silentMs() }
  const cache = createReadCache(settings.readCacheEntries, sight)
  // Lists are large, so few are kept, and none of them is about one profile.
  const listings = createReadCache(Math.min(settings.readCacheEntries, MAX_LISTS), sight)
  const forget = (event: StoredEvent) => {
    const { type, profileId, accountId } = event
    if (!isPrivate(type) && mayHide(event)) listings.drop(LISTINGS)
    if (profileId !== null && !isPrivate(type)) cache.drop(profileId)
    if (accountId !== null && isAboutAccount(type)) cache.drop(accountId)
    if (type === 'subscriptions.pricing_changed') cache.drop(PRICING)
  }
  const keyring = createKeyring(settings.secrets, settings.signingKeys)
  const nameHashes = createNameHashes(keyring)
  const { read, write } = guardStorage(withNameHashes(storage, nameHashes), clock, (events) => {
    events.forEach(forget)
    dispatcher.wake()
  })
  const dispatcher = createDispatcher({ events: read.events, watch: storage.watch?.bind(storage), onError: report })
  dispatcher.listen(forget)
  const scaled = (limit: number) => Math.max(1, Math.round(limit * settings.rateLimit.multiplier))
  const limits = Object.fromEntries(
    Object.entries(REQUESTS_PER_MINUTE).map(([group, limit]) => [group, scaled(limit)]),
  ) as Record<RateGroup, number>

  const docsUrl = settings.docsUrl.startsWith('/') ? `${publicUrl}${settings.docsUrl}` : settings.docsUrl

  const counters = steadyRateLimits(settings.rateLimit.store, (error) =>
    logger?.error({ err: error }, 'requests are counted by each instance for itself'),
  )
  return {
    settings,
    clock,
    publicUrl,
    logger,
    serviceDid: serviceDid(publicUrl),
    report,
    cache,
    listings,
    read,
    write,
    dispatcher,
    keyring,
    nameHashes,
    scaled,
    limits,
    docsUrl,
    counters,
    outbox: createOutbox({ mailer, logger }),
    mailRate: { store: counters, perHour: scaled(MAILS_PER_HOUR) },
    outbound: createGuardedFetch({ devHosts: settings.devCallbackHosts }),
  }
}

export type Foundation = ReturnType<typeof createFoundation>
