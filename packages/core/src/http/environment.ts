import type { Clock } from '../kernel/clock.ts'
import type { ErrorDefinition } from '../kernel/errors.ts'
import type { TrustState } from '../model/agent.ts'
import type { IdentifyBot } from '../model/bot.ts'
import type { OnVisit } from '../model/visit.ts'
import type { Metrics } from '../runtime/telemetry/metrics.ts'
import type { RequestScope } from '../runtime/telemetry/request-scope.ts'
import type { Tracing } from '../runtime/telemetry/tracing.ts'
import type { CookiePolicy } from './cookies.ts'
import type { RepresentationCache } from './documents/representation-cache.ts'
import type { ResponseCache } from './documents/response-cache.ts'
import type { PageSettings } from './html/sites.ts'
import type { PortraitOf } from './html/viewer.ts'
import type { IdempotencyService } from './idempotency/service.ts'
import type { MetricsAccess } from './metrics.routes.ts'
import type { RegisteredRoute } from './openapi/registered-route.ts'
import type { VerifyAgent } from './pipeline/agent.ts'
import type { OnAgentAccess } from './pipeline/count-visits.ts'
import type { Authenticators } from './pipeline/identify.ts'
import type { RateLimiter } from './pipeline/listener-state.ts'

/** What `/health/ready` reports. */
export type Readiness =
  | { readonly status: 'ready' }
  /** Requests are served; what depends on the named parts fails. */
  | { readonly status: 'degraded'; readonly degraded: Readonly<Record<string, 'unavailable'>> }
  | { readonly status: 'not_ready'; readonly reasons: Readonly<Record<string, string>> }

/** What the service provides to every listener. */
export interface HttpEnvironment extends RateLimiter {
  readonly publicUrl: string
  /** Whether all money of the service is play money. Each response then states it. */
  readonly isSandbox: boolean
  /** The length of the longest DID that this service can give a profile. */
  readonly longestDid: number
  readonly name: string
  readonly description: string
  /** The service's own origin, and the origins whose pages may use cookies. */
  readonly trustedOrigins: readonly string[]
  readonly authenticators: Authenticators
  /** Why a user of the host gets no account, on every request. Empty when the host identifies no user. */
  readonly hostUserErrors: readonly ErrorDefinition[]
  readonly verifyAgent: VerifyAgent
  /** Returns the trust state of an agent that signed a request, for a response header. */
  readonly trustStateOf: (did: string) => Promise<TrustState>
  /** Identifies programs by their signatures; undefined when no module does. */
  readonly identifyBot: IdentifyBot | undefined
  /** Receives reads by agents; undefined when nothing records them. */
  readonly onAgentAccess: OnAgentAccess | undefined
  /** Counts reads; undefined when nothing is counted. */
  readonly onVisit: OnVisit | undefined
  /** Returns the URL of the picture of an account for its own pages. */
  readonly portraitOf: PortraitOf
  /** The names of the rate groups that routes may count in. */
  readonly rateGroups: readonly string[]
  /** The scopes that routes may require. */
  readonly knownScopes: ReadonlySet<string>
  /** The time in which a request body that is not a form must arrive. */
  readonly bodyTimeoutMs: number
  readonly idempotency: IdempotencyService
  readonly responseCache: ResponseCache
  readonly representations: RepresentationCache
  readonly cookies: CookiePolicy
  readonly clock: Clock
  readonly metrics: Metrics
  /** The scope in which requests run. */
  readonly requestScope: RequestScope
  readonly tracing: Tracing
  /** The access to the metrics by HTTP; undefined when there is no route for them. */
  readonly metricsAccess: MetricsAccess | undefined
  /** Routes of the host that documents describe, complete once the server is ready. */
  readonly hostRoutes: () => readonly RegisteredRoute[]
  /** The look and the languages of pages. */
  readonly pages: PageSettings
  /** Whether the service is stopping: each response then asks its client to open another connection. */
  readonly isStopping: () => boolean
  /** What requests wait for, except those that are never counted. Undefined when there is nothing to wait for. */
  readonly beforeRequest: () => Promise<void> | undefined
  /** Whether the service can serve requests now; never fails. */
  readonly readiness: () => Promise<Readiness>
  /** The names of the parts that the readiness check pings. */
  readonly parts: readonly string[]
}
