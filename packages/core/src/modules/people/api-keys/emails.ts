import { z } from 'zod'
import { sentence } from '../../../kernel/isolation.ts'
import { defineEmail } from '../../../runtime/email/define-email.ts'

/** Reports an API key that outlives the session or key that created it. Its name is left out, because a client chose it. */
export const apiKeyCreatedEmail = defineEmail('api-key-created', {
  summary: 'a session creates or replaces an API key',
  data: z.object({
    /** The key as lists show it. */
    masked: z.string(),
  }),
  texts: {
    en: ({ masked }, { service }) => ({
      subject: sentence`An API key was created for your account at ${service}`,
      paragraphs: [
        sentence`With the key ${masked}, programs can act for your account until it expires or you revoke it.`,
        'If it was not you, another person has access to your account: change your password, which ends every session, and revoke the key.',
      ],
    }),
    de: ({ masked }, { service }) => ({
      subject: sentence`Für Ihr Konto bei ${service} wurde ein API-Schlüssel erstellt`,
      paragraphs: [
        sentence`Mit dem Schlüssel ${masked} können Programme für Ihr Konto handeln, bis er abläuft oder Sie ihn widerrufen.`,
        'Wenn Sie das nicht waren, hat eine andere Person Zugriff auf Ihr Konto: Ändern Sie Ihr Passwort, das beendet alle Sitzungen, und widerrufen Sie den Schlüssel.',
      ],
    }),
    ja: ({ masked }, { service }) => ({
      subject: sentence`${service} のアカウントに API キーが作成されました`,
      paragraphs: [
        sentence`API キー ${masked} を使うと、有効期限が切れるか取り消されるまで、プログラムがこのアカウントとして操作できます。`,
        '心当たりがない場合は、第三者がアカウントにアクセスしています。パスワードを変更して（すべてのセッションが終了します）、API キーを取り消してください。',
      ],
    }),
    ar: ({ masked }, { service }) => ({
      subject: sentence`أُنشئ مفتاح API لحسابك لدى ${service}`,
      paragraphs: [
        sentence`يمكن للبرامج بالمفتاح ${masked} أن تتصرف باسم حسابك إلى أن تنتهي صلاحيته أو تُلغيه.`,
        'إن لم تكن أنت من أنشأه، فلدى شخص آخر إمكانية الوصول إلى حسابك: غيّر كلمة المرور، فتنتهي كل الجلسات، ثم ألغِ المفتاح.',
      ],
    }),
  },
})

/** The emails about API keys. */
export const apiKeyEmails = [apiKeyCreatedEmail] as const
