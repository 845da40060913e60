import { z } from 'zod'
import type { Html } from '../../../../http/html/html.ts'
import { boxHtml } from '../../../../http/html/inputs.ts'
import type { Caller } from '../../../../model/caller.ts'
import type { PageLanguage } from '../../../../model/messages.ts'
import { endAppsMessages } from '../messages.ts'

/** The apps that an account connected in its sessions. */
export interface EndedApps {
  /** Disconnects the apps that were connected in some sessions. Returns how many were connected. */
  endOfSessions(
    caller: Caller,
    which: { readonly id: string } | { readonly except: string | undefined },
  ): Promise<number>
  /** Returns the ids of the sessions in which apps were connected that still are. */
  sessionsOf(caller: Caller): Promise<ReadonlySet<string>>
}

/** Whether the form that ends sessions also disconnects the apps that were connected in them. */
export const endsApps = z
  .literal('yes')
  .optional()
  .transform((value) => value !== undefined)

/** Writes the box that disconnects apps when sessions end. It is ticked. */
export const endAppsHtml = (page: PageLanguage, id: string, isChecked = true): Html =>
  boxHtml({ name: 'apps', id, value: 'yes', label: endAppsMessages(page)('label'), isChecked })
