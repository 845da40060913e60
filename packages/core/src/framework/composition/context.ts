import { logoAddress } from '../../http/html/brand.ts'
import type { RateGroup } from '../../http/routes.ts'
import { createKeyring } from '../../kernel/keyring.ts'
import { mergeProofs } from '../../model/audience-proof.ts'
import { createPermissionTable } from '../../model/permission.ts'
import { PRICING } from '../../modules/access/subscriptions/index.ts'
import { endAddedSteps, passwordResetSteps, takeOverSteps } from '../../modules/account-data.ts'
import { SITE_INDEX } from '../../modules/discovery/discovery/index.ts'
import { coreEventDefinitions } from '../../modules/event-definitions.ts'
import { PROFILE_MEMBERS, serviceDid } from '../../modules/profiles/profiles/index.ts'
import type { StoredEvent } from '../../ports/storage/events.ts'
import { createConsumers } from '../../runtime/consumers/consumers.ts'
import { createOutbox } from '../../runtime/email/outbox.ts'
import { createEmailWriter, type EmailWriterDeps } from '../../runtime/email/write-email.ts'
import { createEventCatalogue, ownershipEvents } from '../../runtime/events/catalogue.ts'
import type { EventDefinition, Invalidation } from '../../runtime/events/define-event.ts'
import { createGuardedFetch } from '../../runtime/outbound/index.ts'
import { localRateLimits } from '../../runtime/rate-limits/local-rate-limits.ts'
import { guardStorage } from '../../runtime/storage/guard.ts'
import { createNameHashes, withNameHashes } from '../../runtime/storage/name-hashes.ts'
import type { CacheSubject } from '../../runtime/storage/read-cache.ts'
import { createMetrics } from '../../runtime/telemetry/metrics.ts'
import { createRequestScope, withRequestId } from '../../runtime/telemetry/request-scope.ts'
import { createTracing } from '../../runtime/telemetry/tracing.ts'
import { createCaches } from '../module/caches.ts'
import type { BaseContext } from '../module/context.ts'
import type { Module } from '../module/define-module.ts'
import type { Settings } from '../options/options.ts'
import { checkMessages } from './check-messages.ts'
import { checkNames } from './check-names.ts'
import { metricsOf, observeShared, recentWorkload } from './metrics.ts'
import { moneyKindOfService } from './money-kind.ts'
import { observedRails } from './observed-rails.ts'
import { readPlanLimits } from './plan-limits.ts'
import { createFailureReport } from './report-failure.ts'

/** Requests per minute of each rate group. */
const REQUESTS_PER_MINUTE: Readonly<Record<RateGroup, number>> = {
  auth: 5,
  search: 30,
  files: 10,
  default: 100,
  exempt: 6_000,
}

/** The maximum number of emails of one kind, such as password resets, per account and hour. */
const EMAILS_PER_HOUR = 10

/** The rate groups of the service, as modules lower them, and those of modules. */
function rateGroupsOf(modules: readonly Module[]): Readonly<Record<string, number>> {
  const groups: Record<string, number> = { ...REQUESTS_PER_MINUTE }
  for (const { rateGroupCaps = {} } of modules) {
    for (const [group, cap] of Object.entries(rateGroupCaps)) groups[group] = Math.min(cap, groups[group] ?? cap)
  }
  return Object.assign(groups, ...modules.map(({ limits }) => limits))
}

/**
 * Creates what all modules share: the guarded storage, the event log, caches, keys, counters and the outbox.
 *
 * @throws MoneyKindError when rails and modules take several kinds of money
 * @param known - every module, for the definitions of events: the log may contain events of modules that are off now
 * @param modules - the modules that are on
 */
export function createContext(settings: Settings, known: readonly Module[], modules: readonly Module[]): BaseContext {
  checkNames(known, { 'rate group': Object.keys(REQUESTS_PER_MINUTE), 'part of profiles': PROFILE_MEMBERS })
  checkMessages(known)
  const { storage, clock, publicUrl, email, http, limits, payments } = settings
  const moneyKind = moneyKindOfService(payments.rails, modules)
  const requestScope = createRequestScope()
  const logger = withRequestId(settings.logger, requestScope)
  const report = createFailureReport(logger, clock)

  const tracing = createTracing(settings.tracing.tracer)
  const metrics = createMetrics(settings.metrics.registry, metricsOf(modules))
  const sight = { isCurrent: () => consumers.isCurrent(), silentMs: () => consumers.silentMs() }
  const caches = createCaches(limits.readCacheEntries, sight)
  // The log may contain events of features that are not imported.
  const definitions = new Set<EventDefinition>([...coreEventDefinitions, ...known.flatMap(({ events }) => events)])
  const catalogue = createEventCatalogue([...definitions])
  const scopes = modules.flatMap((each) => (each.isConfigured === false ? [] : each.scopes))
  const dropAll = (subject: CacheSubject) => {
    caches.documents.drop(subject)
    caches.responses.drop(subject)
  }
  const drop: Readonly<Record<Invalidation, (event: StoredEvent) => void>> = {
    profile: ({ profileId }) => profileId !== null && dropAll(profileId),
    account: ({ accountId }) => accountId !== null && dropAll(accountId),
    lists: () => caches.lists.drop(SITE_INDEX),
    pricing: () => caches.documents.drop(PRICING),
  }
  const profileParts = modules.flatMap(({ profilePart: part, name: module, isOfHost = false }) =>
    part ? [{ part, module, isOfHost }] : [],
  )
  const changingParts = new Set(profileParts.flatMap(({ part }) => part.invalidatedBy?.map(({ type }) => type) ?? []))
  const invalidate = (event: StoredEvent) => {
    for (const what of catalogue.invalidations(event)) drop[what](event)
    if (changingParts.has(event.type)) drop.profile(event)
  }
  const keyring = createKeyring(settings.secrets, settings.signingKeys)
  const nameHashes = createNameHashes(keyring)
  const { read, write } = guardStorage(
    withNameHashes(storage, nameHashes),
    clock,
    (events) => {
      events.forEach(invalidate)
      metrics.countEvents(events)
      consumers.wake()
    },
    // Types check payloads already, and a mistake they cannot detect must not fail a payment.
    { checkEvents: process.env.NODE_ENV !== 'production', metrics, tracing, actingApp: requestScope.actingApp },
  )
  const consumers = createConsumers({
    events: read.events,
    write,
    watch: storage.watch?.bind(storage),
    onError: report,
    onHeldBack: (heldBackMs) =>
      logger?.warn({ heldBackMs }, 'events are delayed by a long-running transaction; none is lost'),
  })
  consumers.liveUnordered(invalidate)
  const workload = recentWorkload(storage)
  observeShared(metrics, {
    storage,
    consumers,
    caches: { documents: caches.documents, lists: caches.lists, answers: caches.responses },
    workload,
  })
  const scaled = (limit: number) => Math.max(1, Math.round(limit * limits.rateLimit.multiplier))
  const groups = rateGroupsOf(modules)
  const counters = localRateLimits(limits.rateLimit.store, (error) =>
    logger?.warn({ err: error }, 'rate limit store unavailable; limits apply per instance'),
  )

  const planLimits = readPlanLimits(settings.limits.plans, { known, on: modules })

  return {
    planLimits,
    settings: {
      ...settings,
      logger,
      planLimits,
      payments: { ...payments, rails: observedRails(payments.rails, metrics, tracing) },
    },
    moneyKind,
    clock,
    publicUrl,
    name: settings.name,
    logger,
    metrics,
    requestScope,
    tracing,
    workload,
    serviceDid: serviceDid(publicUrl),
    docsUrl: payments.docsUrl.startsWith('/') ? `${publicUrl}${payments.docsUrl}` : payments.docsUrl,
    report,
    cache: caches.documents,
    caches,
    read,
    write,
    consumers,
    catalogue,
    eventDelivery: modules.flatMap(({ eventDelivery = [] }) => eventDelivery).toSorted(),
    eventTypePrefix: modules.find(({ eventTypePrefix }) => eventTypePrefix)?.eventTypePrefix ?? '',
    identityProviders: modules.flatMap(({ identityProviders = [] }) => identityProviders),
    readerProofs: mergeProofs(modules.flatMap(({ provesReaders = [] }) => provesReaders)),
    hasNotificationEmails: modules.some((each) => each.sendsNotifications),
    profileParts,
    activeEvents: modules.flatMap(({ events }) => events),
    notificationKinds: modules.flatMap(({ notifications }) => notifications),
    changelogTypes: catalogue.definitions.filter(({ changelog }) => changelog).map(({ type }) => type),
    listen: consumers.live,
    keyring,
    nameHashes,
    scaled,
    limits: Object.fromEntries(Object.entries<number>(groups).map(([group, limit]) => [group, scaled(limit)])),
    scopes: scopes.filter(({ only }) => only !== 'apps').map(({ name }) => name),
    scopeDefinitions: new Map(scopes.map((scope) => [scope.name, scope])),
    knownScopes: new Set(known.flatMap(({ scopes }) => scopes.map(({ name }) => name))),
    ...createPermissionTable(known),
    takeOvers: [
      // Of every group: what a feature stored must not grant access when it is imported again.
      ...takeOverSteps(storage.groups),
      // Of hosts.
      ...known
        .filter(({ stores }) => stores.every((group) => storage.groups.includes(group)))
        .flatMap(({ takeOverAccount }) => takeOverAccount ?? []),
    ],
    endAdded: endAddedSteps(storage.groups),
    passwordResets: passwordResetSteps(storage.groups),
    // Includes modules that are switched off, which may have transferred profiles before.
    ownership: ownershipEvents([...definitions]),
    counters,
    outbox: createOutbox({
      mailer: email.mailer,
      write: emailWriter({ ...settings, logger }, known, moneyKind === 'sandbox'),
      logger,
      metrics,
    }),
    emailRate: { store: counters, perHour: scaled(EMAILS_PER_HOUR) },
    outbound: createGuardedFetch({ allowPrivateHosts: http.allowPrivateHosts, metrics, tracing }),
    cookies: http.cookies,
    trustedOrigins: [new URL(publicUrl).origin, ...http.trustedOrigins],
  }
}

/** @throws TypeError when a host has a template for a kind that no module defines */
function emailWriter(
  { email, pages, name: service, publicUrl, logger }: Settings,
  known: readonly Module[],
  isSandbox: boolean,
) {
  const { language, imprint, templates = {} } = email
  const kinds = known.flatMap(({ emails }) => emails.map(({ kind }) => kind))
  const unknown = Object.keys(templates).find((kind) => !kinds.includes(kind))
  if (unknown !== undefined)
    throw new TypeError(`email.templates: unknown kind of email "${unknown}"; known are ${kinds.toSorted().join(', ')}`)
  // The option requires a function for each kind.
  const functions = templates as EmailWriterDeps['templates']
  const logo =
    pages.logoPath === undefined
      ? pages.logoFile && new URL(`${publicUrl}${logoAddress(pages.logoFile)}`)
      : new URL(pages.logoPath, publicUrl)
  // Email programs do not show SVG images.
  const logoUrl = logo?.pathname.endsWith('.svg') ? undefined : logo?.href
  return createEmailWriter({
    service,
    language,
    translations: pages.translations,
    logoUrl: email.logoUrl ?? logoUrl,
    theme: pages.theme,
    imprint,
    imprintUrl: pages.imprintUrl && new URL(pages.imprintUrl, publicUrl).href,
    templates: functions,
    isSandbox,
    logger,
  })
}
