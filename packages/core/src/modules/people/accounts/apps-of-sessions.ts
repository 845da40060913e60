import type { Caller } from '../../../model/caller.ts'

/** The apps that accounts connected in their sessions. */
export interface AppsOfSessions {
  /** Disconnects the apps that were connected in some sessions. Returns how many were connected. */
  endOfSessions(
    caller: Caller,
    which: { readonly id: string } | { readonly except: string | undefined },
  ): Promise<number>
  /** Returns the ids of the sessions in which apps were connected that still are. */
  sessionsOf(caller: Caller): Promise<ReadonlySet<string>>
}
