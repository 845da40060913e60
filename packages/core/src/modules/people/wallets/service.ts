import { randomBytes, randomUUID } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import { sha256 } from '../../../kernel/digest.ts'
import { evmNetwork } from '../../../kernel/network.ts'
import type { Caller } from '../../../model/caller.ts'
import type { Wallet } from '../../../ports/storage/wallets.ts'
import type { WalletVerifier } from '../../../ports/wallet-verifier.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { lockCaller } from '../../../runtime/storage/lock-caller.ts'
import {
  invalidWalletSignature,
  siweNonceRefused,
  walletChainUnavailable,
  walletFlowDisabled,
  walletInUse,
  walletNotFound,
} from './errors.ts'
import { payoutChanged, walletLinked, walletUnlinked } from './events.ts'
import type { PayoutUndo } from './payout-undo.ts'
import { readSiweMessage } from './siwe-message.ts'
import type { WalletMailer } from './wallet-mailer.ts'

const NONCE_MINUTES = 10

export interface WalletDeps extends GuardedStorage<'wallets'> {
  readonly clock: Clock
  /** Undefined when linking of wallets is off. */
  readonly verifier: WalletVerifier | undefined
  readonly mailer: Pick<WalletMailer, 'linked' | 'payoutChanged'>
  readonly undo: Pick<PayoutUndo, 'offer'>
  /** The site whose pages ask wallets to sign. */
  readonly siteUrl: string
}

/** The message that a wallet must sign. */
export interface WalletChallenge {
  readonly nonce: string
  readonly domain: string
  readonly uri: string
  readonly expiresAt: Date
}

/** Links wallets by signed messages (EIP-4361). */
export function createWalletService({ read, write, clock, verifier, mailer, undo, siteUrl }: WalletDeps) {
  const { host: domain } = new URL(siteUrl)

  function requireVerifier(): WalletVerifier {
    if (!verifier) throw walletFlowDisabled()
    return verifier
  }

  return {
    /**
     * Issues a nonce for one message of an account.
     *
     * @throws `wallet_flow_disabled`
     */
    async challenge({ account }: Caller): Promise<WalletChallenge> {
      requireVerifier()
      const nonce = randomBytes(16).toString('hex')
      const createdAt = clock()
      const expiresAt = new Date(createdAt.getTime() + NONCE_MINUTES * 60_000)
      await write((tx) =>
        tx.tokens.put({
          id: randomUUID(),
          purpose: 'siwe_nonce',
          hash: sha256(nonce),
          accountId: account.id,
          data: {},
          triesLeft: null,
          createdAt,
          expiresAt,
        }),
      )
      return { nonce, domain, uri: siteUrl, expiresAt }
    },

    /**
     * Links the wallet that signed a message. The nonce is consumed last: an invalid signature leaves it valid, and of concurrent
     * requests with the same message one links the wallet. The owner gets an email unless the wallet was linked before.
     *
     * @throws errors with status 400 for an invalid message, `invalid_wallet_signature`, `siwe_nonce_refused`, `wallet_flow_disabled`
     */
    async link(signed: { readonly message: string; readonly signature: string }, caller: Caller): Promise<Wallet> {
      const { account } = caller
      const wallets = requireVerifier()
      const { message, signature } = signed
      const said = await readSiweMessage(message, { domain, uri: siteUrl, chainIds: wallets.chainIds, now: clock() })
      const { address, chainId, nonce } = said

      const isTheirs = await wallets.verify({ address, chainId, message, signature }).catch((error: unknown) => {
        throw walletChainUnavailable({ retryAfterMs: 5_000, cause: error })
      })
      if (!isTheirs) throw invalidWalletSignature()

      const id = randomUUID()
      const wallet = await write(async (tx, emit) => {
        await lockCaller(tx, caller)
        const taken = await tx.tokens.consume({ purpose: 'siwe_nonce', hash: sha256(nonce), accountId: account.id })
        if (!taken) throw siweNonceRefused()
        const wallet = await tx.wallets.put({
          id,
          accountId: account.id,
          address,
          chainId,
          verifiedAt: clock(),
        })
        const network = evmNetwork(chainId)
        emit(walletLinked, { walletId: wallet.id, network }, { accountId: account.id })
        return wallet
      })
      // A wallet that was verified again keeps its id.
      if (wallet.id === id) mailer.linked(account, wallet)
      return wallet
    },

    /** The wallets of an account, oldest first. */
    list: ({ account }: Caller): Promise<readonly Wallet[]> => read.wallets.listOfAccount(account.id),

    /**
     * Unlinks a wallet. With `force` the payouts that go to it are disabled first; they stay in the list, without a wallet, and the owner
     * gets an email with a link that undoes it.
     *
     * @throws `wallet_not_found`, `wallet_in_use` while an enabled payout goes to it
     */
    async unlink(id: string, caller: Caller, force: boolean): Promise<void> {
      const { account, disabled, secret } = await write(async (tx, emit) => {
        // The wallet must not be bound to a payout in between.
        const account = await lockCaller(tx, caller)
        const wallet = await tx.wallets.get(id)
        if (wallet?.accountId !== account.id) throw walletNotFound()

        const payouts = await tx.payouts.listOfAccount(account.id)
        const bound = payouts.filter(({ walletId, enabled }) => walletId === id && enabled)
        if (bound.length > 0 && !force) throw walletInUse({ details: { payouts: bound.map((payout) => payout.id) } })
        const secret = bound.length > 0 ? await undo.offer(tx, account) : undefined

        await tx.payouts.disableOfWallet(id)
        await tx.wallets.delete(id)
        const origin = { accountId: account.id }
        for (const { network } of bound) emit(payoutChanged, { network }, origin)
        emit(walletUnlinked, { walletId: id, network: evmNetwork(wallet.chainId) }, origin)
        return { account, disabled: bound[0], secret }
      })
      // A wallet receives payments on its own network only.
      if (disabled) mailer.payoutChanged(account, { network: disabled.network, address: null }, secret)
    },
  }
}

/** The service of wallets. */
export type WalletService = ReturnType<typeof createWalletService>
