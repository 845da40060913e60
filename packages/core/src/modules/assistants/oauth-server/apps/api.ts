import type { Page, PageRequest } from '../../../../kernel/page.ts'
import type { Caller } from '../../../../model/caller.ts'
import type { AppConnection } from '../../../../ports/storage/connected-apps.ts'
import type { AppChanges } from './service.ts'

/** The methods of `app.eep.connectedApps`. */
export interface ConnectedAppsApi {
  /** Returns the live connections of the caller, newest first. */
  list(caller: Caller, page: PageRequest): Promise<Page<AppConnection>>
  /**
   * Returns a live connection of the caller.
   *
   * @throws `connected_app_not_found`
   */
  get(id: string, caller: Caller): Promise<AppConnection>
  /**
   * Changes what an app may do, from its next request on. To allow more than before needs a recent proof of the person.
   *
   * @throws `connected_app_not_found`, `app_cannot_spend`, `app_profile_not_allowed`, `recent_sign_in_required`
   */
  update(id: string, changes: AppChanges, caller: Caller): Promise<AppConnection>
  /**
   * Disconnects an app of the caller.
   *
   * @throws `connected_app_not_found` also when a concurrent call ended it
   */
  end(id: string, caller: Caller): Promise<void>
  /** Disconnects all apps of the caller, for example after a change of the password. Returns how many were connected. */
  endAll(caller: Caller): Promise<number>
}
