import { defineMessages } from '../../model/messages.ts'

/** The values of fields that people wrote, as far as they have words of their own. */
export const fieldMessages = defineMessages('field', {
  en: { yes: 'yes', no: 'no' },
  de: { yes: 'ja', no: 'nein' },
  ja: { yes: 'はい', no: 'いいえ' },
  ar: { yes: 'نعم', no: 'لا' },
})
