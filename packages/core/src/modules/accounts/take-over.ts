import type { Emit } from '../../events/catalog.ts'
import type { Clock } from '../../kernel/clock.ts'
import { evmNetwork } from '../../kernel/network.ts'
import type { Stores } from '../../ports/storage.ts'
import type { TokenPurpose } from '../tokens/index.ts'
import { confirmEmail } from './confirm-email.ts'
import type { Account } from './store.ts'

const PURPOSES = Object.keys({
  verify_email: true,
  reset_password: true,
  delete_account: true,
  siwe_nonce: true,
  oauth_state: true,
} satisfies Record<TokenPurpose, true>) as readonly TokenPurpose[]

export interface TakeOverDeps {
  readonly clock: Clock
  /** Revokes what was granted by hand at the profiles of an account, and to the account. */
  readonly revokeHandGrants: (tx: Stores, emit: Emit, accountId: string, at: Date) => Promise<void>
}

/**
 * Hands a locked account over to the owner of its email address, who proved it without being signed in. Whoever
 * registered the account never proved the address, so nothing they left may give access to it or to its profiles: sessions,
 * password, API keys, wallets and payouts, linked sign-in providers, open tokens, memberships in both directions,
 * invitations, pending transfers, grants by hand and administrator rights end. Profiles and their content stay.
 */
export type TakeOverAccount = (
  tx: Stores,
  emit: Emit,
  account: Account,
  next?: { readonly passwordHash?: string | undefined },
) => Promise<Account | undefined>

/** Builds the one function that takes accounts over, whichever way the address was proven. */
export function createTakeOver({ clock, revokeHandGrants }: TakeOverDeps): TakeOverAccount {
  async function endTeams(tx: Stores, emit: Emit, id: string, at: Date) {
    // First, because it locks the profiles: a request that was under way either has committed or is refused after.
    for (const { profileId, accountId } of await tx.members.deleteOfAccount(id)) {
      emit('teams.member_removed', { accountId }, { profileId, accountId: id })
    }
    await tx.invitations.deleteOfAccount(id)
    for (const { id: transferId, profileId, state } of await tx.transfers.endOfAccount(id, at)) {
      emit('teams.transfer_ended', { transferId, state }, { profileId, accountId: id })
    }
  }

  async function endCredentials(tx: Stores, emit: Emit, id: string, at: Date) {
    const origin = { accountId: id }
    await tx.sessions.deleteOfAccount(id)
    for (const purpose of PURPOSES) await tx.tokens.deleteOf(purpose, id)
    await tx.identities.deleteOfAccount(id)
    for (const key of await tx.apiKeys.listOfAccount(id)) {
      for (const { id: keyId } of await tx.apiKeys.revoke(key.id, id, at)) {
        emit('api_keys.key_revoked', { keyId }, origin)
      }
    }
    for (const wallet of await tx.wallets.listOfAccount(id)) {
      await tx.wallets.delete(wallet.id)
      emit('wallets.wallet_unlinked', { walletId: wallet.id, network: evmNetwork(wallet.chainId) }, origin)
    }
    for (const payout of await tx.payouts.listOfAccount(id)) {
      await tx.payouts.delete(payout.id)
      emit('wallets.payout_changed', { network: payout.network }, origin)
    }
  }

  return async function takeOverAccount(tx, emit, account, { passwordHash } = {}) {
    const { id, tokenVersion, isAdmin } = account
    const at = clock()
    await endTeams(tx, emit, id, at)
    await revokeHandGrants(tx, emit, id, at)
    await endCredentials(tx, emit, id, at)
    const origin = { accountId: id }
    if (isAdmin) emit('accounts.admin_changed', { accountId: id, isAdmin: false }, origin)
    emit('accounts.account_taken_over', origin, origin)
    return confirmEmail(tx, emit, account, {
      passwordHash: passwordHash ?? null,
      tokenVersion: tokenVersion + 1,
      isAdmin: false,
    })
  }
}
