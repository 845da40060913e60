import { wordsOf } from '../../../model/field-values.ts'
import type { PageLanguage } from '../../../model/messages.ts'
import { changelogMessages } from './messages.ts'
import { isOwnField } from './own-fields.ts'
import type { ProfileView } from './view.ts'

/** The name of a field of profiles, or of a part of one, in the language of a page. */
export function fieldName(field: string, { parts }: Pick<ProfileView, 'parts'>, page: PageLanguage): string {
  if (isOwnField(field)) return changelogMessages(page)(field)
  return parts.find(({ part }) => part.key === field)?.part.title(page) ?? wordsOf(field)
}
