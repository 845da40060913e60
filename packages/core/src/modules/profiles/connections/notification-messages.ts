import { defineMessages } from '../../../model/messages.ts'

/** The titles of notifications about followers. */
export const followMessages = defineMessages('notice-follow', {
  en: {
    aProfile: 'A profile',
    one: '{who} followed {whom}',
    oneYou: '{who} followed you',
    many: '{count} profiles followed {whom}',
    manyYou: '{count} profiles followed you',
  },
  de: {
    aProfile: 'Ein Profil',
    one: '{who} folgt jetzt {whom}',
    oneYou: '{who} folgt Ihnen jetzt',
    many: '{count} Profile folgen jetzt {whom}',
    manyYou: '{count} Profile folgen Ihnen jetzt',
  },
  ja: {
    aProfile: 'あるプロフィール',
    one: '{who} が {whom} をフォローしました',
    oneYou: '{who} があなたをフォローしました',
    many: '{count} 件のプロフィールが {whom} をフォローしました',
    manyYou: '{count} 件のプロフィールがあなたをフォローしました',
  },
  ar: {
    aProfile: 'ملف شخصي',
    one: '{who} يتابع {whom} الآن',
    oneYou: '{who} يتابعك الآن',
    many: 'عدد الملفات التي بدأت متابعة {whom}: {count}',
    manyYou: 'عدد الملفات التي بدأت متابعتك: {count}',
  },
})
