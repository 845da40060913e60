import type { TakeOverStep } from '../../../framework/module/context.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Account } from '../../../ports/storage/accounts.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { TokenPurpose } from '../../../ports/storage/tokens.ts'
import type { Emit } from '../../../runtime/events/define-event.ts'
import { confirmEmail } from './confirm-email.ts'
import { endSessions } from './end-sessions.ts'
import { accountTakenOver, adminChanged } from './events.ts'

const PURPOSES = Object.keys({
  verify_email: true,
  reset_password: true,
  change_email: true,
  undo_email: true,
  undo_payout: true,
  delete_account: true,
  siwe_nonce: true,
  oauth_state: true,
  recover_purchases: true,
  passkey_registration: true,
  passkey_sign_in: true,
  second_factor: true,
} satisfies Record<TokenPurpose, true>) as readonly TokenPurpose[]

/** The open tokens that stay valid, by purpose: all of them, or those that were created until a time. */
export type KeptLinks = Partial<Readonly<Record<TokenPurpose, Date | 'all'>>>

/** Ends every open token of an account, except the kept ones. */
export async function deleteTokens(tx: Stores, accountId: string, kept: KeptLinks = {}): Promise<void> {
  for (const purpose of PURPOSES) {
    const until = kept[purpose]
    if (until !== 'all') await tx.tokens.deleteOf(purpose, accountId, until)
  }
}

export interface TakeOverDeps {
  readonly clock: Clock
  /** The accesses that other modules end, in the order of the modules. */
  readonly takeOvers: readonly TakeOverStep[]
}

/**
 * Hands a locked account over to the owner of its email address, who proved it without being signed in. The person who
 * registered the account never proved the address, so nothing they created may give access to it or to its profiles: sessions,
 * password, passkeys, API keys, wallets and payouts, linked sign-in providers, open tokens, memberships in both directions,
 * invitations, pending transfers, manual grants and administrator rights end. Profiles and their content stay; those that
 * waited for the verified address stay private.
 */
export type TakeOverAccount = (
  tx: Stores,
  emit: Emit,
  account: Account,
  next?: { readonly passwordHash?: string | undefined },
) => Promise<Account | undefined>

/** Creates the function that takes accounts over, for every kind of proof of the address. */
export function createTakeOver({ clock, takeOvers }: TakeOverDeps): TakeOverAccount {
  async function endCredentials(tx: Stores, emit: Emit, id: string) {
    await endSessions(tx, emit, id, 'account_taken_over')
    await deleteTokens(tx, id)
  }

  return async function takeOverAccount(tx, emit, account, { passwordHash } = {}) {
    const { id, tokenVersion, isAdmin } = account
    const at = clock()
    for (const takeOver of takeOvers) await takeOver(tx, emit, id, at)
    await endCredentials(tx, emit, id)
    const origin = { accountId: id }
    if (isAdmin) emit(adminChanged, { accountId: id, isAdmin: false }, origin)
    emit(accountTakenOver, origin, origin)
    return confirmEmail(tx, emit, account, {
      passwordHash: passwordHash ?? null,
      tokenVersion: tokenVersion + 1,
      isAdmin: false,
    })
  }
}
