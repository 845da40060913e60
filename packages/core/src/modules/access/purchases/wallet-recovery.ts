import { type PayerHint, readPayer } from '../../../model/payer.ts'
import type { SignInChallenge, SignIns } from '../../people/wallets/index.ts'
import { walletProofRefused, walletRecoveryOff } from './errors.ts'
import type { PurchaseService } from './purchases.ts'

export interface WalletRecoveryDeps {
  /** Undefined when no wallet can be proven. */
  readonly signIns: Pick<SignIns, 'challenge' | 'proveMessage'> | undefined
  readonly purchases: Pick<PurchaseService, 'hasAny'>
  /** The page that asks wallets to sign. */
  readonly pageUrl: string
}

/** Restores access to purchases for buyers who prove the wallet that paid. */
export function createWalletRecovery({ signIns, purchases, pageUrl }: WalletRecoveryDeps) {
  /** The proven wallet on the first of these networks on which it bought something. */
  async function payerOn(wallet: string, networks: readonly string[]): Promise<PayerHint | undefined> {
    for (const network of networks) {
      const payer = readPayer(wallet, network)
      if (payer && (await purchases.hasAny(payer))) return payer
    }
    return undefined
  }

  return {
    /** Whether wallets can prove anything. */
    isOffered: () => signIns?.challenge(pageUrl) !== undefined,

    /** Whether wallets can prove something on the pages of the service at this URL, whose origin wallets compare. */
    isOfferedAt: (url: string) =>
      signIns?.challenge(pageUrl) !== undefined && new URL(url).origin === new URL(pageUrl).origin,

    /**
     * Issues what a wallet signs. Nothing is stored until the message is used.
     *
     * @throws `wallet_recovery_off`
     */
    challenge(): SignInChallenge {
      const challenge = signIns?.challenge(pageUrl)
      if (!challenge) throw walletRecoveryOff()
      return challenge
    },

    /**
     * Returns the payer that a signed message proves, on the network it signed for or else on another one; undefined when it
     * bought nothing. A message works once.
     *
     * @throws `wallet_recovery_off`, `wallet_proof_refused`, `wallet_chain_unavailable`
     */
    async recover(signed: { readonly message: string; readonly signature: string }): Promise<PayerHint | undefined> {
      if (!signIns?.challenge(pageUrl)) throw walletRecoveryOff()
      const proven = await signIns.proveMessage(signed, pageUrl)
      if (proven.is === 'refused') throw walletProofRefused({ details: { reason: proven.reason } })
      const { wallet, network } = proven
      return (await payerOn(wallet, [network])) ?? payerOn(wallet, await proven.others())
    },
  }
}

/** Recovery by wallets. */
export type WalletRecovery = ReturnType<typeof createWalletRecovery>
