import { createResponseCache } from '../../http/documents/response-cache.ts'
import type { HttpEnvironment } from '../../http/environment.ts'
import { createIdempotencyService } from '../../http/idempotency/service.ts'
import { createRateLimiter } from '../../http/pipeline/rate-limit.ts'
import type { RateGroup } from '../../http/routes.ts'
import { invalidApiKey, unauthenticated } from '../../kernel/errors.ts'
import type { agentAccess } from '../../modules/agents/access/token.ts'
import { invalidSignature } from '../../modules/agents/agents/index.ts'
import type { baseModules } from '../../modules/base.ts'
import type { analytics } from '../../modules/insight/analytics/token.ts'
import { HOST_USER_ERRORS } from '../../modules/people/accounts/index.ts'
import { longestDid } from '../../modules/profiles/profiles/index.ts'
import type { CoreContext } from '../module/context.ts'
import type { ServicesOf } from '../module/define-module.ts'
import { soldRoute } from './sold-route.ts'

/** The services that requests need. Those of modules that are off are missing. */
export type CoreServices = Partial<
  ServicesOf<typeof baseModules> & ServicesOf<readonly [typeof agentAccess, typeof analytics]>
>

/** Beyond the limit of authentication, so that a person can correct a form, and a program cannot send them without end. */
const REFUSED_FORMS_PER_MINUTE = 20

/** Creates the environment of all routes. Credentials of a module that is off are rejected. */
export function createEnvironment(
  context: CoreContext,
  { accounts, apiKeys, hostUsers, agents, agentAccess, analyticsCollector, trust, paywall }: CoreServices,
  { readiness, isStopping }: Pick<HttpEnvironment, 'readiness' | 'isStopping'>,
): HttpEnvironment {
  const { settings, publicUrl, write, clock, keyring, counters, limits, scaled, metrics } = context
  const { registry, token } = settings.metrics
  const { auth, http, planLimits } = settings
  const { hostAuth } = auth
  return {
    publicUrl,
    name: settings.name,
    description: settings.description,
    trustedOrigins: context.trustedOrigins,
    authenticators: {
      async session(token, carrier) {
        if (!accounts) throw unauthenticated()
        return accounts.authenticate(token, carrier)
      },
      async apiKey(key) {
        if (!apiKeys) throw invalidApiKey()
        return apiKeys.authenticate(key)
      },
      ...(hostAuth &&
        hostUsers && {
          async host(headers) {
            const user = await hostAuth.authenticate({ headers })
            return user && hostUsers.authenticate(user)
          },
        }),
    },
    hostUserErrors: hostAuth ? HOST_USER_ERRORS : [],
    async verifyAgent(request) {
      if (!agents) throw invalidSignature({ message: 'This service does not verify signed requests' })
      return agents.verify(request)
    },
    trustStateOf: async (did) => (trust ? trust.stateOf(did) : 'cold_start'),
    onAgentAccess: agentAccess?.add,
    onVisit: analyticsCollector?.add,
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
    hostRoutes: () =>
      (paywall?.sold.list() ?? []).map((sold, index) => soldRoute(sold, index, new URL(publicUrl).origin)),
    pages: {
      ...settings.pages,
      remoteImages: settings.content.remoteImages === 'allow',
      renderMarkdown: context.caches.texts.render,
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
    readiness,
  }
}
