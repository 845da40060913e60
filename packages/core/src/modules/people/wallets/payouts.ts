import type { Clock } from '../../../kernel/clock.ts'
import { caip2Of, evmNetwork } from '../../../kernel/network.ts'
import type { Caller } from '../../../model/caller.ts'
import type { PaymentRail } from '../../../ports/payment-rail.ts'
import type { Payout } from '../../../ports/storage/wallets.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { lockCaller } from '../../../runtime/storage/lock-caller.ts'
import type { ReadCache } from '../../../runtime/storage/read-cache.ts'
import { assetNotOffered, networkNotOffered, payoutNotFound, walletNotFound, walletOfOtherNetwork } from './errors.ts'
import { payoutChanged } from './events.ts'
import type { PayoutUndo } from './payout-undo.ts'
import type { WalletMailer } from './wallet-mailer.ts'

export interface PayoutDeps extends GuardedStorage<'wallets'> {
  readonly clock: Clock
  readonly cache: ReadCache
  readonly mailer: Pick<WalletMailer, 'payoutChanged'>
  readonly undo: PayoutUndo
  readonly rails: readonly PaymentRail[]
}

/** A payout: one wallet on one network. */
export interface PayoutChoice {
  readonly walletId: string
  /** CAIP-2, or an alias. */
  readonly network: string
  /** Default: that of the rail. */
  readonly asset?: string | undefined
}

const sameAsset = (left: string, right: string) => left.toLowerCase() === right.toLowerCase()

/** Payouts: the addresses that receive the payments of accounts. */
export function createPayoutService({ read, write, clock, cache, mailer, undo, rails }: PayoutDeps) {
  /** The asset of a network, as the rail spells it. */
  function assetOn(network: string, wanted: string | undefined): string {
    const offered = rails
      .flatMap(({ info }) => info?.accepts ?? [])
      .filter((accepted) => accepted.network === network)
      .map(({ asset }) => asset)
    const [first] = offered
    if (first === undefined) throw networkNotOffered({ details: { network } })
    if (wanted === undefined) return first
    const asset = offered.find((each) => sameAsset(each, wanted))
    if (asset === undefined) throw assetNotOffered({ details: { offered } })
    return asset
  }

  return {
    /** The enabled address of an account for each network, which offers contain. */
    addressesOf: (accountId: string): Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>> =>
      cache.get(`payouts:${accountId}`, async () => ({ value: await read.payouts.addressesOf(accountId), accountId })),

    /** The payouts of an account, oldest first, enabled or not. */
    list: ({ account }: Caller): Promise<readonly Payout[]> => read.payouts.listOfAccount(account.id),

    /**
     * Sets the wallet to which an account is paid on a network, in place of another one. The owner gets an email with a link that
     * undoes it when payments go to another wallet than before.
     *
     * @throws `wallet_not_found`, `network_not_offered`, `asset_not_offered`, `wallet_of_other_network`
     */
    async choose({ walletId, ...choice }: PayoutChoice, caller: Caller): Promise<Payout> {
      const network = caip2Of(choice.network)
      const { account, payout, wallet, isChanged, secret } = await write(async (tx, emit) => {
        const account = await lockCaller(tx, caller)
        const wallet = await tx.wallets.get(walletId)
        if (wallet?.accountId !== account.id) throw walletNotFound()
        const asset = assetOn(network, choice.asset)
        // A contract wallet may have another owner, or none, on another chain.
        if (evmNetwork(wallet.chainId) !== network) throw walletOfOtherNetwork()

        // It replaces an earlier payout of the same wallet, and payouts of unlinked wallets.
        const payouts = (await tx.payouts.listOfAccount(account.id)).filter((each) => each.network === network)
        const isChanged = !payouts.some((each) => each.enabled && each.walletId === walletId)
        const secret = isChanged ? await undo.offer(tx, account) : undefined
        const replaced = payouts.filter((each) => each.walletId === walletId || each.walletId === null)
        for (const { id } of replaced) await tx.payouts.delete(id)
        emit(payoutChanged, { network }, { accountId: account.id })
        const payout = await tx.payouts.insert({
          accountId: account.id,
          walletId,
          network,
          asset,
          enabled: true,
          createdAt: clock(),
        })
        return { account, payout, wallet, isChanged, secret }
      })
      if (isChanged) mailer.payoutChanged(account, { network, address: wallet.address }, secret)
      return payout
    },

    /**
     * Removes a payout; sales on its network are then paid to the platform. If it was enabled, the owner gets an email with a link that
     * undoes it.
     *
     * @throws `payout_not_found`
     */
    async remove(id: number, caller: Caller): Promise<void> {
      const { account, payout, secret } = await write(async (tx, emit) => {
        const account = await lockCaller(tx, caller)
        const payout = await tx.payouts.get(id)
        if (payout?.accountId !== account.id) throw payoutNotFound()
        const secret = payout.enabled ? await undo.offer(tx, account) : undefined
        if (!(await tx.payouts.delete(id))) throw payoutNotFound()
        emit(payoutChanged, { network: payout.network }, { accountId: account.id })
        return { account, payout, secret }
      })
      if (payout.enabled) mailer.payoutChanged(account, { network: payout.network, address: null }, secret)
    },

    undo: undo.undo,
  }
}

/** The service of payouts. */
export type PayoutService = ReturnType<typeof createPayoutService>
