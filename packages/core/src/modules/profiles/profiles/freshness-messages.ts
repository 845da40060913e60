import { defineMessages } from '../../../model/messages.ts'

/** The texts of the page with the times of the last changes of a profile. */
export const freshnessMessages = defineMessages('freshness', {
  en: {
    title: 'Last changes of {name}',
    profile: 'Profile',
    contents: 'Contents',
    none: 'No pages',
    revision: 'Revision',
  },
  de: {
    title: 'Letzte Änderungen von {name}',
    profile: 'Profil',
    contents: 'Inhalte',
    none: 'Keine Seiten',
    revision: 'Revision',
  },
  ja: {
    title: '{name} の最終更新',
    profile: 'プロフィール',
    contents: 'コンテンツ',
    none: 'ページはありません',
    revision: 'リビジョン',
  },
  ar: {
    title: 'آخر تغييرات {name}',
    profile: 'الملف الشخصي',
    contents: 'المحتويات',
    none: 'لا توجد صفحات',
    revision: 'المراجعة',
  },
})
