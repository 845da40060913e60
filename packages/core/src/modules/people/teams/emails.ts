import { z } from 'zod'
import { sentence } from '../../../kernel/isolation.ts'
import { defineEmail } from '../../../runtime/email/define-email.ts'

/** The profile that an email is about: its canonical URL and its username. */
const profileData = { profileUrl: z.url(), profile: z.string() }

/** Invites a person to a team. */
export const teamInvitationEmail = defineEmail('team-invitation', {
  summary: 'a person is invited to the team of a profile',
  data: z.object({
    ...profileData,
    role: z.string(),
    inviter: z.string(),
    link: z.url(),
    seconds: z.int().min(1),
  }),
  texts: {
    en: ({ profileUrl, profile, role, inviter, link, seconds }, { service, lasting }) => ({
      subject: sentence`Join the team of ${profile} at ${service}`,
      paragraphs: [
        sentence`${inviter} invites you to the team of ${profileUrl}, in the role "${role}". To join it, follow this link:`,
        sentence`It works once and expires in ${lasting(seconds)}. Accept it with any of your accounts that has this email address or has confirmed another one.`,
        'If you do not know what this is about, you can ignore this email.',
      ],
      action: { link, label: 'Join the team' },
    }),
    de: ({ profileUrl, profile, role, inviter, link, seconds }, { service, lasting }) => ({
      subject: sentence`Einladung in das Team von ${profile} bei ${service}`,
      paragraphs: [
        sentence`${inviter} lädt Sie in das Team von ${profileUrl} ein, in der Rolle „${role}“. Öffnen Sie diesen Link, um beizutreten:`,
        sentence`Er funktioniert einmal. Gültigkeit: ${lasting(seconds)}. Nehmen Sie die Einladung mit einem Ihrer Konten an, das diese E-Mail-Adresse hat oder eine andere bestätigt hat.`,
        'Wenn Sie nicht wissen, worum es geht, ignorieren Sie diese E-Mail.',
      ],
      action: { link, label: 'Dem Team beitreten' },
    }),
    ja: ({ profileUrl, profile, role, inviter, link, seconds }, { service, lasting }) => ({
      subject: sentence`${service} の ${profile} のチームへの招待`,
      paragraphs: [
        sentence`${inviter} さんが、${profileUrl} のチームに「${role}」としてあなたを招待しています。参加するには、次のリンクを開いてください。`,
        sentence`リンクは一度だけ使えます。有効期間は ${lasting(seconds)}です。このメールアドレスのアカウント、または別のアドレスを確認済みのアカウントで承諾できます。`,
        '心当たりがない場合は、このメールを無視してください。',
      ],
      action: { link, label: 'チームに参加する' },
    }),
    ar: ({ profileUrl, profile, role, inviter, link, seconds }, { service, lasting }) => ({
      subject: sentence`انضم إلى فريق ${profile} لدى ${service}`,
      paragraphs: [
        sentence`يدعوك ${inviter} إلى فريق ${profileUrl} بدور «${role}». للانضمام، افتح هذا الرابط:`,
        sentence`يعمل مرة واحدة. مدة صلاحيته: ${lasting(seconds)}. اقبل الدعوة بأي حساب لك له هذا العنوان أو أكّد عنوانًا آخر.`,
        'إن كنت لا تعرف موضوع هذه الرسالة، فتجاهلها.',
      ],
      action: { link, label: 'الانضمام إلى الفريق' },
    }),
  },
})

/** Confirms to the owner that the profile was offered. */
export const transferOfferedEmail = defineEmail('transfer-offered', {
  summary: 'an account offers a profile to another one',
  data: z.object({ ...profileData, recipient: z.string(), link: z.url(), seconds: z.int().min(1) }),
  texts: {
    en: ({ profileUrl, profile, recipient, link, seconds }, { lasting }) => ({
      subject: sentence`You offered the profile ${profile} to ${recipient}`,
      paragraphs: [
        sentence`${recipient} can become the owner of ${profileUrl}. Until they do, you can cancel it here:`,
        sentence`The offer expires in ${lasting(seconds)}.`,
        'If it was not you, another person is signed in to your account: cancel it, and change your password, which ends every session.',
      ],
      action: { link, label: 'Show the offer' },
    }),
    de: ({ profileUrl, profile, recipient, link, seconds }, { lasting }) => ({
      subject: sentence`Sie haben ${recipient} das Profil ${profile} angeboten`,
      paragraphs: [
        sentence`${recipient} kann Eigentümer von ${profileUrl} werden. Bis dahin können Sie das Angebot hier zurückziehen:`,
        sentence`Gültigkeit des Angebots: ${lasting(seconds)}.`,
        'Wenn Sie das nicht waren, ist eine andere Person in Ihrem Konto angemeldet: Ziehen Sie das Angebot zurück und ändern Sie Ihr Passwort. Das beendet alle Sitzungen.',
      ],
      action: { link, label: 'Angebot anzeigen' },
    }),
    ja: ({ profileUrl, profile, recipient, link, seconds }, { lasting }) => ({
      subject: sentence`プロフィール ${profile} の譲渡を ${recipient} に申し出ました`,
      paragraphs: [
        sentence`${recipient} さんは ${profileUrl} の所有者になることができます。それまでは、ここで取り消せます。`,
        sentence`申し出の有効期間は ${lasting(seconds)}です。`,
        '心当たりがない場合は、他の人があなたのアカウントにログインしています。申し出を取り消し、パスワードを変更してください。すべてのセッションが終了します。',
      ],
      action: { link, label: '申し出を表示する' },
    }),
    ar: ({ profileUrl, profile, recipient, link, seconds }, { lasting }) => ({
      subject: sentence`عرضت الملف ${profile} على ${recipient}`,
      paragraphs: [
        sentence`يمكن أن يصبح ${recipient} مالك ${profileUrl}. حتى ذلك الحين يمكنك إلغاء العرض هنا:`,
        sentence`مدة صلاحية العرض: ${lasting(seconds)}.`,
        'إن لم تكن أنت من عرضه، فشخص آخر مسجّل الدخول إلى حسابك: ألغِ العرض وغيّر كلمة المرور، فذلك ينهي كل الجلسات.',
      ],
      action: { link, label: 'عرض التفاصيل' },
    }),
  },
})

/** The emails of teams. */
export const teamEmails = [teamInvitationEmail, transferOfferedEmail] as const
