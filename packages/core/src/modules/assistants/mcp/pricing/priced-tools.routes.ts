import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { McpCallContext, McpToolPart } from '../../../../framework/module/mcp-parts.ts'
import { type EepRoutes, routeConfig } from '../../../../http/routes.ts'
import { canonicalJson } from '../../../../kernel/digest.ts'
import { notFound } from '../../../../kernel/errors.ts'
import type { JsonObject } from '../../../../kernel/json.ts'
import { jsonSchema } from '../../../../kernel/json-schema.ts'
import type { Gate } from '../../../../ports/storage/gates.ts'
import type { PriceCheck } from '../../../access/gates/index.ts'
import {
  chargeSettings,
  checkSold,
  type FixedPrice,
  loadPaidHooks,
  type Paywall,
  pricedGate,
} from '../../../access/paywall/index.ts'
import type { ProfileService } from '../../../profiles/profiles/index.ts'
import type { ToolCall, ToolResult } from '../tools/tool.ts'

/** A tool of a module with a price. */
export interface PricedPart extends McpToolPart {
  readonly price: NonNullable<McpToolPart['price']>
  readonly profile: number | string
}

export interface PricedToolsDeps {
  /** The path of the server. */
  readonly path: string
  readonly publicUrl: string
  readonly paywall: Paywall
  readonly profiles: Pick<ProfileService, 'getEvenIfUnlisted' | 'byDid' | 'roleOf'>
  readonly unpayable: PriceCheck['unpayable']
  /** Whether the service has a payment rail. */
  readonly hasRails: boolean
  /** Whether the storage binds payments to requests. */
  readonly storesRequests: boolean
}

/** Offers are cached by gate, and prices may depend on the arguments. */
const MAX_GATES = 1_000

/** What the running tool knows of its call. */
const calls = new AsyncLocalStorage<McpCallContext>()

const pathOf = (path: string, name: string): string => `${path}/tools/${name}`

/**
 * Whether a tool has a price.
 *
 * @throws TypeError for a price without a profile that is paid
 */
export function isPriced(part: McpToolPart): part is PricedPart {
  if (part.price === undefined) return false
  if (part.profile === undefined)
    throw new TypeError(`The tool "${part.name}" has a price, but no profile that is paid`)
  return true
}

/** Names the tool in errors of its options. */
function checked<Result>({ name }: Pick<McpToolPart, 'name'>, check: () => Result): Result {
  try {
    return check()
  } catch (error) {
    throw error instanceof TypeError ? new TypeError(`The tool "${name}" cannot be sold: ${error.message}`) : error
  }
}

/** Returns gates with a fixed price; one is kept for each price. */
function createGates(resource: string): (profileId: number, price: FixedPrice) => Gate {
  const gates = new Map<string, Gate>()
  return (profileId, price) => {
    const key = canonicalJson([profileId, price])
    const gate = gates.get(key) ?? pricedGate(profileId, resource, price)
    if (gates.size >= MAX_GATES) gates.clear()
    gates.set(key, gate)
    return gate
  }
}

/** The arguments in the body of an inner request. They were checked before it was sent. */
function argumentsIn(part: McpToolPart, content: Buffer | undefined): object {
  const body: unknown = JSON.parse(content?.toString() ?? '{}')
  return part.input.parse((body as { readonly arguments?: unknown }).arguments)
}

/**
 * Adds the route with which a tool is sold: by the same steps as a paid route of a host. Only calls of the tool reach it. Its content is
 * the name and the arguments in canonical form, so a payment buys the call that it was made for and no other.
 *
 * @throws TypeError that names the tool and the option: no rail takes the price, an option is wrong, or the storage cannot bind payments
 */
export function addPricedTool(app: EepRoutes, part: PricedPart, deps: PricedToolsDeps): void {
  const { path, publicUrl, paywall, profiles, unpayable, hasRails, storesRequests } = deps
  const { name, title, description, scope, profile: named, price, charge } = part
  const resource = `tools.${name}`
  const settings = checked(part, () => {
    checkSold(resource, typeof price === 'function' ? undefined : price, unpayable)
    if (!hasRails) throw new TypeError('The option price needs a payment rail')
    if (!storesRequests) throw new TypeError('The option price needs a storage with the group "paidRequests"')
    return chargeSettings({ charge, maxUnpaidBytes: 1_048_576 }, resource)
  })
  const url = `mcp://${new URL(publicUrl).host}/tools/${name}`
  const gateOf = createGates(resource)
  const priceOf = (_request: FastifyRequest, content: Buffer | undefined): FixedPrice | Promise<FixedPrice> =>
    typeof price === 'function' ? price(argumentsIn(part, content)) : price

  app.scope((routes, instance: FastifyInstance) => {
    const host = {
      paywall,
      origin: publicUrl,
      // The service has identified the caller and its agent already.
      identify: async () => undefined,
      identifyAgent: async () => undefined,
      findProfile: ({ eep }: FastifyRequest) =>
        typeof named === 'number' ? profiles.getEvenIfUnlisted(named, eep.caller) : profiles.byDid(named, eep.caller),
      roleOf: (...[profile, { eep }]: [Parameters<typeof profiles.roleOf>[0], FastifyRequest]) =>
        Promise.resolve(profiles.roleOf(profile, eep.caller)),
      gateOf,
      sendError: (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
        // The handler of the service takes every error.
        instance.errorHandler(error as Parameters<typeof instance.errorHandler>[0], request, reply),
      isSigned: () => false,
    }
    // JSON Schemas are JSON.
    const listing = { toolName: name, description, inputSchema: jsonSchema(part.input, 'input') as JsonObject }
    const shown = { resource, url, description: title, mimeType: 'application/json', listing }
    const sold = { ...shown, settings }
    // A price that depends on the arguments cannot be listed.
    if (typeof price !== 'function') paywall.sold.addTool({ ...shown, seller: named, price, charge: settings.charge })
    const load = async () => {
      const { createPaidHooks } = await loadPaidHooks()
      return createPaidHooks(
        host,
        { ...sold, price: typeof price === 'function' ? priceOf : price },
        await paywall.paid.use(),
      )
    }
    let loading: ReturnType<typeof load> | undefined
    const hooks = () => {
      loading ??= load()
      return loading
    }
    routes.post(
      pathOf(path, name),
      {
        config: routeConfig({
          auth: scope === undefined ? 'none' : 'key',
          scope: scope ?? 'read:content',
          tag: 'assistants',
          operationId: '',
          summary: description,
          alias: true,
        }),
        onRequest: async ({ eep }) => {
          if (eep.dispatched?.by !== 'mcp' || !calls.getStore()) throw notFound()
        },
        preParsing: async (request, reply, payload) => (await hooks()).preParsing(request, reply, payload),
        preHandler: async (request, reply) => (await hooks()).preHandler(request, reply),
        onSend: async (request, reply, payload) => (await hooks()).onSend(request, reply, payload),
      },
      async ({ body }, reply) => {
        const context = calls.getStore()
        if (!context) throw notFound()
        const checked = part.input.parse((body as { readonly arguments?: unknown }).arguments)
        const result = await part.run(checked, context)
        return reply.type('application/json').send(JSON.stringify(part.output ? part.output.parse(result) : result))
      },
    )
  })
}

/** Calls a tool with a price: what its route answers is the result. */
export async function callPricedTool(
  { name }: Pick<McpToolPart, 'name'>,
  args: object,
  {
    send,
    payment,
    context,
    path,
  }: Pick<ToolCall, 'send' | 'payment'> & {
    readonly context: McpCallContext
    readonly path: string
  },
): Promise<
  | Extract<ToolResult, { readonly is: 'refused' }>
  | { readonly is: 'answered'; readonly answer: Awaited<ReturnType<ToolCall['send']>> }
> {
  const body: unknown = JSON.parse(canonicalJson({ name, arguments: args }))
  const answer = await calls.run(context, () =>
    send({ method: 'POST', path: pathOf(path, name), headers: { ...payment, accept: 'application/json' }, body }),
  )
  return answer.status === 200 ? { is: 'answered', answer } : { is: 'refused', answer, hasPage: false }
}
