import { z } from 'zod'
import { defineEmail } from '../../../runtime/email/define-email.ts'
import { messages } from './messages.ts'

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
  messages,
  text: ({ workspace, role, inviter, link, seconds }, say, { service, lasting }) => ({
    subject: say('subject', { workspace, service }),
    paragraphs: [
      say('paragraph1', { inviter, workspace, role }),
      say('paragraph2', { time: lasting(seconds) }),
      say('paragraph3'),
    ],
    action: { link, label: say('action') },
  }),
})
