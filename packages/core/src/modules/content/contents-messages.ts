import { defineMessages } from '../../model/messages.ts'

/** The texts of a table of contents about pages that its reader bought, or was granted. */
export const contentsMessages = defineMessages('contents', {
  en: { access: 'You have access', accessUntil: 'You have access until {date}' },
  de: { access: 'Sie haben Zugang', accessUntil: 'Sie haben Zugang bis {date}' },
  ja: { access: '閲覧できます', accessUntil: '{date}まで閲覧できます' },
  ar: { access: 'لديك حق الوصول', accessUntil: 'لديك حق الوصول حتى {date}' },
})
