import { z } from 'zod'
import { sentence } from '../../../kernel/isolation.ts'
import { defineEmail } from '../../../runtime/email/define-email.ts'

/** Reports that two-factor authentication was enabled. */
export const secondFactorEnabledEmail = defineEmail('second-factor-enabled', {
  summary: 'an account turns two-factor authentication on',
  data: z.object({}),
  texts: {
    en: (_, { service }) => ({
      subject: sentence`Two-factor authentication is on for ${service}`,
      paragraphs: [
        'Sign-ins with your password now also need a code of your app, and every other session has ended.',
        'If it was not you, another person has your password and is signed in to your account: reset your password immediately.',
      ],
    }),
    de: (_, { service }) => ({
      subject: sentence`Die Zwei-Faktor-Authentifizierung ist für ${service} an`,
      paragraphs: [
        'Die Anmeldung mit dem Passwort braucht jetzt auch einen Code aus Ihrer App, und alle anderen Sitzungen sind beendet.',
        'Wenn Sie das nicht waren, hat eine andere Person Ihr Passwort und ist in Ihrem Konto angemeldet: Setzen Sie Ihr Passwort sofort zurück.',
      ],
    }),
    ja: (_, { service }) => ({
      subject: sentence`${service} の二段階認証が有効になりました`,
      paragraphs: [
        'パスワードでのログインにはアプリのコードも必要になり、他のセッションはすべて終了しました。',
        '心当たりがない場合は、第三者があなたのパスワードを使ってログインしています。すぐにパスワードを再設定してください。',
      ],
    }),
    ar: (_, { service }) => ({
      subject: sentence`فُعّلت المصادقة الثنائية لدى ${service}`,
      paragraphs: [
        'يحتاج تسجيل الدخول بكلمة المرور الآن إلى رمز من تطبيقك أيضًا، وانتهت كل الجلسات الأخرى.',
        'إن لم تكن أنت من فعّلها، فهناك شخص آخر يملك كلمة مرورك وسجّل الدخول إلى حسابك: أعد تعيين كلمة المرور فورًا.',
      ],
    }),
  },
})

/** Reports that two-factor authentication was disabled, by the owner or by an administrator. */
export const secondFactorDisabledEmail = defineEmail('second-factor-disabled', {
  summary: 'an account or an administrator turns two-factor authentication off',
  data: z.object({ by: z.enum(['owner', 'administrator']) }),
  texts: {
    en: ({ by }, { service }) => ({
      subject: sentence`Two-factor authentication is off for ${service}`,
      paragraphs: [
        by === 'owner'
          ? 'Sign-ins with your password no longer need a code.'
          : 'An administrator removed it. Sign-ins with your password no longer need a code.',
        'If you did not want this, change your password, which ends every session, and set it up again.',
      ],
    }),
    de: ({ by }, { service }) => ({
      subject: sentence`Die Zwei-Faktor-Authentifizierung ist für ${service} aus`,
      paragraphs: [
        by === 'owner'
          ? 'Die Anmeldung mit dem Passwort braucht keinen Code mehr.'
          : 'Die Administration hat sie entfernt. Die Anmeldung mit dem Passwort braucht keinen Code mehr.',
        'Wenn Sie das nicht wollten, ändern Sie Ihr Passwort, was alle Sitzungen beendet, und richten Sie sie erneut ein.',
      ],
    }),
    ja: ({ by }, { service }) => ({
      subject: sentence`${service} の二段階認証が無効になりました`,
      paragraphs: [
        by === 'owner'
          ? 'パスワードでのログインにコードは不要になりました。'
          : '管理者が解除しました。パスワードでのログインにコードは不要になりました。',
        '心当たりがない場合は、パスワードを変更して（すべてのセッションが終了します）、もう一度設定してください。',
      ],
    }),
    ar: ({ by }, { service }) => ({
      subject: sentence`عُطّلت المصادقة الثنائية لدى ${service}`,
      paragraphs: [
        by === 'owner'
          ? 'لم يعد تسجيل الدخول بكلمة المرور يحتاج إلى رمز.'
          : 'أزالها أحد المشرفين. لم يعد تسجيل الدخول بكلمة المرور يحتاج إلى رمز.',
        'إن لم تكن تريد ذلك، فغيّر كلمة المرور، فتنتهي كل الجلسات، ثم أعدّها من جديد.',
      ],
    }),
  },
})

/** Reports that wrong codes were entered for an account. */
export const secondFactorFailedEmail = defineEmail('second-factor-failed', {
  summary: 'five wrong codes of two-factor authentication are entered within a day',
  data: z.object({}),
  texts: {
    en: (_, { service }) => ({
      subject: sentence`Wrong codes were entered for your account at ${service}`,
      paragraphs: [
        'Five codes of two-factor authentication were wrong within a day. No sign-in succeeded with them.',
        'If it was not you, another person has your password or is signed in to your account: change your password, which ends every session.',
      ],
    }),
    de: (_, { service }) => ({
      subject: sentence`Falsche Codes für Ihr Konto bei ${service}`,
      paragraphs: [
        'Innerhalb eines Tages waren fünf Codes der Zwei-Faktor-Authentifizierung falsch. Mit ihnen wurde niemand angemeldet.',
        'Wenn Sie das nicht waren, hat eine andere Person Ihr Passwort oder ist in Ihrem Konto angemeldet: Ändern Sie Ihr Passwort, was alle Sitzungen beendet.',
      ],
    }),
    ja: (_, { service }) => ({
      subject: sentence`${service} のアカウントに誤ったコードが入力されました`,
      paragraphs: [
        '1日のうちに、二段階認証の誤ったコードが5回入力されました。これらのコードではログインされていません。',
        '心当たりがない場合は、第三者があなたのパスワードを知っているか、あなたのアカウントにログインしています。パスワードを変更してください（すべてのセッションが終了します）。',
      ],
    }),
    ar: (_, { service }) => ({
      subject: sentence`أُدخلت رموز خاطئة لحسابك لدى ${service}`,
      paragraphs: [
        'أُدخلت خمسة رموز خاطئة للمصادقة الثنائية خلال يوم واحد. لم يسجّل أحد الدخول بها.',
        'إن لم تكن أنت من أدخلها، فهناك شخص آخر يملك كلمة مرورك أو سجّل الدخول إلى حسابك: غيّر كلمة المرور، فتنتهي كل الجلسات.',
      ],
    }),
  },
})

/** Reports that a recovery code was used, and how many are left. */
export const recoveryCodeUsedEmail = defineEmail('recovery-code-used', {
  summary: 'a recovery code is used to sign in',
  data: z.object({ left: z.int().min(0) }),
  texts: {
    en: ({ left }, { service }) => ({
      subject: sentence`A recovery code was used at ${service}`,
      paragraphs: [
        sentence`It worked once in place of a code of your app. Recovery codes left: ${left}.`,
        'If you do not have your app any more, turn two-factor authentication off with another recovery code and set it up again.',
        'If it was not you, another person has your password and a recovery code: change your password, which ends every session, and set up two-factor authentication again.',
      ],
    }),
    de: ({ left }, { service }) => ({
      subject: sentence`Ein Wiederherstellungscode wurde bei ${service} verwendet`,
      paragraphs: [
        sentence`Er galt einmal anstelle eines Codes aus Ihrer App. Übrige Wiederherstellungscodes: ${left}.`,
        'Wenn Sie Ihre App nicht mehr haben, schalten Sie die Zwei-Faktor-Authentifizierung mit einem weiteren Wiederherstellungscode aus und richten Sie sie erneut ein.',
        'Wenn Sie das nicht waren, hat eine andere Person Ihr Passwort und einen Wiederherstellungscode: Ändern Sie Ihr Passwort, was alle Sitzungen beendet, und richten Sie die Zwei-Faktor-Authentifizierung erneut ein.',
      ],
    }),
    ja: ({ left }, { service }) => ({
      subject: sentence`${service} でリカバリーコードが使用されました`,
      paragraphs: [
        sentence`アプリのコードの代わりに一度使用されました。残りのリカバリーコード：${left}`,
        'アプリを使えなくなった場合は、別のリカバリーコードで二段階認証を無効にし、もう一度設定してください。',
        '心当たりがない場合は、第三者があなたのパスワードとリカバリーコードを持っています。パスワードを変更して（すべてのセッションが終了します）、二段階認証をもう一度設定してください。',
      ],
    }),
    ar: ({ left }, { service }) => ({
      subject: sentence`استُخدم رمز استرداد لدى ${service}`,
      paragraphs: [
        sentence`عمل مرة واحدة بدلًا من رمز تطبيقك. رموز الاسترداد المتبقية: ${left}.`,
        'إن لم يعد تطبيقك معك، فعطّل المصادقة الثنائية برمز استرداد آخر وأعدّها من جديد.',
        'إن لم تكن أنت من استخدمه، فهناك شخص آخر يملك كلمة مرورك ورمز استرداد: غيّر كلمة المرور، فتنتهي كل الجلسات، وأعدّ المصادقة الثنائية من جديد.',
      ],
    }),
  },
})

/** The emails about two-factor authentication. */
export const secondFactorEmails = [
  secondFactorEnabledEmail,
  secondFactorDisabledEmail,
  secondFactorFailedEmail,
  recoveryCodeUsedEmail,
] as const
