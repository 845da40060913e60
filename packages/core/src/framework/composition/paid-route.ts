import type {
  FastifyReply,
  FastifyRequest,
  onRequestAsyncHookHandler,
  onSendAsyncHookHandler,
  preHandlerAsyncHookHandler,
  preParsingAsyncHookHandler,
  RouteShorthandOptions,
} from 'fastify'
import type { FixedPrice, PaidRouteHost, Paywall } from '../../modules/access/paywall/index.ts'
import { type ChargeOptions, chargeSettings, type RequestPrice } from '../../modules/access/paywall/index.ts'
import type { SoldAccess } from './sold-access.ts'

/** A route of the host that takes payments for requests of any method. */
export interface PaidRouteOptions extends Omit<SoldAccess, 'price'>, ChargeOptions {
  /**
   * A fixed price, or a function that returns the price of a request. Default: the gate configuration of the profile. The team of the
   * profile uses the route without paying.
   */
  readonly price?: FixedPrice | RequestPrice | undefined
}

/** The hooks of a paid route, for its options. */
export interface PaidRouteHooks {
  readonly onRequest: onRequestAsyncHookHandler[]
  readonly preParsing: preParsingAsyncHookHandler[]
  readonly preHandler: preHandlerAsyncHookHandler[]
  readonly onSend: onSendAsyncHookHandler[]
}

/** Hooks of the host for the same route. */
export type OwnHooks = Pick<RouteShorthandOptions, 'onRequest' | 'preParsing' | 'preHandler' | 'onSend'>

export interface PaidRouteDeps {
  readonly paywall: () => Paywall
  readonly host: (paywall: Paywall) => Omit<PaidRouteHost, 'paywall'>
}

/** Hooks of the host as they are passed to Fastify. Callbacks and promises may be mixed in one list. */
const listOf = <Hook>(hooks: unknown): Hook[] => [hooks ?? []].flat() as Hook[]

/**
 * Creates the hooks of a paid route. What they do is loaded with the first request, so a host without such routes does not load it.
 *
 * @throws TypeError that names the option that is wrong
 */
export function createPaidRoute(
  { paywall, host }: PaidRouteDeps,
  options: PaidRouteOptions,
  own: OwnHooks,
): PaidRouteHooks {
  const { resource, description = resource, mimeType = 'application/json', listing, price } = options
  const settings = chargeSettings(options, resource)
  const route = { resource, description, mimeType, listing, price, settings }
  const load = async () => {
    const service = paywall()
    const { createPaidHooks } = await import('../../modules/access/paywall/paid/hooks.ts')
    return createPaidHooks({ paywall: service, ...host(service) }, route, await service.paid.use())
  }
  let loading: ReturnType<typeof load> | undefined
  const loaded = () => {
    loading ??= load()
    return loading
  }
  return {
    onRequest: [
      async (request: FastifyRequest, reply: FastifyReply) => (await loaded()).onRequest(request, reply),
      ...listOf<onRequestAsyncHookHandler>(own.onRequest),
    ],
    // The content is hashed as it was received, before a hook of the host decodes it.
    preParsing: [
      async (request, reply, payload) => (await loaded()).preParsing(request, reply, payload),
      ...listOf<preParsingAsyncHookHandler>(own.preParsing),
    ],
    // What the host refuses costs nothing.
    preHandler: [
      ...listOf<preHandlerAsyncHookHandler>(own.preHandler),
      async (request: FastifyRequest, reply: FastifyReply) => (await loaded()).preHandler(request, reply),
    ],
    // The answer is kept and released as it is sent.
    onSend: [
      ...listOf<onSendAsyncHookHandler>(own.onSend),
      async (request, reply, payload) => (await loaded()).onSend(request, reply, payload),
    ],
  }
}
