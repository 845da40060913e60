import { z } from 'zod'
import { sentence } from '../../../kernel/isolation.ts'
import { defineEmail } from '../../../runtime/email/define-email.ts'

/** Reports that a passkey was added to an account. Its name is left out, because a client chose it. */
export const passkeyAddedEmail = defineEmail('passkey-added', {
  summary: 'a passkey is added to an account',
  data: z.object({}),
  texts: {
    en: (_, { service }) => ({
      subject: sentence`A passkey was added to your account at ${service}`,
      paragraphs: [
        'It can sign in to your account.',
        'If it was not you, another person is signed in to your account: delete the passkey and change your password, which ends every session.',
      ],
    }),
    de: (_, { service }) => ({
      subject: sentence`Ihrem Konto bei ${service} wurde ein Passkey hinzugefügt`,
      paragraphs: [
        'Mit ihm kann man sich in Ihrem Konto anmelden.',
        'Wenn Sie das nicht waren, ist eine andere Person in Ihrem Konto angemeldet: Löschen Sie den Passkey und ändern Sie Ihr Passwort. Das beendet alle Sitzungen.',
      ],
    }),
    ja: (_, { service }) => ({
      subject: sentence`${service} のアカウントにパスキーが追加されました`,
      paragraphs: [
        'このパスキーでアカウントにログインできます。',
        '心当たりがない場合は、第三者がアカウントにログインしています。パスキーを削除し、パスワードを変更してください。すべてのセッションが終了します。',
      ],
    }),
    ar: (_, { service }) => ({
      subject: sentence`أُضيف مفتاح مرور إلى حسابك لدى ${service}`,
      paragraphs: [
        'يمكن به تسجيل الدخول إلى حسابك.',
        'إن لم تكن أنت من أضافه، فهناك شخص آخر سجّل الدخول إلى حسابك: احذف مفتاح المرور وغيّر كلمة المرور، فتنتهي كل الجلسات.',
      ],
    }),
  },
})

/** Reports that a passkey of an account was deleted. */
export const passkeyDeletedEmail = defineEmail('passkey-deleted', {
  summary: 'a passkey of an account is deleted',
  data: z.object({}),
  texts: {
    en: (_, { service }) => ({
      subject: sentence`A passkey was deleted from your account at ${service}`,
      paragraphs: [
        'It cannot be used to sign in to your account, and every other session has ended.',
        'If it was not you, reset your password immediately.',
      ],
    }),
    de: (_, { service }) => ({
      subject: sentence`Aus Ihrem Konto bei ${service} wurde ein Passkey gelöscht`,
      paragraphs: [
        'Mit ihm kann man sich nicht mehr in Ihrem Konto anmelden, und alle anderen Sitzungen sind beendet.',
        'Wenn Sie das nicht waren, setzen Sie Ihr Passwort sofort zurück.',
      ],
    }),
    ja: (_, { service }) => ({
      subject: sentence`${service} のアカウントからパスキーが削除されました`,
      paragraphs: [
        'このパスキーではログインできなくなり、他のセッションはすべて終了しました。',
        '心当たりがない場合は、すぐにパスワードを再設定してください。',
      ],
    }),
    ar: (_, { service }) => ({
      subject: sentence`حُذف مفتاح مرور من حسابك لدى ${service}`,
      paragraphs: [
        'لم يعد ممكنًا تسجيل الدخول به إلى حسابك، وانتهت كل الجلسات الأخرى.',
        'إن لم تكن أنت من حذفه، فأعد تعيين كلمة المرور فورًا.',
      ],
    }),
  },
})

/** The emails about passkeys. */
export const passkeyEmails = [passkeyAddedEmail, passkeyDeletedEmail] as const
