import { z } from 'zod'
import { csrf, isForeign } from '../../../http/pipeline/identify.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { walletChainUnavailable } from '../../people/wallets/index.ts'
import { type Paywall, rememberBuyer } from '../paywall/index.ts'
import { walletProofRefused, walletRecoveryOff } from './errors.ts'
import type { WalletRecovery } from './wallet-recovery.ts'

/** The path of the route that takes what a wallet signed. */
export const WALLET_PROOF_PATH = '/eep/payment/recovery/wallet'
/** The path of the route that issues what a wallet signs. */
export const WALLET_NONCE_PATH = `${WALLET_PROOF_PATH}/nonce`

const challengeSchema = z
  .object({
    nonce: z.string(),
    domain: z.string(),
    uri: z.string(),
    chain_ids: z.array(z.int()),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'WalletRecoveryChallenge' })

const signedBody = z.strictObject({
  message: z.string().min(1).max(4_096).meta({ description: 'An EIP-4361 message with the nonce, domain and URI' }),
  signature: z.string().regex(/^0x([0-9a-fA-F]{2}){64,3000}$/),
})

const recoveredSchema = z
  .object({
    recovered: z.boolean().meta({ description: 'Whether the wallet bought anything; only then cookies are set' }),
    network: z.string().nullable().meta({ description: 'The network of its purchases' }),
  })
  .meta({ id: 'RecoveredWalletPurchases' })

/** Routes by which buyers who paid with a wallet get the payer cookie again, by a signature. */
export function walletRecoveryRoutes(
  app: EepRoutes,
  { paywall, walletRecovery }: { readonly paywall: Paywall; readonly walletRecovery: WalletRecovery },
  { trustedOrigins }: { readonly trustedOrigins: readonly string[] },
): void {
  const trusted = new Set(trustedOrigins)
  const shared = { auth: 'none', limit: 'auth', tag: 'payments' } as const

  app.post(
    WALLET_NONCE_PATH,
    {
      config: routeConfig({
        ...shared,
        operationId: 'createPurchaseRecoveryNonce',
        summary: 'Create a nonce for the message with which a wallet recovers its purchases',
        errors: [walletRecoveryOff],
      }),
      schema: { response: { 200: challengeSchema } },
    },
    async (_request, reply) => {
      reply.header('cache-control', 'no-store')
      const { nonce, domain, uri, chainIds, expiresAt } = walletRecovery.challenge()
      return { nonce, domain, uri, chain_ids: [...chainIds], expires_at: expiresAt.toISOString() }
    },
  )

  app.post(
    WALLET_PROOF_PATH,
    {
      config: routeConfig({
        ...shared,
        operationId: 'recoverPurchasesOfWallet',
        summary: 'Recover the purchases of a wallet with a message that it signed (EIP-4361)',
        errors: [walletRecoveryOff, walletProofRefused, walletChainUnavailable, csrf],
      }),
      schema: { body: signedBody, response: { 200: recoveredSchema } },
    },
    async (request, reply) => {
      // Another site must not replace the payer cookie of a visitor.
      if (isForeign(request, trusted)) throw csrf()
      reply.header('cache-control', 'private, no-store')
      const payer = await walletRecovery.recover(request.body)
      if (payer) rememberBuyer(request, reply, paywall, payer)
      return { recovered: payer !== undefined, network: payer?.network ?? null }
    },
  )
}
