import { defineMessages } from '../../../model/messages.ts'

/** The titles of notifications about posts. */
export const feedNoticeMessages = defineMessages('notice-feed', {
  en: {
    aProfile: 'A profile',
    mentioned: '{who} mentioned {whom}',
    mentionedYou: '{who} mentioned you',
    replied: '{who} replied to {whom}',
    repliedYou: '{who} replied to you',
    manyReplied: '{count} profiles replied to {whom}',
    manyRepliedYou: '{count} profiles replied to you',
  },
  de: {
    aProfile: 'Ein Profil',
    mentioned: '{who} hat {whom} erwähnt',
    mentionedYou: '{who} hat Sie erwähnt',
    replied: '{who} hat {whom} geantwortet',
    repliedYou: '{who} hat Ihnen geantwortet',
    manyReplied: '{count} Profile haben {whom} geantwortet',
    manyRepliedYou: '{count} Profile haben Ihnen geantwortet',
  },
  ja: {
    aProfile: 'あるプロフィール',
    mentioned: '{who} が {whom} に言及しました',
    mentionedYou: '{who} があなたに言及しました',
    replied: '{who} が {whom} に返信しました',
    repliedYou: '{who} があなたに返信しました',
    manyReplied: '{count} 件のプロフィールが {whom} に返信しました',
    manyRepliedYou: '{count} 件のプロフィールがあなたに返信しました',
  },
  ar: {
    aProfile: 'ملف شخصي',
    mentioned: 'أشار {who} إلى {whom}',
    mentionedYou: 'أشار إليك {who}',
    replied: 'ردّ {who} على {whom}',
    repliedYou: 'ردّ عليك {who}',
    manyReplied: 'عدد الملفات التي ردّت على {whom}: {count}',
    manyRepliedYou: 'عدد الملفات التي ردّت عليك: {count}',
  },
})
