import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HttpEnvironment } from '../../http/environment.ts'
import { chosenLanguage } from '../../http/html/chosen-language.ts'
import { createSites } from '../../http/html/sites.ts'
import { authorize, missingScope } from '../../http/pipeline/admit.ts'
import { claimedAgent, isSignedRequest, verifiedAgent } from '../../http/pipeline/agent.ts'
import { createErrorHandler } from '../../http/pipeline/error-handler.ts'
import { identify, isUnidentified } from '../../http/pipeline/identify.ts'
import { identifyBotOf } from '../../http/pipeline/identify-bot.ts'
import type { RequestContext } from '../../http/pipeline/request-context.ts'
import type { RouteConfig } from '../../http/routes.ts'
import { isEepError, unauthenticated } from '../../kernel/errors.ts'
import type { Agent } from '../../model/agent.ts'
import { NO_BOT } from '../../model/bot.ts'
import type { Caller } from '../../model/caller.ts'
import type { Action } from '../../model/permission.ts'
import type { PriceCheck } from '../../modules/access/gates/index.ts'
import {
  checkListing,
  checkSold,
  type FixedPrice,
  type Paywall,
  pricedGate,
  requireAccess,
} from '../../modules/access/paywall/index.ts'
import { invalidSignature } from '../../modules/agents/agents/index.ts'
import type { ProfileService } from '../../modules/profiles/profiles/index.ts'
import type { Gate } from '../../ports/storage/gates.ts'
import type { Profile } from '../../ports/storage/profiles.ts'
import { createPaidRoute, type OwnHooks, type PaidRouteHooks, type PaidRouteOptions } from './paid-route.ts'
import type { NamedProfile, SoldAccess } from './sold-access.ts'
import { createSoldRoutes } from './sold-routes.ts'

/** An `onRequest` or `preHandler` hook. Rejected requests get the error format of the service. */
export type Guard = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** Whether API keys are accepted. */
export interface KeyAccess {
  /** The scope that an API key needs. Without one, API keys are not accepted. */
  readonly scope?: string | undefined
}

export interface HostGuardDeps {
  readonly environment: HttpEnvironment
  /** The names of the permissions of all modules. */
  readonly actions: ReadonlySet<string>
  /** The payments of a configuration that no rail takes. */
  readonly unpayable: PriceCheck['unpayable']
  /** Whether the storage binds payments to requests. */
  readonly storesRequests: boolean
  readonly services: () => { readonly profiles: ProfileService; readonly paywall: Paywall }
}

const DEFAULT_TYPE = 'application/json'
const ROUTE = { tag: 'host', summary: '', operationId: 'host' } as const
/** The number of sellers of a route whose gates are kept. */
const MAX_SELLERS = 1_000

/**
 * Returns the raw body of a signed request, which the host must provide as `rawBody`, for example with fastify-raw-body.
 *
 * @throws `invalid_signature` when the request has a body but no `rawBody`
 */
function rawBodyOf(request: FastifyRequest): string {
  const { rawBody } = request as FastifyRequest & { readonly rawBody?: unknown }
  if (typeof rawBody === 'string' || Buffer.isBuffer(rawBody)) return rawBody.toString()
  if (request.body === undefined || request.body === null) return ''
  throw invalidSignature({ message: 'This route does not verify signed requests with a body' })
}

/**
 * Guards for the routes of a host outside of the service: its sessions, API keys, teams, gates and signed requests of
 * agents. A signed request with a body needs the raw body as `request.rawBody`.
 */
export function createHostGuards({ environment, actions, services, storesRequests, unpayable }: HostGuardDeps) {
  const { authenticators, cookies, publicUrl } = environment
  const trusted = new Set(environment.trustedOrigins)
  const { origin, pathname } = new URL(publicUrl)
  // Links of the responses lead to the service, which may be below a prefix that the routes of the host do not have.
  const basePath = pathname === '/' ? '' : pathname
  const representations = environment.representations.ofListener()
  // Forms of the service lead back to its own paths.
  const siteFor = createSites({ name: environment.name, publicUrl, basePath }, { ...environment.pages, actions: [] })
  const sendError = createErrorHandler({
    docsUrl: `${publicUrl}/docs/errors`,
    site: siteFor(undefined),
    apps: authenticators.apps,
  })

  /** Verifies the signature of an agent once per request, and sets the agent of the context. */
  async function identifyAgent(
    request: FastifyRequest,
    reply: FastifyReply | undefined,
    proven: Agent | undefined,
  ): Promise<void> {
    const context = request.eep
    // A second verification would fail, because the nonce is used.
    if (context.agent?.verified) return
    context.agent = claimedAgent(request)
    if (proven && !isSignedRequest(request)) {
      context.agent = proven
      reply?.header('x-eep-trust-state', await environment.trustStateOf(proven.did))
      return
    }
    if (!isSignedRequest(request)) {
      // A DID alone proves nothing, so an unsigned request counts as new.
      if (context.agent) reply?.header('x-eep-trust-state', 'cold_start')
      return
    }
    context.sentBody ??= rawBodyOf(request)
    context.agent = await verifiedAgent(request, environment.verifyAgent)
    reply?.header('x-eep-trust-state', await environment.trustStateOf(context.agent.did))
  }

  /** Identifies the caller and the agent of a request, and authorizes the caller as routes of the service do. */
  async function contextOf(
    request: FastifyRequest,
    route: RouteConfig,
    reply?: FastifyReply | undefined,
    // The signature of an agent covers the body, which may have to be read first.
    agent: 'now' | 'later' = 'now',
  ): Promise<RequestContext> {
    const ofHost: RequestContext = {
      route,
      receivedAt: performance.now(),
      basePath,
      site: siteFor(request.headers['accept-language'], chosenLanguage(request, undefined, cookies)),
      cookies,
      caller: undefined,
      agent: undefined,
      bot: NO_BOT,
      identified: {},
      suffix: undefined,
      representations,
      compresses: false,
      onAgentAccess: undefined,
      onVisit: undefined,
    }
    // On routes of the service, its own hook has set it.
    const context = request.eep ?? ofHost
    request.eep = context
    if (context === ofHost && environment.identifyBot) await identifyBotOf(request, environment.identifyBot)
    const identified = await identify(request, authenticators, trusted)
    context.identified = identified
    context.caller = authorize(route, identified, { method: request.method, signed: isSignedRequest(request) })
    context.missingScope = missingScope(route, identified)
    // An account that cannot be looked up during an outage may own the resource: it must not be asked to pay again.
    if (identified.refusal && isUnidentified(identified.refusal)) context.unidentified = identified.refusal
    if (agent === 'now') await identifyAgent(request, reply, identified.agent)
    return context
  }

  // No API key could have another scope.
  function requireKnown(scope: string | undefined): void {
    if (scope !== undefined && !environment.knownScopes.has(scope)) {
      throw new TypeError(`A route requires the scope "${scope}", which no module defines`)
    }
  }

  const sold = createSoldRoutes(() => services().paywall.sold)

  const guarded =
    (check: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>): Guard =>
    async (request, reply) => {
      try {
        await check(request, reply)
        // The response of the host depends on the caller. Its handler may override the header.
        reply.header('cache-control', 'private, no-store')
      } catch (error) {
        if (!isEepError(error)) throw error
        await sendError(error, request, reply)
        return reply
      }
    }

  async function findProfile(request: FastifyRequest, named: NamedProfile, caller?: Caller): Promise<Profile> {
    const { profiles } = services()
    const name = typeof named === 'function' ? named(request) : named
    return typeof name === 'number' ? profiles.getEvenIfUnlisted(name, caller) : profiles.byDid(name, caller)
  }

  /** Returns gates with a fixed price. One is kept for each seller and price, because offers are cached by gate. */
  function createGates(resource: string): (profileId: number, price: FixedPrice) => Gate {
    const gates = new Map<string, Gate>()
    return (profileId, price) => {
      const key = `${profileId} ${price.amount} ${price.currency} ${price.per}`
      const known = gates.get(key)
      if (known) return known
      if (gates.size >= MAX_SELLERS) gates.clear()
      const gate = pricedGate(profileId, resource, price)
      gates.set(key, gate)
      return gate
    }
  }

  const FOR_SALE = { ...ROUTE, auth: 'none', scope: 'read:content' } as const

  return {
    /**
     * Returns the caller of a session or, with `scope`, of an API key that has it; undefined for anonymous requests, invalid or
     * expired credentials, and other API keys.
     *
     * @throws `csrf`, `invalid_signature`, and `storage_unavailable` on writes; TypeError when no module defines the scope
     */
    async authenticate(request: FastifyRequest, { scope }: KeyAccess = {}): Promise<Caller | undefined> {
      requireKnown(scope)
      return (await contextOf(request, { ...ROUTE, auth: 'none', scope })).caller
    },
    /**
     * A `preHandler` that requires a session. API keys and connected apps get 403; see `requireScope`. Read the account with
     * `callerOf(request)` from `@eep/core/module`.
     */
    requireUser: guarded((request, reply) => contextOf(request, { ...ROUTE, auth: 'bearer' }, reply)),
    /**
     * A `preHandler` that requires a session, or an API key or connected app with a scope.
     *
     * @throws TypeError when no module defines the scope
     */
    requireScope(scope: string): Guard {
      requireKnown(scope)
      return guarded((request, reply) => contextOf(request, { ...ROUTE, auth: 'key', scope }, reply))
    },
    /**
     * A `preHandler` that requires a role in the team of a profile that permits an action, by a session or, with `scope`, by
     * an API key that has it.
     *
     * @throws TypeError when no module defines the permission or the scope
     * @example
     * app.put('/quotes', { preHandler: app.eep.requirePermission('profile.edit', profileId, { scope: 'write:profiles' }) }, save)
     */
    requirePermission(action: Action, profile: NamedProfile, { scope }: KeyAccess = {}): Guard {
      requireKnown(scope)
      if (!actions.has(action))
        throw new TypeError(`A route requires the permission "${action}", which no module defines`)
      const auth = scope === undefined ? 'bearer' : 'key'
      return guarded(async (request, reply) => {
        const { caller } = await contextOf(request, { ...ROUTE, auth, scope }, reply)
        if (!caller) throw unauthenticated()
        await services().profiles.requirePermission(await findProfile(request, profile, caller), caller, action)
      })
    },
    /**
     * An `onRequest` hook that requires access to a resource of a profile: returns 402 with offers, settles the payment of a
     * repeated request, and lets requests with an entitlement pass. It also works as `preHandler`; then Fastify validates the
     * request first, and an invalid one gets 400 instead of 402. Accepts payments on GET requests only: the start fails
     * when the hook guards a route of another method.
     *
     * @throws TypeError when the resource, price, currency or term could not be a tier of a gate, no rail takes the price, or the
     * listing is not valid
     * @example
     * app.get('/quotes', { onRequest: app.eep.requireAccess({ profile: 'did:web:…', resource: 'api.quotes',
     *   price: { amount: 0.05, currency: 'usd', per: 'request' } }) }, async () => quotes)
     */
    requireAccess(access: SoldAccess): Guard {
      const { profile: named, resource, description = resource, price, mimeType = DEFAULT_TYPE, listing } = access
      checkSold(resource, price, unpayable)
      checkListing(resource, listing)
      if (listing) sold.noteListing(resource, listing)
      const gateOf = createGates(resource)
      const guard: Guard = async (request, reply) => {
        try {
          const { caller } = await contextOf(request, FOR_SALE, reply)
          const { profiles, paywall } = services()
          const profile = await findProfile(request, named, caller)
          const gate = price && gateOf(profile.id, price)
          const path = request.url.split('?', 1)[0] ?? '/'
          const access = await requireAccess(request, reply, paywall, {
            profile,
            name: resource,
            path,
            url: `${origin}${path}`,
            description,
            mimeType,
            preview: null,
            role: await profiles.roleOf(profile, caller),
            gate,
            endpoint: listing,
          })
          if (access.is === 'granted') {
            if (access.restricted) reply.header('cache-control', 'private, no-store')
            return
          }
          await sendError(access.refusal, request, reply)
        } catch (error) {
          if (!isEepError(error)) throw error
          await sendError(error, request, reply)
        }
        return reply
      }
      sold.add(guard, access)
      return guard
    },
    /**
     * Returns the hooks of a route that takes payments for single requests of any method, as options of the route. A request without a
     * payment gets 402 before its body is parsed; a paid one is parsed and validated first, and its payment is bound to its content.
     * With `charge: 'after'` the money is taken only when the handler answered as sold.
     *
     * @param own - hooks of the host for the same route
     * @throws TypeError when the resource, price or an option is wrong, no rail takes the price, or the storage cannot bind payments
     * @example
     * const sold = app.eep.paidRoute({ profile: 'did:web:…', resource: 'api.render', charge: 'after',
     *   price: { amount: 0.25, currency: 'usdc', per: 'request' } })
     * app.post('/render', { ...sold, schema }, async (request) => render(request.body))
     */
    paidRoute(options: PaidRouteOptions, own: OwnHooks = {}): PaidRouteHooks {
      const { profile: named, resource, price, listing } = options
      const fixed = typeof price === 'function' ? undefined : price
      checkSold(resource, fixed, unpayable)
      checkListing(resource, listing)
      if (listing) sold.noteListing(resource, listing)
      if (!storesRequests) throw new TypeError('paidRoute needs a storage with the group "paidRequests"')
      const gateOf = createGates(resource)
      const hooks = createPaidRoute(
        {
          paywall: () => services().paywall,
          host: () => ({
            origin,
            async identify(request, reply) {
              await contextOf(request, FOR_SALE, reply, 'later')
            },
            identifyAgent: (request, reply) => identifyAgent(request, reply, request.eep.identified.agent),
            findProfile: (request) => findProfile(request, named, request.eep.caller),
            roleOf: async (profile, { eep }) => services().profiles.roleOf(profile, eep.caller),
            gateOf,
            sendError,
            isSigned: isSignedRequest,
          }),
        },
        options,
        own,
      )
      const [onRequest] = hooks.onRequest
      const [preParsing] = hooks.preParsing
      const preHandler = hooks.preHandler.at(-1)
      const onSend = hooks.onSend.at(-1)
      if (onRequest && preParsing && preHandler && onSend) {
        sold.add(onRequest, { ...options, price: fixed }, options.charge ?? 'before')
        sold.addPaid({ onRequest, preParsing, preHandler, onSend })
      }
      return hooks
    },
    noteRoute: sold.noteRoute,
    assertListedRoutes: sold.assertListedRoutes,
  }
}

/** The guards for routes of a host. */
export type HostGuards = ReturnType<typeof createHostGuards>
