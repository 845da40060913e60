import { z } from 'zod'
import { sentence } from '../../../kernel/isolation.ts'
import { defineEmail } from '../../../runtime/email/define-email.ts'

/** Reports that a sign-in provider was linked to an account that existed before. */
export const providerLinkedEmail = defineEmail('provider-linked', {
  summary: 'a sign-in provider is linked to an existing account',
  data: z.object({
    /** The name of the provider, for example `GitHub`. */
    provider: z.string(),
  }),
  texts: {
    en: ({ provider }, { service }) => ({
      subject: sentence`A sign-in provider was linked to your account at ${service}`,
      paragraphs: [
        sentence`A user of ${provider} can now sign in to your account.`,
        'If it was not you, another person has access to your account: reset your password, and also delete the passkeys and linked sign-in providers when you do.',
      ],
    }),
    de: ({ provider }, { service }) => ({
      subject: sentence`Mit Ihrem Konto bei ${service} wurde ein Anmeldeanbieter verknüpft`,
      paragraphs: [
        sentence`Ein Benutzer von ${provider} kann sich jetzt in Ihrem Konto anmelden.`,
        'Wenn Sie das nicht waren, hat eine andere Person Zugriff auf Ihr Konto: Setzen Sie Ihr Passwort zurück und löschen Sie dabei auch die Passkeys und die verknüpften Anmeldeanbieter.',
      ],
    }),
    ja: ({ provider }, { service }) => ({
      subject: sentence`${service} のアカウントにプロバイダーが連携されました`,
      paragraphs: [
        sentence`${provider} のユーザーがこのアカウントにログインできるようになりました。`,
        '心当たりがない場合は、第三者がアカウントにアクセスしています。パスワードを再設定し、その際にパスキーと連携したプロバイダーも削除してください。',
      ],
    }),
    ar: ({ provider }, { service }) => ({
      subject: sentence`رُبط مزوّد تسجيل دخول بحسابك لدى ${service}`,
      paragraphs: [
        sentence`يمكن الآن لمستخدم لدى ${provider} تسجيل الدخول إلى حسابك.`,
        'إن لم تكن أنت من ربطه، فلدى شخص آخر إمكانية الوصول إلى حسابك: أعد تعيين كلمة المرور، واحذف معها مفاتيح المرور ومزوّدي تسجيل الدخول المرتبطين.',
      ],
    }),
  },
})

/** The emails about sign-in providers. */
export const oauthEmails = [providerLinkedEmail] as const
