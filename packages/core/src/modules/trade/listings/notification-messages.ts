import { defineMessages } from '../../../model/messages.ts'

/** The titles of notifications about reviews. */
export const reviewMessages = defineMessages('notice-review', {
  en: {
    one: '"{title}" was reviewed: {score} of 5',
    many: '{count} reviews of "{title}"',
  },
  de: {
    one: '„{title}“ wurde bewertet: {score} von 5',
    many: '{count} Bewertungen für „{title}“',
  },
  ja: {
    one: '「{title}」にレビューが投稿されました：5 点中 {score} 点',
    many: '「{title}」のレビュー {count} 件',
  },
  ar: {
    one: 'قُيّمت «{title}»: {score} من 5',
    many: 'عدد تقييمات «{title}»: {count}',
  },
})
