import { z } from 'zod'
import { defineEmail } from '../../../runtime/email/define-email.ts'
import { messages } from './messages.ts'

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
  messages,
  text: ({ profileUrl, profile, role, inviter, link, seconds }, say, { service, lasting }) => ({
    subject: say('subject', { profile, service }),
    paragraphs: [
      say('paragraph1', { inviter, profileUrl, role }),
      say('paragraph2', { time: lasting(seconds) }),
      say('paragraph3'),
    ],
    action: { link, label: say('action') },
  }),
})

/** Confirms to the owner that the profile was offered. */
export const transferOfferedEmail = defineEmail('transfer-offered', {
  summary: 'an account offers a profile to another one',
  data: z.object({ ...profileData, recipient: z.string(), link: z.url(), seconds: z.int().min(1) }),
  messages,
  text: ({ profileUrl, profile, recipient, link, seconds }, say, { lasting }) => ({
    subject: say('subject', { profile, recipient }),
    paragraphs: [
      say('paragraph1', { recipient, profileUrl }),
      say('paragraph2', { time: lasting(seconds) }),
      say('paragraph3'),
    ],
    action: { link, label: say('action') },
  }),
})

/** The emails of teams. */
export const teamEmails = [teamInvitationEmail, transferOfferedEmail] as const
