import { createHash } from 'node:crypto'
import type { PaidRouteOptions } from '@eep/core'
import { type CashPayment, cashRail, createCashWallets } from '@eep/core/testing'
import type { FastifyReply, FastifyRequest, LightMyRequestResponse } from 'fastify'
import { signUp } from './accounts.ts'
import { createTestApp, type TestApp, type TestAppOptions } from './app.ts'
import { header } from './shop.ts'

/** The word that only paid answers contain. */
export const RENDERED = 'rendered for money'

type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown

/** What a handler does next. Default: responds with 200. */
export interface Renderer {
  /** Replaces the handler of the route with this path. */
  on(path: string, handler: Handler): void
  /** The bodies that handlers got, in order. */
  readonly runs: unknown[]
  /** The ids of payments that handlers saw. */
  readonly payments: (string | undefined)[]
}

const PRICE = { amount: 0.25, currency: 'usdc', per: 'request' } as const

/** A service whose host sells requests, and the wallets that pay for them. */
export async function openPaidRoutes(
  routes: Readonly<Record<string, Partial<PaidRouteOptions> & { readonly schema?: object }>>,
  options: TestAppOptions = {},
  addRoutes: (app: TestApp, sellerId: () => number) => void = () => undefined,
) {
  const cashWallets = createCashWallets()
  const handlers = new Map<string, Handler>()
  const runs: unknown[] = []
  const payments: (string | undefined)[] = []
  const renderer: Renderer = { on: (path, handler) => void handlers.set(path, handler), runs, payments }
  let sellerId = 0
  const test = await createTestApp({ payments: { rails: [cashRail({ cashWallets })] }, ...options }, {}, (app) => {
    for (const [line, { schema, ...sold }] of Object.entries(routes)) {
      const [method = '', url = ''] = line.split(' ')
      const resource = `api${url.replaceAll('/', '.').replaceAll('-', '_')}`
      const hooks = app.eep.paidRoute({ profile: () => sellerId, resource, price: PRICE, ...sold })
      app.route({
        method,
        url,
        ...hooks,
        ...(schema && { schema }),
        handler: async (request, reply) => {
          runs.push(request.body)
          payments.push(request.eep.payment?.id)
          const handler = handlers.get(url)
          return handler ? handler(request, reply) : { result: RENDERED, of: request.body ?? null }
        },
      })
    }
    addRoutes(app, () => sellerId)
  })
  const seller = await signUp(test.app)
  sellerId = seller.account.active_profile_id
  const did = test.eep.profiles.didOf({ type: 'person', username: seller.account.username })

  const send = (line: string, payload?: unknown, headers: Record<string, string> = {}) => {
    const [method = '', url = ''] = line.split(' ')
    return test.app.inject({
      method: method as 'POST',
      url,
      headers,
      ...(payload !== undefined && { payload: payload as object }),
    })
  }
  const payment = async (
    line: string,
    payload?: unknown,
    pay: CashPayment = {},
    headers: Record<string, string> = {},
  ) => cashWallets.answer(header(await send(line, payload, headers), 'payment-required'), pay)

  return {
    ...test,
    seller,
    did,
    cashWallets,
    renderer,
    send,
    /** Asks for the price of a request, and signs the payment for it. */
    payment,
    /** Pays for a request. */
    async pay(line: string, payload?: unknown, pay: CashPayment = {}, headers: Record<string, string> = {}) {
      return send(line, payload, { ...headers, ...(await payment(line, payload, pay, headers)) })
    },
    /** What the seller got, in atomic units. */
    earned: () => cashWallets.balance(did),
  }
}

/** The code of a response, with its status. */
export const outcomeOf = (response: LightMyRequestResponse): readonly unknown[] => {
  const body = response.body === '' ? undefined : JSON.parse(response.body)
  return [
    response.statusCode,
    body?.error?.code ?? 'ok',
    ...(body?.error?.details?.reason ? [body.error.details.reason] : []),
  ]
}

/** The header `Content-Digest` of a text. */
export const contentDigest = (text: string, algorithm: 'sha-256' | 'sha-512' = 'sha-256'): string =>
  `${algorithm}=:${createHash(algorithm.replace('-', '')).update(text).digest('base64')}:`
