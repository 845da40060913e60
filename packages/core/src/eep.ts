import { steadyRateLimits } from './defaults/steady-rate-limits.ts'
import type { EepEvent, EepEventType } from './events/catalog.ts'
import { createDispatcher } from './events/dispatcher.ts'
import { createFollower, type Follower, type FollowOptions } from './events/follower.ts'
import type { StoredEvent } from './events/store.ts'
import type { HttpEnvironment } from './http/environment.ts'
import { createHttpPlugin } from './http/plugin.ts'
import { RATE_WINDOW_MS } from './http/rate-limit.ts'
import type { RateGroup } from './http/routes.ts'
import { createKeyring } from './kernel/keyring.ts'
import {
  accountRoutes,
  createAccountService,
  createHostUsers,
  createOutbox,
  createPurge,
  TIERS,
} from './modules/accounts/index.ts'
import { adminRoutes, createAdminService } from './modules/admin/index.ts'
import { createAgentService, createDidResolver, didDocumentSchema } from './modules/agents/index.ts'
import { apiKeyRoutes, createApiKeyService } from './modules/api-keys/index.ts'
import { commerceRoutes, createNegotiationService, createOfferExpiry } from './modules/commerce/index.ts'
import { connectionRoutes, createConnectionService } from './modules/connections/index.ts'
import {
  accessTo,
  contentPath,
  contentRoutes,
  createContentService,
  createGatedPages,
} from './modules/content/index.ts'
import { createDiscoveryService, discoveryRoutes, LISTINGS, mayHide } from './modules/discovery/index.ts'
import { createDocumentService, documentRoutes } from './modules/documents/index.ts'
import { createFileService, createFileSweeper, fileRoutes } from './modules/files/index.ts'
import {
  createEntitlementService,
  createGateService,
  createVisitorFacts,
  entitlementRoutes,
  gateRoutes,
  processorRoutes,
  x402Routes,
} from './modules/gates/index.ts'
import { createIdempotencyService } from './modules/idempotency/index.ts'
import { createJobService, jobRoutes } from './modules/jobs/index.ts'
import { createMediaService, mediaRoutes } from './modules/media/index.ts'
import { createOAuthService, oauthRoutes } from './modules/oauth/index.ts'
import {
  createPaymentService,
  createReconciler,
  createRefunds,
  createSalesService,
  messageRoutes,
  paymentRoutes,
} from './modules/payments/index.ts'
import { createOwnProfiles, createProfileService, profileRoutes, serviceDid } from './modules/profiles/index.ts'
import { createReactionService, reactionRoutes } from './modules/reactions/index.ts'
import { createCatalogueService, createReviewService, serviceRoutes } from './modules/services/index.ts'
import {
  createPaidYears,
  createPaidYearTurns,
  createPricing,
  createSubscriptionService,
  createYearDelivery,
  PRICING,
  subscriptionRoutes,
  usdcRoutes,
} from './modules/subscriptions/index.ts'
import { createTeamService, teamRoutes } from './modules/teams/index.ts'
import { createTrustService, trustRoutes } from './modules/trust/index.ts'
import {
  createPayoutService,
  createSignIns,
  createWalletService,
  payoutRoutes,
  walletRoutes,
} from './modules/wallets/index.ts'
import { type EepOptions, readOptions } from './options.ts'
import { createGuardedFetch } from './outbound/index.ts'
import { guardStorage } from './storage/guard.ts'
import { createReadCache } from './storage/read-cache.ts'

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

/** After how many wrong passwords for one mail address those who gave them are sent away for a while. */
const WRONG_PASSWORDS = 20

/** How many offers one buyer makes in an hour. */
const OFFERS_PER_HOUR = 60

/** How many reviews of one profile are written in a day. */
const REVIEWS_A_DAY = { perBuyer: 5, perProfile: 100 }

/** How often the bytes of files are removed that are gone, unless accounts are removed more often. */
const FILES_SWEPT_MS = 60_000

/** How many lists of everything public are kept; a sitemap may have some megabytes. */
const MAX_LISTS = 24

/** Events about an account itself, and not about what it did. */
const isAboutAccount = (type: string) =>
  type.startsWith('accounts.') || type.startsWith('wallets.') || type.startsWith('oauth.')

type Handlers = { readonly [Type in EepEventType]?: (event: EepEvent<Type>) => void | Promise<void> }

/**
 * Builds the service without HTTP: every part once, each from those above it. Register {@link Eep.http} on a Fastify
 * server to give it a door, or use its services as plain functions.
 *
 * @throws TypeError that names each option that is wrong
 */
export function createEep(options: EepOptions) {
  const settings = readOptions(options)
  const { storage, clock, publicUrl, logger, rails, hooks, identity, mailer, blobs, tierFacts } = settings
  const report = (error: unknown, event?: StoredEvent) =>
    logger?.error({ err: error, event: event?.type, position: event?.position }, 'an event was not handled')

  const cache = createReadCache(settings.readCacheEntries, () => dispatcher.isCurrent())
  // Lists are large, so few are kept, and none of them is about one profile.
  const listings = createReadCache(Math.min(settings.readCacheEntries, MAX_LISTS), () => dispatcher.isCurrent())
  const forget = (event: StoredEvent) => {
    const { type, profileId, accountId } = event
    if (!isPrivate(type) && mayHide(event)) listings.drop(LISTINGS)
    if (profileId !== null && !isPrivate(type)) cache.drop(profileId)
    if (accountId !== null && isAboutAccount(type)) cache.drop(accountId)
    if (type === 'subscriptions.pricing_changed') cache.drop(PRICING)
  }
  const { read, write } = guardStorage(storage, clock, (events) => {
    events.forEach(forget)
    dispatcher.wake()
  })
  const dispatcher = createDispatcher({ events: read.events, watch: storage.watch?.bind(storage), onError: report })
  dispatcher.listen(forget)
  const keyring = createKeyring(settings.secrets, settings.signingKeys)
  const scaled = (limit: number) => Math.max(1, Math.round(limit * settings.rateLimit.multiplier))
  const limits = Object.fromEntries(
    Object.entries(REQUESTS_PER_MINUTE).map(([group, limit]) => [group, scaled(limit)]),
  ) as Record<RateGroup, number>

  const docsUrl = settings.docsUrl.startsWith('/') ? `${publicUrl}${settings.docsUrl}` : settings.docsUrl

  const counters = steadyRateLimits(settings.rateLimit.store, (error) =>
    logger?.error({ err: error }, 'requests are counted by each instance for itself'),
  )
  const outbox = createOutbox({ mailer, logger })
  const mailRate = { store: counters, perHour: scaled(MAILS_PER_HOUR) }
  const accounts = createAccountService({
    read,
    write,
    clock,
    keyring,
    publicUrl,
    hooks,
    name: settings.name,
    hashing: settings.passwordHashing,
    adminEmails: settings.adminEmails,
    lifetimes: settings.lifetimes,
    outbox,
    links: settings.links,
    mailRate,
    guessLimit: { store: counters, failures: scaled(WRONG_PASSWORDS) },
  })
  const profiles = createProfileService({ read, write, clock, cache, keyring, publicUrl })
  const ownProfiles = createOwnProfiles({ read, profiles })
  const teams = createTeamService({
    read,
    write,
    clock,
    profiles,
    outbox,
    name: settings.name,
    links: settings.links,
    mailRate,
  })
  const outbound = createGuardedFetch({ devHosts: settings.devCallbackHosts })
  const dids = createDidResolver({
    fetch: outbound,
    clock,
    devHosts: settings.devCallbackHosts,
    // Our own are read where they are kept, and a private one is nobody's to resolve.
    own: async (did) => {
      const profile = await profiles.byDid(did).catch(() => undefined)
      if (!profile) return undefined
      const { didDocument } = await profiles.getDidDocument(profile.type, profile.username)
      return didDocumentSchema.parse(didDocument)
    },
  })
  const agents = createAgentService({ read, write, clock, dids })
  const hostUsers = createHostUsers({ read, write, clock, hooks, mailer, logger })
  const apiKeys = createApiKeyService({ read, write, clock, profiles, onError: report })
  const onFileTrouble = (error: unknown) =>
    logger?.error({ err: error }, 'blobs of files could not be removed; it is tried again')
  const files = createFileService({
    read,
    write,
    clock,
    cache,
    profiles,
    tierFacts,
    blobs,
    images: settings.images,
    scanning: settings.scanner && {
      scanner: settings.scanner,
      onInfected: (found) => logger?.warn(found, 'an infected file was refused'),
      onTrouble: (error) => logger?.error({ err: error }, 'a file was refused because it could not be scanned'),
    },
    onError: onFileTrouble,
  })
  const jobs = createJobService({
    read,
    write,
    clock,
    queue: storage.queue,
    settings: settings.jobs,
    listen: dispatcher.listen,
    onError: (error, job) => logger?.error({ err: error, job: job?.id, kind: job?.kind }, 'a job needs another try'),
  })
  settings.jobs.kinds.forEach(jobs.define)
  const media = createMediaService({
    read,
    write,
    clock,
    cache,
    files,
    profiles,
    jobs,
    tierFacts,
    transcriber: settings.transcriber,
    onShort: (details) => logger?.warn(details, 'a recording took more minutes than its owner had left'),
  })
  const documents = createDocumentService({
    read,
    write,
    clock,
    cache,
    files,
    jobs,
    publicUrl,
    converter: settings.converter,
    waitMs: settings.conversionWaitMs,
  })
  const content = createContentService({ read, write, clock, cache, profiles, hooks })
  const reactions = createReactionService({ read, write, clock, content })
  const connections = createConnectionService({ read, write, clock, profiles, ownProfiles })
  const trust = createTrustService({ read, clock, cache, profiles })
  const signIns = createSignIns({
    write,
    clock,
    keys: keyring.shared('sign-in-with-x'),
    verifier: settings.wallets,
  })
  const yearDelivery = createYearDelivery({
    clock,
    onTrouble: (error, receiptId) => logger?.error({ err: error, receiptId }, 'a paid year needs another look'),
  })
  const payments = createPaymentService({
    read,
    write,
    clock,
    keyring,
    rails,
    hooks,
    docsUrl,
    signIns,
    serviceDid: serviceDid(publicUrl),
    signedOffers: settings.signedOffers,
    issuer: { name: settings.name, publicUrl },
    challengeOrder: settings.challengeOrder,
    leaseMs: settings.settlementLeaseMs,
    commissionBps: (tier) => tierFacts(tier).commissionBps,
    deliverOwn: (sold, tx, emit) => yearDelivery.deliver(sold, tx, emit),
    onTrouble: (error, { id, rail }) =>
      logger?.error({ err: error, payment: id, rail }, 'a payment needs another look'),
  })
  const oauth = createOAuthService({
    read,
    write,
    clock,
    hooks,
    accounts,
    providers: settings.providers,
    publicUrl,
  })
  const wallets = createWalletService({
    read,
    write,
    clock,
    verifier: settings.wallets,
    siteUrl: settings.frontendUrl,
  })
  const payouts = createPayoutService({ read, write, clock, cache, rails })
  const gates = createGateService({
    read,
    write,
    clock,
    cache,
    keyring,
    profiles,
    payments,
    payouts,
    signIns,
    payerProof: settings.payerProof,
    publicUrl,
    serviceDid: serviceDid(publicUrl),
    hooks,
    facts: { dids, ...createVisitorFacts({ read, profiles, trust, connections }) },
    verifiers: settings.requirementVerifiers,
  })
  const discovery = createDiscoveryService({
    settings,
    read,
    clock,
    cache: listings,
    content: { accessTo, contentPath },
    docsUrl,
    keyring,
    rates: {
      windowSeconds: RATE_WINDOW_MS / 1000,
      groups: limits,
      keys: Object.fromEntries(TIERS.map((tier) => [tier, scaled(tierFacts(tier).apiRequestsPerMinute)])),
    },
  })
  const idempotency = createIdempotencyService({ write, clock, keyring, keptMs: settings.idempotencyMs })
  const sales = createSalesService({ read, profiles, refunds: createRefunds({ read, write, clock, rails }) })
  const entitlements = createEntitlementService({ read, write, clock, profiles })
  const catalogue = createCatalogueService({ read, write, clock, cache, profiles })
  const reviews = createReviewService({
    read,
    write,
    clock,
    profiles,
    ownProfiles,
    limit: { store: counters, ...REVIEWS_A_DAY },
  })
  const negotiations = createNegotiationService({
    read,
    write,
    clock,
    profiles,
    ownProfiles,
    offerLimit: { store: counters, perHour: scaled(OFFERS_PER_HOUR) },
  })
  const offerExpiry = createOfferExpiry({ negotiations, onError: report })
  const reconciler = createReconciler({ payments, onError: report, everyMs: settings.settlementLeaseMs / 2 })
  const pricing = createPricing({ read, write, clock, cache })
  const subscriptions = createSubscriptionService({
    read,
    write,
    clock,
    pricing,
    tierFacts,
    logger,
    billing: settings.billing,
    cancelMode: settings.billingCancel,
    links: settings.links,
  })
  const paidYears = createPaidYears({
    read,
    clock,
    keyring,
    payments,
    pricing,
    tierFacts,
    publicUrl,
    serviceDid: serviceDid(publicUrl),
    async ownsDid(account, did) {
      const profile = await profiles.byDid(did).catch(() => undefined)
      return profile?.ownerAccountId === account.id
    },
  })
  const paidYearTurns = createPaidYearTurns({
    read,
    write,
    clock,
    outbox,
    tierFacts,
    delivery: yearDelivery,
    service: settings.name,
    link: settings.links.pricing,
    onError: report,
    everyMs: settings.purgeEveryMs,
  })
  const admin = createAdminService({ read, write, clock, adminEmails: settings.adminEmails })
  // At once; should this fail, the sweep does it.
  dispatcher.listen(({ type, accountId }) =>
    type === 'accounts.deletion_scheduled' && accountId !== null
      ? subscriptions.departures.leave(accountId)
      : undefined,
  )
  const purge = createPurge({
    read,
    write,
    eraseReceipts: payments.erase,
    endSubscriptions: subscriptions.departures.end,
    mailer,
    logger,
    everyMs: settings.purgeEveryMs,
  })
  const fileSweeper =
    blobs &&
    createFileSweeper({
      read,
      write,
      clock,
      blobs,
      onError: onFileTrouble,
      everyMs: Math.min(settings.purgeEveryMs, FILES_SWEPT_MS),
    })
  const services = {
    accounts,
    hostUsers,
    apiKeys,
    profiles,
    ownProfiles,
    teams,
    files,
    media,
    documents,
    jobs,
    content,
    reactions,
    connections,
    trust,
    gates,
    payments,
    sales,
    entitlements,
    catalogue,
    reviews,
    negotiations,
    pricing,
    subscriptions,
    paidYears,
    admin,
    oauth,
    wallets,
    payouts,
    discovery,
  }

  const environment: HttpEnvironment = {
    publicUrl,
    name: settings.name,
    description: settings.description,
    trustedOrigins: [new URL(publicUrl).origin, ...settings.trustedOrigins],
    authenticators: {
      session: accounts.authenticate,
      apiKey: apiKeys.authenticate,
      ...(identity && {
        async host(headers) {
          const user = await identity.authenticate({ headers })
          return user && hostUsers.authenticate(user)
        },
      }),
    },
    verifyAgent: agents.verify,
    trustStateOf: trust.stateOf,
    rateLimits: {
      store: counters,
      limits,
      keyLimit: (tier) => scaled(tierFacts(tier).apiRequestsPerMinute),
    },
    cookies: { secure: publicUrl.startsWith('https:') },
    idempotency,
    troubles,
  }
  const http = createHttpPlugin(environment, (app, registered) => {
    accountRoutes(app, services, { cookies: environment.cookies, passwords: identity === undefined })
    apiKeyRoutes(app, services)
    if (!identity) oauthRoutes(app, services, { ...environment, frontendUrl: settings.frontendUrl })
    walletRoutes(app, services)
    payoutRoutes(app, services)
    profileRoutes(app, services, { typeData: settings.typeData, tierFacts })
    teamRoutes(app, services)
    fileRoutes(app, services)
    mediaRoutes(app, services)
    documentRoutes(app, services)
    jobRoutes(app, services)
    contentRoutes(app, services)
    reactionRoutes(app, services)
    connectionRoutes(app, services)
    trustRoutes(app, services)
    gateRoutes(app, services)
    paymentRoutes(app, services)
    entitlementRoutes(app, services)
    serviceRoutes(app, services)
    commerceRoutes(app, services)
    subscriptionRoutes(app, services, { tierFacts })
    usdcRoutes(app, services)
    adminRoutes(app, services)
    const sellers = { gates, payments, gatedPage: createGatedPages(services) }
    processorRoutes(app, sellers, environment)
    x402Routes(app, sellers, { publicUrl, serviceDid: serviceDid(publicUrl), keyring, clock })
    messageRoutes(app, services)
    discoveryRoutes(app, services, { siteFiles: settings.siteFiles, registered })
  })

  const followers = new Set<Follower>()
  let state: 'idle' | 'running' | 'stopped' = 'idle'
  let starting: Promise<void> | undefined

  async function troubles() {
    if (state !== 'running') return { service: state === 'idle' ? 'not started' : 'stopping' }
    const parts: [string, (() => Promise<void>) | undefined][] = [
      ['storage', () => storage.ping()],
      ['files', blobs?.ping?.bind(blobs)],
      ['billing', settings.billing?.ping?.bind(settings.billing)],
      ...rails.map((rail): [string, (() => Promise<void>) | undefined] => [rail.id, rail.ping?.bind(rail)]),
    ]
    const found = await Promise.all(
      parts.map(async ([name, ping]) => {
        try {
          await ping?.()
          return []
        } catch (error) {
          logger?.warn({ err: error, part: name }, 'not ready')
          return [[name, 'unavailable']]
        }
      }),
    )
    return Object.fromEntries(found.flat())
  }

  async function begin() {
    await dispatcher.start()
    state = 'running'
    reconciler.start()
    offerExpiry.start()
    purge.start()
    subscriptions.sweep?.start()
    paidYearTurns.start()
    fileSweeper?.start()
    await jobs.start()
    apiKeys.uses.start()
    for (const follower of followers) follower.start()
  }

  return {
    ...services,
    /** The routes as a Fastify plugin; register it once for each listener and prefix. */
    http,
    publicUrl,
    /** Starts background work: following the log, finishing payments, removing accounts. Safe to call twice. */
    start: () => (starting ??= begin()),
    /** Says not ready from now on; requests are still served. */
    drain() {
      if (state === 'running') state = 'stopped'
    },
    /** Ends background work. The storage stays the host's to close. */
    async stop() {
      state = 'stopped'
      await starting?.catch(() => undefined)
      await jobs.stop()
      await documents.stop()
      await Promise.all([...followers].map((follower) => follower.stop()))
      await reconciler.stop()
      await offerExpiry.stop()
      await purge.stop()
      await subscriptions.sweep?.stop()
      await paidYearTurns.stop()
      await fileSweeper?.stop()
      await outbox.close()
      await apiKeys.uses.stop()
      await dispatcher.stop()
      await outbound.close()
      await Promise.all([
        counters.close?.(),
        blobs?.close?.(),
        settings.transcriber?.close?.(),
        ...rails.map((rail) => rail.close?.()),
        settings.billing?.close?.(),
      ])
    },
    /**
     * Hears of events as they happen, on this instance from now on and after commit; what it throws is logged and undoes
     * nothing. Returns how to stop. For work that must not be missed see {@link Eep.follow}.
     */
    on<Type extends EepEventType>(type: Type, listener: (event: EepEvent<Type>) => void | Promise<void>) {
      return dispatcher.listen((event) =>
        event.type === type ? listener(event as unknown as EepEvent<Type>) : undefined,
      )
    },
    /**
     * Handles events durably under a name: each at least once and in order, by one instance at a time, from where the
     * last one stopped. A handler that throws gets the event again.
     */
    follow(name: string, handlers: Handlers, { from = 'now' }: FollowOptions = {}) {
      const handle = async (event: StoredEvent) => {
        const handler = handlers[event.type as EepEventType] as ((event: unknown) => void | Promise<void>) | undefined
        await handler?.(event)
      }
      const start = from === 'start' ? 0 : dispatcher.position()
      const follower = createFollower(name, handle, { events: read.events, write, onError: report, start })
      followers.add(follower)
      const unlisten = dispatcher.listen(() => follower.wake())
      if (state === 'running') follower.start()
      return async () => {
        unlisten()
        followers.delete(follower)
        await follower.stop()
      }
    },
  }
}

/** The service. */
export type Eep = ReturnType<typeof createEep>
