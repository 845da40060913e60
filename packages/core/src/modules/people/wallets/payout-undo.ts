import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { normalWallet } from '../../../kernel/wallet.ts'
import type { Account } from '../../../ports/storage/accounts.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { Payout, Wallet } from '../../../ports/storage/wallets.ts'
import type { Emit } from '../../../runtime/events/define-event.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import type { ChangeUndo } from '../accounts/index.ts'
import { payoutChanged } from './events.ts'
import type { WalletMailer } from './wallet-mailer.ts'

export interface PayoutUndoDeps extends GuardedStorage<'wallets'> {
  readonly changeUndo: ChangeUndo
  readonly mailer: Pick<WalletMailer, 'payoutsRestored'>
  /** Whether accounts sign in at this service with a password. */
  readonly hasPasswords: boolean
}

/** The enabled payouts of an account, as a link keeps them: their wallets may be unlinked meanwhile. */
const keptPayouts = z.array(
  z.object({
    network: z.string(),
    asset: z.string(),
    address: z.string(),
    chainId: z.int(),
    verifiedAt: z.coerce.date(),
    createdAt: z.coerce.date(),
  }),
)
type KeptPayout = z.output<typeof keptPayouts>[number]

const isOf = ({ address, chainId }: KeptPayout, wallet: Wallet | undefined): wallet is Wallet =>
  wallet !== undefined && wallet.chainId === chainId && normalWallet(wallet.address) === normalWallet(address)

/** Undoes changes of the wallets that accounts are paid to, by an emailed link. */
export function createPayoutUndo({ write, changeUndo, mailer, hasPasswords }: PayoutUndoDeps) {
  /** Pays an account as before a change: the payouts on every network, and the wallets that they need. */
  async function restore(
    tx: Stores<'wallets'>,
    emit: Emit,
    accountId: string,
    before: readonly KeptPayout[],
    changedAt: Date,
  ) {
    const linked = await tx.wallets.listOfAccount(accountId)
    const payouts = await tx.payouts.listOfAccount(accountId)
    const networks = new Set([...before, ...payouts].map(({ network }) => network))
    for (const network of networks) {
      const wanted = before.find((each) => each.network === network)
      const there = payouts.filter((each) => each.network === network)
      const walletOf = ({ walletId }: Payout) => linked.find(({ id }) => id === walletId)
      const enabled = there.find((each) => each.enabled)
      if (wanted ? enabled?.asset === wanted.asset && isOf(wanted, walletOf(enabled)) : !enabled) continue
      for (const payout of there) {
        const isReplaced = payout.enabled || payout.createdAt >= changedAt
        if (isReplaced || (wanted && isOf(wanted, walletOf(payout)))) await tx.payouts.delete(payout.id)
      }
      if (wanted) {
        const { address, chainId, verifiedAt, asset, createdAt } = wanted
        const wallet =
          linked.find((each) => isOf(wanted, each)) ??
          (await tx.wallets.put({ id: randomUUID(), accountId, address, chainId, verifiedAt }))
        await tx.payouts.insert({ accountId, walletId: wallet.id, network, asset, enabled: true, createdAt })
      }
      emit(payoutChanged, { network }, { accountId })
    }
  }

  return {
    /** Stores a link that restores the payouts of a locked account as they are now, on every network, and returns its secret. */
    async offer(tx: Stores<'wallets'>, account: Account): Promise<string | undefined> {
      const linked = await tx.wallets.listOfAccount(account.id)
      const payouts = (await tx.payouts.listOfAccount(account.id)).flatMap(
        ({ enabled, walletId, network, asset, createdAt }) => {
          const wallet = linked.find(({ id }) => id === walletId)
          if (!enabled || !wallet) return []
          const { address, chainId, verifiedAt } = wallet
          const times = { verifiedAt: verifiedAt.toISOString(), createdAt: createdAt.toISOString() }
          return [{ network, asset, address, chainId, ...times }]
        },
      )
      return changeUndo.offer(tx, 'undo_payout', account, { payouts })
    },

    /**
     * Pays an account as before the change that a link was sent about, on every network; payments already made stay where they went. Ends
     * every session, the password, and the API keys, passkeys, second factor and linked providers that were added since the change and in
     * the 72 hours before it. Links that undo later changes of payouts end; those of earlier changes, and those that undo changes of the
     * email address, stay valid. Of concurrent calls one succeeds.
     *
     * @throws `invalid_or_expired_token`
     */
    async undo(secret: string): Promise<void> {
      const link = await changeUndo.find('undo_payout', secret)
      const { accountId, email, changedAt } = link
      const before = keptPayouts.parse(link.data.payouts)
      const { account, password } = await write(async (tx, emit) => {
        const account = await changeUndo.use(tx, link, await tx.accounts.lock(accountId))
        await restore(tx, emit, accountId, before, changedAt)
        const kept = { undo_email: 'all', undo_payout: changedAt } as const
        const without = await changeUndo.endIntrusion(tx, emit, account, { changedAt, kept, reason: 'payout_restored' })
        await tx.accounts.save(accountId, without)
        // A person who changed the address too must not get a link to choose the password.
        const isTheirs = hasPasswords && account.email === email
        return { account, password: isTheirs ? await changeUndo.offerPassword(tx, account) : undefined }
      })
      mailer.payoutsRestored({ ...account, email }, password)
    },
  }
}

export type PayoutUndo = ReturnType<typeof createPayoutUndo>
