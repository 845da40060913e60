import { workspaceEvents } from '../modules/insight/workspaces/events.ts'
import { teamEvents } from '../modules/people/teams/events.ts'
import { profileEvents } from '../modules/profiles/profiles/events.ts'
import type { ErasedAccount } from '../ports/storage/erasure.ts'
import type { Stores } from '../ports/storage/storage.ts'
import { keptOnErasure, ownershipEvents } from '../runtime/events/catalogue.ts'
import { eraseFromGroups } from '../runtime/storage/erase-account.ts'

const OWNERSHIP = ownershipEvents([...profileEvents, ...teamEvents])
const KEPT = keptOnErasure(workspaceEvents)

/** Locks an account to erase it, with the events of this package. */
export const lockForErasure = (tx: Stores, id: string): Promise<ErasedAccount | undefined> =>
  tx.accounts.lockForErasure(id, OWNERSHIP)

/**
 * Erases an account from every group of a storage, as the service does after the grace period, but without the steps of
 * modules. Returns false when it does not exist.
 */
export async function eraseAccount(tx: Stores, id: string): Promise<boolean> {
  const account = await lockForErasure(tx, id)
  if (!account) return false
  await eraseFromGroups(tx, account, KEPT)
  return true
}
