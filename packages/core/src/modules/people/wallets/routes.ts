import { callerOf } from '../../../http/pipeline/request-context.ts'
import { type EepRoutes, type RouteConfig, routeConfig } from '../../../http/routes.ts'
import {
  invalidSiweMessage,
  invalidWalletSignature,
  siweChainUnsupported,
  siweDomainMismatch,
  siweExpired,
  siweIssuedInFuture,
  siweNonceRefused,
  siweNotYetValid,
  siweUriMismatch,
  siweVersionUnsupported,
  walletChainUnavailable,
  walletFlowDisabled,
  walletInUse,
  walletNotFound,
} from './errors.ts'
import {
  challengeSchema,
  doneSchema,
  linkBody,
  serializeChallenge,
  serializeWallet,
  unlinkQuery,
  walletParams,
  walletSchema,
  walletsSchema,
} from './schemas.ts'
import type { WalletService } from './service.ts'

const walletRouteConfig = (route: Pick<RouteConfig, 'operationId' | 'limit' | 'summary' | 'errors' | 'recent'>) =>
  routeConfig({ auth: 'bearer', tag: 'auth', ...route })

/** The routes below `/auth/siwe`. */
export function walletRoutes(app: EepRoutes, { wallets }: { readonly wallets: WalletService }): void {
  app.post(
    '/auth/siwe/nonce',
    {
      config: walletRouteConfig({
        limit: 'auth',
        operationId: 'createWalletNonce',
        summary: 'Create a nonce for a message that links a wallet',
        errors: [walletFlowDisabled],
      }),
      schema: { response: { 200: challengeSchema } },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return serializeChallenge(await wallets.challenge(callerOf(request)))
    },
  )

  app.post(
    '/auth/siwe/verify',
    {
      config: walletRouteConfig({
        limit: 'auth',
        operationId: 'linkWallet',
        summary: 'Link the wallet that signed a message (EIP-4361)',
        errors: [
          invalidSiweMessage,
          siweVersionUnsupported,
          siweDomainMismatch,
          siweUriMismatch,
          siweChainUnsupported,
          siweIssuedInFuture,
          siweExpired,
          siweNotYetValid,
          invalidWalletSignature,
          siweNonceRefused,
          walletFlowDisabled,
          walletChainUnavailable,
        ],
      }),
      schema: { body: linkBody, response: { 200: walletSchema } },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return serializeWallet(await wallets.link(request.body, callerOf(request)))
    },
  )

  app.get(
    '/auth/siwe/wallets',
    {
      config: walletRouteConfig({
        operationId: 'listWallets',
        summary: 'List the linked wallets of the caller, oldest first',
      }),
      schema: { response: { 200: walletsSchema } },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const linked = await wallets.list(callerOf(request))
      return { wallets: linked.map(serializeWallet) }
    },
  )

  app.delete(
    '/auth/siwe/wallets/:id',
    {
      config: walletRouteConfig({
        recent: true,
        operationId: 'unlinkWallet',
        summary: 'Unlink a wallet; `force` disables its payout addresses first',
        errors: [walletNotFound, walletInUse],
      }),
      schema: { params: walletParams, querystring: unlinkQuery, response: { 200: doneSchema } },
    },
    async (request) => {
      const { force } = request.query
      await wallets.unlink(request.params.id, callerOf(request), force === '1' || force === 'true')
      return { success: true as const }
    },
  )
}
