import { z } from 'zod'
import { sentence } from '../../../kernel/isolation.ts'
import { defineEmail } from '../../../runtime/email/define-email.ts'

/** A link that works once, and how long. */
const linkData = z.object({ username: z.string(), link: z.url(), seconds: z.int().min(1) })

/** Asks the owner of an email address to confirm it. */
export const verificationEmail = defineEmail('verification', {
  summary: 'an account is registered, or changes its email address',
  data: linkData,
  texts: {
    en: ({ username, link, seconds }, { service, lasting }) => ({
      subject: sentence`Confirm your email address for ${service}`,
      paragraphs: [
        sentence`The account ${username} was registered at ${service} with this email address. Confirm the address:`,
        sentence`The link works once and expires in ${lasting(seconds)}.`,
        'If you did not create this account, choose that on the page. The account is then handed over to you: its password, sessions and keys end, and we send you a link to choose a password. Never enter a password that another person gave you.',
      ],
      action: { link, label: 'Confirm the address' },
    }),
    de: ({ username, link, seconds }, { service, lasting }) => ({
      subject: sentence`Bestätigen Sie Ihre E-Mail-Adresse für ${service}`,
      paragraphs: [
        sentence`Das Konto ${username} wurde bei ${service} mit dieser E-Mail-Adresse registriert. Bestätigen Sie die Adresse:`,
        sentence`Der Link funktioniert einmal. Gültigkeit: ${lasting(seconds)}.`,
        'Wenn Sie dieses Konto nicht erstellt haben, wählen Sie das auf der Seite. Das Konto geht dann an Sie über: Passwort, Sitzungen und Schlüssel enden, und wir senden Ihnen einen Link, mit dem Sie ein Passwort wählen. Geben Sie nie ein Passwort ein, das Ihnen jemand genannt hat.',
      ],
      action: { link, label: 'Adresse bestätigen' },
    }),
    ja: ({ username, link, seconds }, { service, lasting }) => ({
      subject: sentence`${service} のメールアドレスの確認`,
      paragraphs: [
        sentence`このメールアドレスで、${service} にアカウント ${username} が登録されました。アドレスを確認してください。`,
        sentence`リンクは一度だけ使えます。有効期間は ${lasting(seconds)}です。`,
        'このアカウントを作成していない場合は、ページでその旨を選んでください。アカウントはあなたに引き継がれ、それまでのパスワード、セッション、キーは無効になり、パスワードを設定するリンクをお送りします。ほかの人から教えられたパスワードは入力しないでください。',
      ],
      action: { link, label: 'アドレスを確認する' },
    }),
    ar: ({ username, link, seconds }, { service, lasting }) => ({
      subject: sentence`أكّد عنوان بريدك الإلكتروني في ${service}`,
      paragraphs: [
        sentence`سُجّل الحساب ${username} في ${service} بهذا العنوان. أكّد العنوان:`,
        sentence`يعمل الرابط مرة واحدة. مدة صلاحيته: ${lasting(seconds)}.`,
        'إن لم تكن أنت من أنشأ هذا الحساب فاختر ذلك في الصفحة. عندئذ ينتقل الحساب إليك: تنتهي كلمة المرور والجلسات والمفاتيح السابقة، ونرسل إليك رابطًا لاختيار كلمة مرور. ولا تُدخل أبدًا كلمة مرور أعطاك إياها شخص آخر.',
      ],
      action: { link, label: 'تأكيد العنوان' },
    }),
  },
})

/** Contains a link to choose another password. */
export const passwordResetEmail = defineEmail('password-reset', {
  summary: 'a user requests another password',
  data: linkData,
  texts: {
    en: ({ link, seconds }, { service, lasting }) => ({
      subject: sentence`A new password for ${service}`,
      paragraphs: [
        'We received a request to reset the password of your account. To choose another password, open this link:',
        sentence`The link works once and expires in ${lasting(seconds)}. Choosing a password ends every session.`,
        'If it was not you, you can ignore this email. Nothing has changed.',
      ],
      action: { link, label: 'Choose a password' },
    }),
    de: ({ link, seconds }, { service, lasting }) => ({
      subject: sentence`Ein neues Passwort für ${service}`,
      paragraphs: [
        'Wir haben eine Anfrage erhalten, das Passwort Ihres Kontos zurückzusetzen. Öffnen Sie diesen Link, um ein anderes zu wählen:',
        sentence`Der Link funktioniert einmal. Gültigkeit: ${lasting(seconds)}. Ein neues Passwort beendet alle Sitzungen.`,
        'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail. Es hat sich nichts geändert.',
      ],
      action: { link, label: 'Passwort wählen' },
    }),
    ja: ({ link, seconds }, { service, lasting }) => ({
      subject: sentence`${service} の新しいパスワード`,
      paragraphs: [
        'アカウントのパスワードを再設定するリクエストを受け付けました。次のリンクから新しいパスワードを設定してください。',
        sentence`リンクは一度だけ使えます。有効期間は ${lasting(seconds)}です。パスワードを設定すると、すべてのセッションが終了します。`,
        '心当たりがない場合は、このメールを無視してください。何も変更されていません。',
      ],
      action: { link, label: 'パスワードを設定する' },
    }),
    ar: ({ link, seconds }, { service, lasting }) => ({
      subject: sentence`كلمة مرور جديدة لدى ${service}`,
      paragraphs: [
        'تلقّينا طلبًا لإعادة تعيين كلمة مرور حسابك. لاختيار كلمة مرور أخرى، افتح هذا الرابط:',
        sentence`يعمل الرابط مرة واحدة. مدة صلاحيته: ${lasting(seconds)}. اختيار كلمة مرور ينهي كل الجلسات.`,
        'إن لم تكن أنت من طلب ذلك، فتجاهل هذه الرسالة. لم يتغير شيء.',
      ],
      action: { link, label: 'اختيار كلمة مرور' },
    }),
  },
})

/** Confirms that an account was taken over by the owner of its email address, who may choose a password. */
export const accountTakenOverEmail = defineEmail('account-taken-over', {
  summary: 'the owner of an email address takes over an account',
  data: linkData,
  texts: {
    en: ({ username, link, seconds }, { service, lasting }) => ({
      subject: sentence`Choose a password for ${service}`,
      paragraphs: [
        sentence`You confirmed this email address and did not create the account ${username}, so it is yours now. Choose a password here:`,
        sentence`The link works once and expires in ${lasting(seconds)}. After that, request another one with "forgot password".`,
        'Every session, API key, wallet and team membership from before has ended. Check the profiles of the account: their content and their gates are unchanged. Private profiles stay private until you publish them.',
      ],
      action: { link, label: 'Choose a password' },
    }),
    de: ({ username, link, seconds }, { service, lasting }) => ({
      subject: sentence`Wählen Sie ein Passwort für ${service}`,
      paragraphs: [
        sentence`Sie haben diese E-Mail-Adresse bestätigt und das Konto ${username} nicht erstellt. Es gehört damit Ihnen. Wählen Sie hier ein Passwort:`,
        sentence`Der Link funktioniert einmal. Gültigkeit: ${lasting(seconds)}. Danach fordern Sie über „Passwort vergessen“ einen neuen an.`,
        'Alle bisherigen Sitzungen, API-Schlüssel, Wallets und Team-Mitgliedschaften sind beendet. Prüfen Sie die Profile des Kontos: Ihre Inhalte und Zugangsregeln sind unverändert. Private Profile bleiben privat, bis Sie sie veröffentlichen.',
      ],
      action: { link, label: 'Passwort wählen' },
    }),
    ja: ({ username, link, seconds }, { service, lasting }) => ({
      subject: sentence`${service} のパスワードの設定`,
      paragraphs: [
        sentence`このメールアドレスを確認し、アカウント ${username} を作成していないと回答されたため、アカウントはあなたのものになりました。ここでパスワードを設定してください。`,
        sentence`リンクは一度だけ使えます。有効期間は ${lasting(seconds)}です。期限後は「パスワードを忘れた場合」から再度リクエストしてください。`,
        '以前のセッション、API キー、ウォレット、チームへの参加はすべて終了しました。アカウントのプロフィールをご確認ください。コンテンツとアクセス条件は変更されていません。非公開のプロフィールは、公開するまで非公開のままです。',
      ],
      action: { link, label: 'パスワードを設定する' },
    }),
    ar: ({ username, link, seconds }, { service, lasting }) => ({
      subject: sentence`اختر كلمة مرور لدى ${service}`,
      paragraphs: [
        sentence`أكّدت هذا العنوان ولم تنشئ الحساب ${username}، فأصبح لك. اختر كلمة مرور هنا:`,
        sentence`يعمل الرابط مرة واحدة. مدة صلاحيته: ${lasting(seconds)}. بعد ذلك اطلب رابطًا آخر عبر «نسيت كلمة المرور».`,
        'انتهت كل الجلسات ومفاتيح API والمحافظ وعضويات الفرق السابقة. راجع ملفات الحساب: لم يتغير محتواها ولا شروط الوصول إليها. وتبقى الملفات الخاصة خاصة إلى أن تنشرها.',
      ],
      action: { link, label: 'اختيار كلمة مرور' },
    }),
  },
})

/** The code that confirms the deletion of an account. */
export const deleteCodeEmail = defineEmail('delete-code', {
  summary: 'an account requests the code that deletes it',
  data: z.object({ code: z.string(), seconds: z.int().min(1) }),
  texts: {
    en: ({ code, seconds }, { service, lasting }) => ({
      subject: sentence`Your code to delete your account at ${service}`,
      paragraphs: [
        'This code deletes your account and its profiles:',
        sentence`It works once and expires in ${lasting(seconds)}. Do not share it.`,
        'If you did not request it, another person is signed in to your account: change your password, which ends every session.',
      ],
      action: { code },
    }),
    de: ({ code, seconds }, { service, lasting }) => ({
      subject: sentence`Ihr Code zum Löschen Ihres Kontos bei ${service}`,
      paragraphs: [
        'Dieser Code löscht Ihr Konto und seine Profile:',
        sentence`Er funktioniert einmal. Gültigkeit: ${lasting(seconds)}. Geben Sie ihn nicht weiter.`,
        'Wenn Sie ihn nicht angefordert haben, ist eine andere Person in Ihrem Konto angemeldet: Ändern Sie Ihr Passwort. Das beendet alle Sitzungen.',
      ],
      action: { code },
    }),
    ja: ({ code, seconds }, { service, lasting }) => ({
      subject: sentence`${service} のアカウントを削除するコード`,
      paragraphs: [
        'このコードで、アカウントとそのプロフィールが削除されます。',
        sentence`コードは一度だけ使えます。有効期間は ${lasting(seconds)}です。他の人に教えないでください。`,
        '心当たりがない場合は、他の人があなたのアカウントにログインしています。パスワードを変更してください。すべてのセッションが終了します。',
      ],
      action: { code },
    }),
    ar: ({ code, seconds }, { service, lasting }) => ({
      subject: sentence`رمز حذف حسابك لدى ${service}`,
      paragraphs: [
        'هذا الرمز يحذف حسابك وملفاته:',
        sentence`يعمل مرة واحدة. مدة صلاحيته: ${lasting(seconds)}. لا تشاركه مع أحد.`,
        'إن لم تطلبه، فشخص آخر مسجّل الدخول إلى حسابك: غيّر كلمة المرور، فذلك ينهي كل الجلسات.',
      ],
      action: { code },
    }),
  },
})

/** Announces the deletion of an account, and how to restore it. */
export const deletionScheduledEmail = defineEmail('deletion-scheduled', {
  summary: 'the deletion of an account is scheduled',
  data: z.object({ at: z.date() }),
  texts: {
    en: ({ at }, { service, day }) => ({
      subject: sentence`Your account at ${service} will be deleted`,
      paragraphs: [
        sentence`Your account and its profiles are hidden now and will be permanently removed on ${day(at)}.`,
        'To keep them, sign in before that day.',
      ],
    }),
    de: ({ at }, { service, day }) => ({
      subject: sentence`Ihr Konto bei ${service} wird gelöscht`,
      paragraphs: [
        sentence`Ihr Konto und seine Profile sind verborgen und werden am ${day(at)} endgültig gelöscht.`,
        'Um sie zu behalten, melden Sie sich vor diesem Tag an.',
      ],
    }),
    ja: ({ at }, { service, day }) => ({
      subject: sentence`${service} のアカウントは削除されます`,
      paragraphs: [
        sentence`アカウントとそのプロフィールは非公開になりました。${day(at)} に完全に削除されます。`,
        '残すには、その日より前にログインしてください。',
      ],
    }),
    ar: ({ at }, { service, day }) => ({
      subject: sentence`سيُحذف حسابك لدى ${service}`,
      paragraphs: [
        sentence`حسابك وملفاته مخفية الآن، وستُحذف نهائيًا في ${day(at)}.`,
        'للاحتفاظ بها، سجّل الدخول قبل ذلك اليوم.',
      ],
    }),
  },
})

interface StillValid {
  readonly apiKeys: number
  readonly webhooks: readonly string[]
}

/** What a change of the password does not end, if there is any. */
function stillValid<Text>(
  { apiKeys, webhooks }: StillValid,
  describe: (apiKeys: number, hosts: string) => Text,
  none: string,
): readonly Text[] {
  if (apiKeys === 0 && webhooks.length === 0) return []
  return [describe(apiKeys, webhooks.length > 0 ? webhooks.join(', ') : none)]
}

/** Reports that the password of an account has changed. */
export const passwordChangedEmail = defineEmail('password-changed', {
  summary: 'the password of an account changes',
  data: z.object({
    apiKeys: z.int().min(0).describe('The number of valid API keys'),
    webhooks: z.array(z.string()).describe('The hosts that webhooks are delivered to'),
  }),
  texts: {
    en: (data, { service }) => ({
      subject: sentence`Your password for ${service} was changed`,
      paragraphs: [
        'The password of your account was changed, and every other session has ended.',
        'If it was not you, reset your password immediately.',
        ...stillValid(
          data,
          (apiKeys, hosts) =>
            sentence`API keys and webhooks continue to work. API keys: ${apiKeys}. Webhooks to: ${hosts}. End those that you do not know.`,
          'none',
        ),
      ],
    }),
    de: (data, { service }) => ({
      subject: sentence`Ihr Passwort für ${service} wurde geändert`,
      paragraphs: [
        'Das Passwort Ihres Kontos wurde geändert, und alle anderen Sitzungen sind beendet.',
        'Wenn Sie das nicht waren, setzen Sie Ihr Passwort sofort zurück.',
        ...stillValid(
          data,
          (apiKeys, hosts) =>
            sentence`API-Schlüssel und Webhooks gelten weiter. API-Schlüssel: ${apiKeys}. Webhooks an: ${hosts}. Beenden Sie solche, die Sie nicht kennen.`,
          'keine',
        ),
      ],
    }),
    ja: (data, { service }) => ({
      subject: sentence`${service} のパスワードが変更されました`,
      paragraphs: [
        'アカウントのパスワードが変更され、他のセッションはすべて終了しました。',
        '心当たりがない場合は、すぐにパスワードを再設定してください。',
        ...stillValid(
          data,
          (apiKeys, hosts) =>
            sentence`API キーと Webhook は引き続き有効です。API キーの数: ${apiKeys}。Webhook の送信先: ${hosts}。心当たりのないものは停止してください。`,
          'なし',
        ),
      ],
    }),
    ar: (data, { service }) => ({
      subject: sentence`غُيّرت كلمة مرورك لدى ${service}`,
      paragraphs: [
        'غُيّرت كلمة مرور حسابك، وانتهت كل الجلسات الأخرى.',
        'إن لم تكن أنت من غيّرها، فأعد تعيين كلمة المرور فورًا.',
        ...stillValid(
          data,
          (apiKeys, hosts) =>
            sentence`تبقى مفاتيح API وخطافات الويب صالحة. عدد مفاتيح API: ${apiKeys}. ترسل خطافات الويب إلى: ${hosts}. أنهِ ما لا تعرفه منها.`,
          'لا شيء',
        ),
      ],
    }),
  },
})

/** The emails of accounts. */
export const accountEmails = [
  verificationEmail,
  passwordResetEmail,
  accountTakenOverEmail,
  deleteCodeEmail,
  deletionScheduledEmail,
  passwordChangedEmail,
] as const
