import { z } from 'zod'
import { sentence } from '../../../kernel/isolation.ts'
import { defineEmail } from '../../../runtime/email/define-email.ts'

/** Invites a person to a workspace. */
export const workspaceInvitationEmail = defineEmail('workspace-invitation', {
  summary: 'a person is invited to a workspace',
  data: z.object({
    workspace: z.string(),
    role: z.string(),
    inviter: z.string(),
    link: z.url(),
    seconds: z.int().min(1),
  }),
  texts: {
    en: ({ workspace, role, inviter, link, seconds }, { service, lasting }) => ({
      subject: sentence`Join the workspace ${workspace} at ${service}`,
      paragraphs: [
        sentence`${inviter} invites you to the workspace "${workspace}", in the role "${role}". To join it, follow this link:`,
        sentence`It works once and for ${lasting(seconds)}. Accept it with any account of yours: one with this email address, or one that confirmed its own.`,
        'If you do not know what this is about, you need not do anything.',
      ],
      action: { link, label: 'Join the workspace' },
    }),
    de: ({ workspace, role, inviter, link, seconds }, { service, lasting }) => ({
      subject: sentence`Einladung in den Arbeitsbereich ${workspace} bei ${service}`,
      paragraphs: [
        sentence`${inviter} lädt Sie in den Arbeitsbereich „${workspace}“ ein, in der Rolle „${role}“. Öffnen Sie diesen Link, um beizutreten:`,
        sentence`Er funktioniert einmal. Gültigkeit: ${lasting(seconds)}. Nehmen Sie die Einladung mit einem Ihrer Konten an: einem mit dieser E-Mail-Adresse oder einem, das seine eigene bestätigt hat.`,
        'Wenn Sie nicht wissen, worum es geht, müssen Sie nichts tun.',
      ],
      action: { link, label: 'Dem Arbeitsbereich beitreten' },
    }),
    ja: ({ workspace, role, inviter, link, seconds }, { service, lasting }) => ({
      subject: sentence`${service} のワークスペース ${workspace} への招待`,
      paragraphs: [
        sentence`${inviter} さんが、ワークスペース「${workspace}」に「${role}」としてあなたを招待しています。参加するには、次のリンクを開いてください。`,
        sentence`リンクは一度だけ使えます。有効期間は ${lasting(seconds)}です。このメールアドレスのアカウント、または自分のアドレスを確認済みのアカウントで承諾できます。`,
        '心当たりがない場合は、何もする必要はありません。',
      ],
      action: { link, label: 'ワークスペースに参加する' },
    }),
    ar: ({ workspace, role, inviter, link, seconds }, { service, lasting }) => ({
      subject: sentence`انضم إلى مساحة العمل ${workspace} لدى ${service}`,
      paragraphs: [
        sentence`يدعوك ${inviter} إلى مساحة العمل «${workspace}» بدور «${role}». للانضمام، افتح هذا الرابط:`,
        sentence`يعمل مرة واحدة. مدة صلاحيته: ${lasting(seconds)}. اقبل الدعوة بأي حساب لك: حساب له هذا العنوان، أو حساب أكّد عنوانه.`,
        'إن كنت لا تعرف موضوع هذه الرسالة، فلا حاجة إلى فعل شيء.',
      ],
      action: { link, label: 'الانضمام إلى مساحة العمل' },
    }),
  },
})
