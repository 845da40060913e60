import { wordsOf } from '../../../model/field-values.ts'
import type { PageLanguage } from '../../../model/messages.ts'
import { CAPABILITIES } from './capabilities.ts'
import { traitMessages } from './messages.ts'

/** The name of a trait in the language of a page. */
export function traitName(trait: string, page: PageLanguage): string {
  const known = CAPABILITIES.find((each) => each === trait)
  return known === undefined ? wordsOf(trait) : traitMessages(page)(known)
}
