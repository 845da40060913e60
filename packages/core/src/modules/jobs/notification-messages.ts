import { defineMessages } from '../../model/messages.ts'

/** The titles of notifications about jobs. */
export const jobNoticeMessages = defineMessages('notice-job', {
  en: {
    succeeded: 'The job "{kind}" finished',
    failed: 'The job "{kind}" failed',
    manySucceeded: '{count} jobs "{kind}" finished',
    manyFailed: '{count} jobs "{kind}" failed',
  },
  de: {
    succeeded: 'Der Auftrag „{kind}“ ist fertig',
    failed: 'Der Auftrag „{kind}“ ist fehlgeschlagen',
    manySucceeded: '{count} Aufträge „{kind}“ sind fertig',
    manyFailed: '{count} Aufträge „{kind}“ sind fehlgeschlagen',
  },
  ja: {
    succeeded: 'ジョブ「{kind}」が完了しました',
    failed: 'ジョブ「{kind}」が失敗しました',
    manySucceeded: '{count} 件のジョブ「{kind}」が完了しました',
    manyFailed: '{count} 件のジョブ「{kind}」が失敗しました',
  },
  ar: {
    succeeded: 'اكتملت المهمة «{kind}»',
    failed: 'فشلت المهمة «{kind}»',
    manySucceeded: 'عدد المهام «{kind}» المكتملة: {count}',
    manyFailed: 'عدد المهام «{kind}» الفاشلة: {count}',
  },
})
