import { defineMessages } from '../../../model/messages.ts'

/** The texts of the page that unsubscribes from emails. */
export const unsubscribeMessages = defineMessages('unsubscribe', {
  en: {
    title: 'Emails',
    ask: 'Unsubscribe from these emails?',
    askLead: 'Your notifications stay in your account.',
    button: 'Unsubscribe',
    ended: 'You have unsubscribed from these emails',
    endedLead: 'The notifications stay in your account, where you see them when you sign in.',
    refused: 'This link does not work',
    refusedLead: 'This service did not issue it.',
  },
  de: {
    title: 'E-Mails',
    ask: 'Diese E-Mails abbestellen?',
    askLead: 'Ihre Benachrichtigungen bleiben in Ihrem Konto.',
    button: 'Abbestellen',
    ended: 'Sie haben diese E-Mails abbestellt',
    endedLead: 'Die Benachrichtigungen bleiben in Ihrem Konto, wo Sie sie nach der Anmeldung sehen.',
    refused: 'Dieser Link funktioniert nicht',
    refusedLead: 'Er stammt nicht von diesem Dienst.',
  },
  ja: {
    title: 'メール',
    ask: 'これらのメールの配信を停止しますか？',
    askLead: '通知はアカウントに残ります。',
    button: '配信を停止',
    ended: 'これらのメールの配信を停止しました',
    endedLead: '通知はアカウントに残り、ログインすると確認できます。',
    refused: 'このリンクは使えません',
    refusedLead: 'このサービスが発行したものではありません。',
  },
  ar: {
    title: 'رسائل البريد',
    ask: 'هل تريد إلغاء الاشتراك في هذه الرسائل؟',
    askLead: 'تبقى إشعاراتك في حسابك.',
    button: 'إلغاء الاشتراك',
    ended: 'ألغيت الاشتراك في هذه الرسائل',
    endedLead: 'تبقى الإشعارات في حسابك، ويمكنك رؤيتها بعد تسجيل الدخول.',
    refused: 'هذا الرابط لا يعمل',
    refusedLead: 'لم تصدره هذه الخدمة.',
  },
})
