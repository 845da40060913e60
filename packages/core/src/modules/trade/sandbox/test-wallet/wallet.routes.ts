import { stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { readCookies } from '../../../../http/cookies.ts'
import { scriptRoute } from '../../../../http/html/script.routes.ts'
import { TEST_WALLET_SCRIPT } from '../../../../http/html/script.ts'
import { csrf, isForeign } from '../../../../http/pipeline/identify.ts'
import { type EepRoutes, type RouteConfig, routeConfig } from '../../../../http/routes.ts'
import { DAY_MS, SECOND_MS } from '../../../../kernel/durations.ts'
import { SANDBOX_NETWORK } from '../../../../ports/money-kind.ts'
import { MAX_MESSAGE_LENGTH } from '../../../people/wallets/index.ts'
import { faucetEmpty, faucetLimitReached, testWalletNotFound, testWalletRefused } from './errors.ts'
import type { Faucet } from './faucet.ts'
import { decimalOfTestUsdc } from './test-usdc.ts'
import { isWalletId, newWalletId, type TestWallet, type TestWallets } from './test-wallets.ts'

export interface WalletRouteServices {
  readonly faucet: Faucet
  /** Undefined without the option `wallet`. */
  readonly testWallets: TestWallets | undefined
}

export interface WalletRouteContext {
  readonly trustedOrigins: readonly string[]
  readonly cookies: { readonly secure: boolean; readonly path: string }
}

const WALLET = '/sandbox/wallet'
const COOKIE = 'eep_test_wallet'
const COOKIE_SECONDS = (365 * DAY_MS) / SECOND_MS
const MAX_TYPED_DATA = 8_192

const walletSchema = z
  .object({
    address: z.string(),
    balance: z.string().describe('In test USDC, as a decimal number'),
    balance_atomic: z.string().describe('In the smallest unit'),
    network: z.string(),
    sandbox: z.literal(true),
  })
  .meta({ id: 'SandboxWallet' })

/** The wallet of a browser. */
const browserWalletSchema = z.object({ wallet: walletSchema.nullable() }).meta({ id: 'TestWallet' })

const signatureSchema = z.object({ signature: z.string() }).meta({ id: 'TestWalletSignature' })

const serializeWallet = ({ address, atomic }: TestWallet): z.input<typeof walletSchema> => ({
  address,
  balance: decimalOfTestUsdc(atomic),
  balance_atomic: `${atomic}`,
  network: SANDBOX_NETWORK,
  sandbox: true,
})

const faucetBody = z.strictObject({
  address: z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/, 'Must be an address: 0x and 40 hexadecimal digits')
    .describe('The wallet to fill'),
})
const typedDataBody = z.strictObject({
  typed_data: z
    .string()
    .min(1)
    .max(MAX_TYPED_DATA)
    .describe('EIP-712 in JSON, as wallets get it with `eth_signTypedData_v4`'),
})
const messageBody = z.strictObject({ message: z.string().min(1).max(MAX_MESSAGE_LENGTH) })

type Described = Pick<RouteConfig, 'operationId' | 'summary'> & Partial<RouteConfig>
const walletConfig = (route: Described) => routeConfig({ auth: 'none', tag: 'sandbox', ...route })

/** The faucet of the play token. Wallets of agents are filled there. */
function faucetRoute(app: EepRoutes, faucet: Faucet): void {
  app.post(
    '/sandbox/faucet',
    {
      config: walletConfig({
        operationId: 'fillSandboxWallet',
        summary: 'Fill a wallet up to 1,000 test USDC, which is worth nothing',
        errors: [faucetLimitReached, faucetEmpty],
      }),
      schema: { body: faucetBody, response: { 200: walletSchema } },
    },
    async (request, reply) => {
      const { address } = request.body
      const { atomic } = await faucet.fill(address)
      reply.header('cache-control', 'no-store')
      return serializeWallet({ address, atomic })
    },
  )
}

/** The routes of the test wallet of a browser. Its cookie is sent by pages of this service only. */
export function walletRoutes(
  app: EepRoutes,
  { faucet, testWallets }: WalletRouteServices,
  { trustedOrigins, cookies: { secure, path } }: WalletRouteContext,
): void {
  faucetRoute(app, faucet)
  if (!testWallets) return
  const ownOrigins = new Set(trustedOrigins)
  const name = secure && path === '/' ? `__Host-${COOKIE}` : COOKIE

  const idOf = (request: FastifyRequest): string | undefined => {
    if (isForeign(request, ownOrigins)) throw csrf()
    const id = readCookies(request)[name]
    return isWalletId(id) ? id : undefined
  }

  const requireId = (request: FastifyRequest): string => {
    const id = idOf(request)
    if (id === undefined) throw testWalletNotFound()
    return id
  }

  function setWallet(reply: FastifyReply, id: string): void {
    const attributes = { httpOnly: true, sameSite: 'strict', secure, path, maxAge: COOKIE_SECONDS } as const
    reply.header('set-cookie', stringifySetCookie({ name, value: id, ...attributes }))
  }

  scriptRoute(app, TEST_WALLET_SCRIPT, {
    operationId: 'getTestWalletScript',
    summary: 'Get the script with which pages offer the test wallet',
  })

  app.get(
    WALLET,
    {
      config: walletConfig({
        operationId: 'getTestWallet',
        summary: 'Get the test wallet of the browser and its balance, or null',
      }),
      schema: { response: { 200: browserWalletSchema } },
    },
    async (request, reply) => {
      reply.header('cache-control', 'private, no-store')
      const id = idOf(request)
      return { wallet: id === undefined ? null : serializeWallet(await testWallets.find(id)) }
    },
  )

  app.post(
    WALLET,
    {
      config: walletConfig({
        operationId: 'openTestWallet',
        summary: 'Give the browser a test wallet with 1,000 test USDC, unless it has one',
        errors: [csrf, faucetLimitReached, faucetEmpty],
      }),
      schema: { response: { 200: walletSchema } },
    },
    async (request, reply) => {
      const known = idOf(request)
      const id = known ?? newWalletId()
      const wallet = await testWallets.open(id)
      if (known === undefined) setWallet(reply, id)
      reply.header('cache-control', 'private, no-store')
      return serializeWallet(wallet)
    },
  )

  const signing = (operationId: string, summary: string) =>
    walletConfig({ operationId, summary, readsOnly: true, errors: [csrf, testWalletNotFound, testWalletRefused] })

  app.post(
    `${WALLET}/transfer`,
    {
      config: signing('signTestTransfer', 'Sign a payment in test USDC (EIP-3009) with the test wallet of the browser'),
      schema: { body: typedDataBody, response: { 200: signatureSchema } },
    },
    async (request, reply) => {
      reply.header('cache-control', 'private, no-store')
      return { signature: await testWallets.signTransfer(requireId(request), request.body.typed_data) }
    },
  )

  app.post(
    `${WALLET}/message`,
    {
      config: signing(
        'signTestMessage',
        'Sign a message of this service (EIP-4361) with the test wallet of the browser',
      ),
      schema: { body: messageBody, response: { 200: signatureSchema } },
    },
    async (request, reply) => {
      reply.header('cache-control', 'private, no-store')
      return { signature: await testWallets.signMessage(requireId(request), request.body.message) }
    },
  )
}
