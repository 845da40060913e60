import { defineMessages } from '../../model/messages.ts'

/** The words for boolean values of fields. */
export const fieldMessages = defineMessages('field', {
  en: { yes: 'yes', no: 'no' },
  de: { yes: 'ja', no: 'nein' },
  ja: { yes: 'はい', no: 'いいえ' },
  ar: { yes: 'نعم', no: 'لا' },
})
