import { createResponseCache } from '../../http/documents/response-cache.ts'
import type { HttpEnvironment } from '../../http/environment.ts'
import { createIdempotencyService } from '../../http/idempotency/service.ts'
import { createRateLimiter } from '../../http/pipeline/rate-limit.ts'
import type { RateGroup } from '../../http/routes.ts'
import { invalidApiKey, unauthenticated } from '../../kernel/errors.ts'
import { invalidSignature } from '../../modules/agents/agents/index.ts'
import type { baseModules } from '../../modules/base.ts'
import { HOST_USER_ERRORS } from '../../modules/people/accounts/index.ts'
import { longestDid } from '../../modules/profiles/profiles/index.ts'
import type { BaseContext } from '../module/context.ts'
import type { ServicesOf } from '../module/define-module.ts'
import type { CreatedModules } from './create-modules.ts'
import { soldRoute } from './sold-route.ts'

/** The services of the base that requests need. Those of modules that are off are missing. */
export type CoreServices = Partial<ServicesOf<typeof baseModules>>

/** Beyond the limit of authentication, so that a person can correct a form, and a program cannot send them without end. */
const REFUSED_FORMS_PER_MINUTE = 20

/**
 * Creates the environment of all routes, from the services of the base and from what modules add to requests. Credentials of a module
 * that is off are rejected.
 */
export function createEnvironment(
  context: BaseContext,
  { services, authenticators, pageActions, identifyBot, onVisit, onAgentAccess }: CreatedModules,
  {
    readiness,
    parts,
    isStopping,
    beforeRequest,
  }: Pick<HttpEnvironment, 'readiness' | 'parts' | 'isStopping' | 'beforeRequest'>,
): HttpEnvironment {
  const { agents, trust, paywall, profiles }: CoreServices = services
  const { settings, publicUrl, write, clock, keyring, counters, limits, scaled, metrics } = context
  const isSandbox = context.moneyKind === 'sandbox'
  const { registry, token } = settings.metrics
  const { auth, http, planLimits } = settings
  return {
    publicUrl,
    isSandbox,
    name: settings.name,
    description: settings.description,
    trustedOrigins: context.trustedOrigins,
    authenticators: {
      session: () => Promise.reject(unauthenticated()),
      apiKey: () => Promise.reject(invalidApiKey()),
      ...authenticators,
    },
    hostUserErrors: auth.hostAuth ? HOST_USER_ERRORS : [],
    async verifyAgent(request) {
      if (!agents) throw invalidSignature({ message: 'This service does not verify signed requests' })
      return agents.verify(request)
    },
    trustStateOf: async (did) => (trust ? trust.stateOf(did) : 'cold_start'),
    identifyBot,
    onAgentAccess,
    onVisit,
    portraitOf: async (account) => profiles?.portraitOf(account),
    metrics,
    requestScope: context.requestScope,
    tracing: context.tracing,
    metricsAccess: registry && token !== undefined ? { token, render: () => registry.render() } : undefined,
    ...createRateLimiter({
      counters,
      metrics,
      keyring,
      limits: limits as Readonly<Record<RateGroup, number>>,
      refusedForms: scaled(REFUSED_FORMS_PER_MINUTE),
      keyLimit: (plan) => scaled(planLimits(plan).apiRequestsPerMinute),
    }),
    rateGroups: Object.keys(limits),
    knownScopes: context.knownScopes,
    bodyTimeoutMs: http.bodyTimeoutMs,
    cookies: http.cookies,
    clock,
    hostRoutes: () =>
      (paywall?.sold.list() ?? []).map((sold, index) => soldRoute(sold, index, new URL(publicUrl).origin)),
    pages: {
      ...settings.pages,
      logo: settings.pages.logoPath === undefined ? settings.pages.logoFile : undefined,
      isSandbox,
      webMcp: settings.discovery.webMcp,
      remoteImages: settings.content.remoteImages === 'allow',
      renderMarkdown: context.caches.texts.render,
      actions: pageActions,
    },
    longestDid: longestDid(publicUrl).length,
    responseCache: createResponseCache(context.caches.responses, clock),
    representations: context.caches.representations,
    idempotency: createIdempotencyService({
      write,
      clock,
      keyring,
      keptMs: http.idempotencyTtlMs,
      maxBytes: http.idempotencyMaxBytes,
      maxKeys: http.idempotencyMaxKeys,
    }),
    isStopping,
    beforeRequest,
    readiness,
    parts,
  }
}
