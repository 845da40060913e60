import type { PageLanguage } from '../../../model/messages.ts'
import type { ProfileField } from '../../../model/profile-fields.ts'
import { changelogMessages, profileMessages } from './messages.ts'

/** The name of a field of profiles in the language of a page. */
export function fieldName(field: ProfileField, page: PageLanguage): string {
  if (field === 'files') return profileMessages(page)('files')
  if (field === 'smart_sections') return profileMessages(page)('sections')
  return changelogMessages(page)(field)
}
