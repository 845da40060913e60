import type { Caller } from '../../../model/caller.ts'
import type { SignalEvent } from './envelope.ts'
import { hasScopeFor } from './private-scopes.ts'

/** An account that reads events, the only profile that it may act for, and what its credential permits. */
type ReadingCaller = Pick<Caller, 'profileId' | 'scopes' | 'app'> & { readonly account: Pick<Caller['account'], 'id'> }

/** A reader of events, which determines the events that it may receive. */
export type SignalReader =
  /** Anyone: public events. */
  | { readonly kind: 'anyone' }
  /** An account: public events, and those of its teams and of itself. */
  | { readonly kind: 'caller'; readonly caller: ReadingCaller }
  /** A profile of an account: public events of the profiles that it follows, and the events of its team. */
  | {
      readonly kind: 'following'
      readonly caller: ReadingCaller
      readonly profileId: number
      /** The profiles that it currently follows. */
      readonly followed: ReadonlySet<number>
    }

/** Whether a reader may receive an event. Uses data that was loaded with the event, so it needs no query per reader. */
export function mayReceive({ type, recipients, profileId }: SignalEvent, reader: SignalReader): boolean {
  if (recipients.kind === 'everyone') {
    return reader.kind !== 'following' || (profileId !== null && reader.followed.has(profileId))
  }
  // It is delivered to that webhook without a reader.
  if (recipients.kind === 'webhook') return false
  if (reader.kind === 'anyone') return false
  const { account, profileId: only, scopes, app } = reader.caller
  if (!hasScopeFor(scopes, type, recipients.kind)) return false
  if (recipients.kind === 'account') {
    // An API key of one profile acts for that profile and not for the account.
    return reader.kind === 'caller' && only === undefined && recipients.accountId === account.id
  }
  return recipients.teams.some(
    (team) =>
      team.accountIds.has(account.id) &&
      (!app || team.appsOf === undefined || team.appsOf === account.id) &&
      (only === undefined || only === team.profileId) &&
      (reader.kind === 'caller' || reader.profileId === team.profileId),
  )
}
