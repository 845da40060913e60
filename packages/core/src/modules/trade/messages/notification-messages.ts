import { defineMessages } from '../../../model/messages.ts'

/** The titles of notifications about messages. */
export const messageNoticeMessages = defineMessages('notice-message', {
  en: {
    aProfile: 'A profile',
    wrote: '{who} wrote to {whom}',
    wroteYou: '{who} wrote to you',
  },
  de: {
    aProfile: 'Ein Profil',
    wrote: '{who} hat {whom} geschrieben',
    wroteYou: '{who} hat Ihnen geschrieben',
  },
  ja: {
    aProfile: 'あるプロフィール',
    wrote: '{who} が {whom} にメッセージを送りました',
    wroteYou: '{who} があなたにメッセージを送りました',
  },
  ar: {
    aProfile: 'ملف شخصي',
    wrote: 'كتب {who} إلى {whom}',
    wroteYou: 'كتب إليك {who}',
  },
})
