import type { TakeOverStep } from '../../../framework/module/context.ts'
import { memberRemoved, transferEnded } from './events.ts'

/**
 * Ends memberships in both directions, invitations and pending transfers of an account. It locks the profiles, so it comes
 * before the other steps: a concurrent request has either committed already or is refused afterwards.
 */
export const endTeamAccess: TakeOverStep<'teams'> = async (tx, emit, id, at) => {
  for (const { profileId, accountId } of await tx.members.deleteOfAccount(id)) {
    emit(memberRemoved, { accountId }, { profileId, accountId: id })
  }
  await tx.invitations.deleteOfAccount(id)
  for (const { id: transferId, profileId, state } of await tx.transfers.endOfAccount(id, at)) {
    emit(transferEnded, { transferId, state }, { profileId, accountId: id })
  }
}
