import { z } from 'zod'
import type { Html } from '../../../../http/html/html.ts'
import { boxHtml } from '../../../../http/html/inputs.ts'
import type { PageLanguage } from '../../../../model/messages.ts'
import { endAppsMessages } from '../messages.ts'

/** Whether the form that ends sessions also disconnects the apps that were connected in them. */
export const endsApps = z
  .literal('yes')
  .optional()
  .transform((value) => value !== undefined)

/** Writes the box that disconnects apps when sessions end. It is ticked. */
export const endAppsHtml = (page: PageLanguage, id: string, isChecked = true): Html =>
  boxHtml({ name: 'apps', id, value: 'yes', label: endAppsMessages(page)('label'), isChecked })
