import { defineMessages } from '../../model/messages.ts'

/** What the layout adds to the text of an email. */
export const layoutMessages = defineMessages('email', {
  en: {
    // The address may have no account.
    greeting: 'Hello,',
    greetingNamed: 'Hello {name},',
    copy: 'Or copy this address into your browser:',
    sentBy: 'This email was sent by {service}.',
    imprint: 'Imprint',
  },
  de: {
    greeting: 'Guten Tag,',
    greetingNamed: 'Guten Tag {name},',
    copy: 'Oder kopieren Sie diese Adresse in Ihren Browser:',
    sentBy: 'Diese E-Mail wurde von {service} gesendet.',
    imprint: 'Impressum',
  },
  ja: {
    greeting: 'こんにちは。',
    greetingNamed: '{name} 様',
    copy: 'または、次のアドレスをブラウザーに貼り付けてください。',
    sentBy: 'このメールは {service} から送信されました。',
    imprint: '運営者情報',
  },
  ar: {
    greeting: 'مرحبًا،',
    greetingNamed: 'مرحبًا {name}،',
    copy: 'أو انسخ هذا العنوان إلى متصفحك:',
    sentBy: 'أُرسلت هذه الرسالة من {service}.',
    imprint: 'بيانات الناشر',
  },
})
