import type { HttpEnvironment } from '../http/environment.ts'
import { createHttpPlugin } from '../http/plugin.ts'
import { createRateLimiter } from '../http/rate-limit.ts'
import { accountRoutes } from '../modules/accounts/index.ts'
import { adminRoutes } from '../modules/admin/index.ts'
import { apiKeyRoutes } from '../modules/api-keys/index.ts'
import { commerceRoutes } from '../modules/commerce/index.ts'
import { connectionRoutes } from '../modules/connections/index.ts'
import { contentRoutes, createGatedPages, createGatedSections } from '../modules/content/index.ts'
import { discoveryRoutes } from '../modules/discovery/index.ts'
import { documentRoutes } from '../modules/documents/index.ts'
import { fileRoutes } from '../modules/files/index.ts'
import { entitlementRoutes, gateRoutes, processorRoutes, x402Routes } from '../modules/gates/index.ts'
import { createIdempotencyService } from '../modules/idempotency/index.ts'
import { jobRoutes } from '../modules/jobs/index.ts'
import { mediaRoutes } from '../modules/media/index.ts'
import { oauthRoutes } from '../modules/oauth/index.ts'
import { messageRoutes, paymentRoutes } from '../modules/payments/index.ts'
import { longestDid, profileRoutes } from '../modules/profiles/index.ts'
import { reactionRoutes } from '../modules/reactions/index.ts'
import { serviceRoutes } from '../modules/services/index.ts'
import { subscriptionRoutes, usdcRoutes } from '../modules/subscriptions/index.ts'
import { teamRoutes } from '../modules/teams/index.ts'
import { trustRoutes } from '../modules/trust/index.ts'
import { payoutRoutes, walletRoutes } from '../modules/wallets/index.ts'
import type { Foundation } from './foundation.ts'
import type { Services } from './services.ts'

/** What all routes share. */
function environmentOf(
  { settings, publicUrl, write, clock, keyring, counters, limits, scaled }: Foundation,
  { accounts, apiKeys, hostUsers, agents, trust }: Services,
  readiness: HttpEnvironment['readiness'],
): HttpEnvironment {
  const { identity, tierFacts } = settings
  return {
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
    countRequest: createRateLimiter({
      store: counters,
      limits,
      keyLimit: (tier) => scaled(tierFacts(tier).apiRequestsPerMinute),
    }),
    bodyTimeoutMs: settings.bodyTimeoutMs,
    cookies: settings.cookies,
    remoteImages: settings.remoteImages === 'allow',
    longestDid: longestDid(publicUrl).length,
    idempotency: createIdempotencyService({ write, clock, keyring, keptMs: settings.idempotencyMs }),
    readiness,
  }
}

/** The routes of every service as a Fastify plugin, and the counter of requests that they share. */
export function createRoutes(foundation: Foundation, services: Services, readiness: HttpEnvironment['readiness']) {
  const { settings, publicUrl, serviceDid, keyring, clock } = foundation
  const { identity, frontendUrl, tierFacts } = settings
  const { gates, payments } = services
  const environment = environmentOf(foundation, services, readiness)

  let robotsTxt: (() => string) | undefined

  const http = createHttpPlugin(environment, (app, registered) => {
    accountRoutes(app, services, { cookies: environment.cookies, passwords: identity === undefined })
    apiKeyRoutes(app, services)
    if (!identity) oauthRoutes(app, services, { ...environment, frontendUrl })
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
    const sellers = {
      gates,
      payments,
      gatedPage: createGatedPages(services),
      gatedSection: createGatedSections(services),
    }
    processorRoutes(app, sellers, environment)
    x402Routes(app, sellers, { publicUrl, serviceDid, keyring, clock })
    messageRoutes(app, services)
    const discovery = discoveryRoutes(app, services, { siteFiles: settings.siteFiles, registered })
    robotsTxt ??= discovery.robotsTxt
  })
  return { http, countRequest: environment.countRequest, robotsTxt: () => robotsTxt?.() }
}
