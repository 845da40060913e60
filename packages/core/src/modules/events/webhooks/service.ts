import { randomBytes } from 'node:crypto'
import { canonicalJson, sha256 } from '../../../kernel/digest.ts'
import { DAY_MS } from '../../../kernel/durations.ts'
import { invalidTransition, sessionRequired, validationFailed } from '../../../kernel/errors.ts'
import { asJson } from '../../../kernel/json.ts'
import type { Keyring } from '../../../kernel/keyring.ts'
import type { Page, PageRequest } from '../../../kernel/page.ts'
import { pathBelow } from '../../../kernel/public-url.ts'
import { type Caller, isLimited, isLimitedWithoutKey } from '../../../model/caller.ts'
import type { PlanTable } from '../../../model/plan.ts'
import type {
  Webhook,
  WebhookAttempt,
  WebhookFormat,
  WebhookHealth,
  WebhookStatus,
  WebhookTerms,
} from '../../../ports/storage/webhooks.ts'
import type { GuardedFetch } from '../../../runtime/outbound/index.ts'
import type { LocalRateLimits } from '../../../runtime/rate-limits/local-rate-limits.ts'
import { lockCaller } from '../../../runtime/storage/lock-caller.ts'
import { type Credentials, NO_CREDENTIALS, type Paywall } from '../../access/paywall/index.ts'
import { hasScopeFor, matchesPattern, requiredScope, type SignalService } from '../signals/index.ts'
import type { Conditions } from './conditions.ts'
import { tooManyWebhookRequests, tooManyWebhooks, webhookExists, webhookNotFound } from './errors.ts'
import { subscriptionCancelled, subscriptionPaused, subscriptionResumed, subscriptionTested } from './events.ts'
import { leaseEnd } from './lease-end.ts'
import type { ReceiverClient } from './receiver.ts'
import { createRequestedDeliveries, type RequestedDeliveryDeps, RUNNING } from './requested-deliveries.ts'
import { DEFAULT_LEASE_SECONDS } from './schemas.ts'
import { sealSecret } from './secrets.ts'
import { newSecret } from './signature.ts'
import type { Verify } from './verification.ts'

export interface WebhookDeps extends RequestedDeliveryDeps {
  readonly keyring: Keyring
  readonly publicUrl: string
  readonly planLimits: PlanTable
  readonly counters: Pick<LocalRateLimits, 'hit'>
  readonly outbound: Pick<GuardedFetch, 'check'>
  readonly receivers: ReceiverClient
  readonly signals: Pick<SignalService, 'readFilter'>
  readonly verify: Verify
  /** Undefined in a service without gates. */
  readonly paywall: Pick<Paywall, 'requireTier'> | undefined
  readonly createdPerDay: number
  /** Identifies this process in leases. */
  readonly holder: string
}

/** A requested subscription. What it omits has its default in a new webhook, and stays as it is in one that is renewed. */
export interface SubscribeRequest {
  readonly sourceDid: string
  readonly eventTypes: readonly string[]
  readonly deliveryUrl: string
  /** Default: `structured`. */
  readonly deliveryFormat?: WebhookFormat | undefined
  /** Default: null, none. */
  readonly filter?: Conditions | null | undefined
  /** Default: 1. Batches are always structured. */
  readonly maxBatchSize?: number | undefined
  /** Default: 0. */
  readonly maxBatchWaitMs?: number | undefined
  /** Default: 30 days. */
  readonly leaseSeconds?: number | undefined
  /** Default: none. */
  readonly metadata?: Readonly<Record<string, string>> | undefined
  /** A tier of the source, whose requirements the credentials must meet. Default: null, none. */
  readonly tier?: string | null | undefined
  /** Throws `webhook_exists` instead of renewing a webhook. Default: false. */
  readonly onlyNew?: boolean | undefined
  /** Default: those of the caller. */
  readonly credentials?: Credentials | undefined
}

/** The result of a subscription. */
export interface Subscribed {
  readonly webhook: Webhook
  /** True when it was created, false when its lease was renewed. */
  readonly isNew: boolean
  /** Returned only once, for a new webhook that its receiver confirmed. */
  readonly secret?: string | undefined
  /** Why the receiver did not confirm. */
  readonly message?: string | undefined
}

const DEFAULT_TERMS: WebhookTerms = {
  deliveryFormat: 'structured',
  filter: null,
  maxBatchSize: 1,
  maxBatchWaitMs: 0,
  leaseSeconds: DEFAULT_LEASE_SECONDS,
  metadata: {},
  tier: null,
}

/** The terms that a request asks for. What it omits stays as it was before. */
function readTerms(request: SubscribeRequest, before: WebhookTerms): WebhookTerms {
  const { filter, tier, maxBatchWaitMs, leaseSeconds, metadata } = request
  // Batches are structured, so that either of the two members replaces the other.
  const deliveryFormat =
    request.deliveryFormat ?? ((request.maxBatchSize ?? 1) > 1 ? 'structured' : before.deliveryFormat)
  return {
    deliveryFormat,
    filter: filter === undefined ? before.filter : filter && asJson(filter),
    maxBatchSize: request.maxBatchSize ?? (deliveryFormat === 'structured' ? before.maxBatchSize : 1),
    maxBatchWaitMs: maxBatchWaitMs ?? before.maxBatchWaitMs,
    leaseSeconds: leaseSeconds ?? before.leaseSeconds,
    metadata: metadata ?? before.metadata,
    tier: tier === undefined ? before.tier : tier,
  }
}

/** Types that a subscription leaves out because the API key lacks a scope; null: keys never receive them. */
export interface MissingScope {
  readonly requiredScope: string | null
  readonly eventTypes: readonly string[]
}

const HEALTH_MS = 30 * DAY_MS
/** Covers the longest intent check and the writes around it. */
const VERIFICATION_MS = 60_000
const LEASE_MS = 30_000
const OPEN: readonly WebhookStatus[] = ['pending_verification', 'active', 'paused']
/** The recipients of events, by audience. */
const RECIPIENTS = { public: 'everyone', team: 'teams', account: 'account' } as const
const RESUME_SIGNED_IN =
  'The API key of the subscription, or the role of its account in the profile, has ended; sign in to resume it'
const PATHS = { types: '/event_types', sources: '/source_did' }

const unknownTier = () =>
  validationFailed({
    details: { issues: [{ path: '/tier', code: 'invalid_value', message: 'The source has no tier of this name' }] },
  })

export function createWebhookService(deps: WebhookDeps) {
  const { read, write, clock, keyring, publicUrl, planLimits, counters, outbound, receivers, signals } = deps
  const { verify, createdPerDay, holder, wake } = deps
  const emittedTypes = deps.storedTypes
    .filter(({ audience }) => audience !== 'internal')
    .flatMap(({ signals: types }) => types)

  /**
   * Counts actions of an account that call receivers or fill queues. The daily limit of each is that of new webhooks.
   *
   * @throws `too_many_webhook_requests`
   */
  async function countToday(what: string, accountId: string): Promise<void> {
    const { count } = await counters.hit(`${what}:${accountId}`, DAY_MS)
    if (count > createdPerDay) throw tooManyWebhookRequests({ retryAfterMs: 3_600_000 })
  }

  /** @throws `webhook_not_found` for an unknown id and for webhooks of other accounts */
  async function getOwn(id: string, { account, profileId }: Caller): Promise<Webhook> {
    const webhook = await read.webhooks.get(id)
    const isOwn = webhook?.accountId === account.id && (profileId === undefined || webhook.profileId === profileId)
    if (!webhook || !isOwn) throw webhookNotFound()
    return webhook
  }

  /** @throws `webhook_not_found`, `invalid_transition` unless it has one of these states */
  async function getOwnIn(states: readonly WebhookStatus[], id: string, caller: Caller): Promise<Webhook> {
    const webhook = await getOwn(id, caller)
    if (!states.includes(webhook.status)) throw wrongState(webhook, states)
    return webhook
  }

  /** Changes the state of a webhook of the caller. One of many concurrent calls succeeds. */
  async function move(id: string, caller: Caller, to: 'paused' | 'active'): Promise<Webhook> {
    const before = await getOwn(id, caller)
    const from = to === 'paused' ? 'active' : 'paused'
    const isKeyless = before.pauseReason === 'key_ended'
    // Otherwise a key could take over what another key may receive.
    if (to === 'active' && isKeyless && isLimited(caller)) throw sessionRequired({ message: RESUME_SIGNED_IN })
    const moved = await write(async (tx, emit) => {
      await lockCaller(tx, caller)
      const changes =
        to === 'paused'
          ? ({ status: to, pauseReason: 'owner' } as const)
          : ({
              status: to,
              pauseReason: null,
              failureCount: 0,
              missedSince: null,
              ...(isKeyless && { apiKeyId: null }),
            } as const)
      const webhook = await tx.webhooks.update(id, [from], changes)
      if (!webhook) return undefined
      const origin = { accountId: webhook.accountId }
      if (to === 'paused') emit(subscriptionPaused, { subscriptionId: id, reason: 'owner' }, origin)
      else emit(subscriptionResumed, { subscriptionId: id }, origin)
      return webhook
    })
    if (!moved) throw wrongState(before, [from])
    wake()
    return moved
  }

  /** Returns the patterns that match no type that the service emits today. A later release may emit it. */
  const unknownTypes = (patterns: readonly string[]): readonly string[] =>
    patterns.filter((pattern) => !emittedTypes.some((each) => matchesPattern(pattern, each)))

  async function readSource(request: SubscribeRequest, caller: Caller) {
    const { sourceDid } = request
    // A source may also be named by the URL of its profile.
    const source = pathBelow(publicUrl, sourceDid)?.replace(/^\//, '') ?? sourceDid
    const { profileIds } = await signals.readFilter({ sources: [source] }, caller, PATHS)
    const [id = 0] = profileIds ?? []
    return id === 0 ? null : id
  }

  /** @throws `validation_failed` when the source has no such tier; what `requireTier` throws */
  async function requireTier({ tier, credentials }: SubscribeRequest, sourceProfileId: number | null, caller: Caller) {
    if (tier === undefined || tier === null || !deps.paywall) return
    const source = sourceProfileId === null ? undefined : await read.profiles.get(sourceProfileId)
    const shown = credentials ?? { ...NO_CREDENTIALS, caller }
    if (!source || !(await deps.paywall.requireTier(source, tier, shown))) throw unknownTier()
  }

  /** Verifies again, and renews the lease when the receiver confirms. */
  async function renew(webhook: Webhook, request: SubscribeRequest, caller: Caller): Promise<Subscribed> {
    if (webhook.status === 'pending_verification') return { webhook, isNew: false }
    const terms = readTerms(request, webhook)
    await countToday('webhook-renewals', webhook.accountId)
    const message = await receivers.refusal(webhook.deliveryUrl, webhook.sourceDid, terms.leaseSeconds)
    if (message !== undefined) return { webhook, isNew: false, message: `${message}. The lease was not renewed` }
    const changes = { ...terms, ...leaseEnd(clock(), terms.leaseSeconds) }
    const renewed = await write(async (tx) => {
      await lockCaller(tx, caller)
      return tx.webhooks.update(webhook.id, RUNNING, changes)
    })
    if (!renewed) throw webhookNotFound()
    return { webhook: renewed, isNew: false }
  }

  return {
    /** @throws `session_required` for a credential of a module with scopes: without a key, the webhook would receive everything */
    async subscribe(request: SubscribeRequest, caller: Caller): Promise<Subscribed> {
      const { account, profileId = null } = caller
      if (isLimitedWithoutKey(caller)) throw sessionRequired()
      outbound.check(request.deliveryUrl)
      const sourceProfileId = await readSource(request, caller)
      await requireTier(request, sourceProfileId, caller)
      const { sourceDid, deliveryUrl, eventTypes } = request
      const now = clock()
      const id = `sub_${randomBytes(16).toString('hex')}`
      const secret = newSecret()
      const webhook = {
        ...readTerms(request, DEFAULT_TERMS),
        id,
        accountId: account.id,
        profileId,
        apiKeyId: caller.keyId ?? null,
        sourceDid,
        sourceProfileId,
        eventTypes,
        deliveryUrl,
        fingerprint: sha256(canonicalJson([profileId, sourceProfileId, eventTypes.toSorted(), deliveryUrl])),
        secret: await sealSecret(id, secret, keyring),
        createdAt: now,
        verificationExpiresAt: new Date(now.getTime() + VERIFICATION_MS),
      }
      const limits = {
        max: planLimits(account.tier).maxWebhooks,
        maxCreated: createdPerDay,
        createdSince: new Date(now.getTime() - DAY_MS),
      }
      const made = await write(async (tx) => {
        await lockCaller(tx, caller)
        const insertion = await tx.webhooks.insert(webhook, limits)
        if (insertion?.outcome === 'inserted') await tx.webhooks.hold({ webhookId: id, holder }, LEASE_MS)
        return insertion
      })
      if (!made) throw webhookNotFound()
      if (made.outcome === 'too_many') throw tooManyWebhooks({ details: { max: limits.max } })
      if (made.outcome === 'too_many_created') throw tooManyWebhookRequests({ retryAfterMs: 3_600_000 })
      if (made.outcome === 'existing') {
        if (request.onlyNew) throw webhookExists({ details: { subscription_id: made.webhook.id } })
        return renew(made.webhook, request, caller)
      }
      const { webhook: verified, refusal: message } = await verify(made.webhook, holder)
      const after = verified ?? (await getOwn(id, caller))
      return { webhook: after, isNew: true, secret: after.secret === null ? undefined : secret, message }
    },

    /** Returns the types that patterns match and that are left out, because the API key of the caller lacks their scope. */
    missingScopes({ scopes }: Caller, patterns: readonly string[]): readonly MissingScope[] {
      const missing = new Map<string | null, Set<string>>()
      for (const { type, audience, signals: types } of deps.storedTypes) {
        // Every webhook receives its own test deliveries.
        if (audience === 'internal' || type === subscriptionTested.type) continue
        const kind = RECIPIENTS[audience]
        for (const each of types) {
          if (hasScopeFor(scopes, each.type, kind)) continue
          if (!patterns.some((pattern) => matchesPattern(pattern, each))) continue
          const required = requiredScope(each.type, kind) ?? null
          missing.set(required, (missing.get(required) ?? new Set()).add(each.fullType))
        }
      }
      return [...missing].map(([scope, types]) => ({ requiredScope: scope, eventTypes: [...types].toSorted() }))
    },

    unknownTypes,

    /** Lists the webhooks of the caller; with a source only those that receive the events of that profile. */
    list: (
      { account, profileId }: Caller,
      page: PageRequest,
      { sourceProfileId }: { readonly sourceProfileId?: number | undefined } = {},
    ): Promise<Page<Webhook>> => read.webhooks.listOfAccount(account.id, page, { profileId, sourceProfileId }),

    get: getOwn,

    async getHealth(id: string, caller: Caller): Promise<WebhookHealth> {
      await getOwn(id, caller)
      return read.webhooks.getHealth(id, new Date(clock().getTime() - HEALTH_MS))
    },

    async listAttempts(id: string, caller: Caller, page: PageRequest): Promise<Page<WebhookAttempt>> {
      await getOwn(id, caller)
      return read.webhooks.listAttempts(id, page)
    },

    async cancel(id: string, caller: Caller): Promise<void> {
      const webhook = await getOwn(id, caller).catch(() => undefined)
      if (!webhook) return
      await write(async (tx, emit) => {
        await lockCaller(tx, caller)
        const ended = await tx.webhooks.update(id, OPEN, { status: 'cancelled', endedAt: clock() })
        if (ended) emit(subscriptionCancelled, { subscriptionId: id }, { accountId: ended.accountId })
      })
    },

    pause: (id: string, caller: Caller): Promise<Webhook> => move(id, caller, 'paused'),

    resume: (id: string, caller: Caller): Promise<Webhook> => move(id, caller, 'active'),

    ...createRequestedDeliveries(deps, { getOwnIn, countToday, unknownTypes }),

    /**
     * Replaces the secret. The previous one also signs for a day. Returns the new secret, which cannot be read again.
     *
     * @throws `webhook_not_found`, `invalid_transition` when it has ended
     */
    async rotateSecret(id: string, caller: Caller): Promise<{ readonly webhook: Webhook; readonly secret: string }> {
      const before = await getOwn(id, caller)
      const secret = newSecret()
      const sealed = await sealSecret(id, secret, keyring)
      const previousUntil = new Date(clock().getTime() + DAY_MS)
      const webhook = await write(async (tx) => {
        await lockCaller(tx, caller)
        return tx.webhooks.rotateSecret(id, sealed, previousUntil)
      })
      if (!webhook) throw wrongState(before, OPEN)
      return { webhook, secret }
    },
  }
}

const wrongState = ({ status }: Webhook, wanted: readonly WebhookStatus[]) =>
  invalidTransition({ message: `The subscription is ${status}, not ${wanted.join(' or ')}` })

/** Events delivered to receivers. */
export type WebhookService = ReturnType<typeof createWebhookService>
