import { z } from 'zod'
import { LANGUAGES } from '../../../model/languages.ts'
import type { Mailer } from '../../../ports/mailer.ts'
import { pageUrl, port } from '../fields.ts'

export const frontendUrls = {
  /**
   * Page that verification emails link to; `?token=` is appended.
   * @default `{frontendUrl}/verify`
   */
  verifyEmail: pageUrl.optional(),
  /**
   * Page that password reset emails link to; `?token=` is appended.
   * @default `{frontendUrl}/reset-password`
   */
  resetPassword: pageUrl.optional(),
  /**
   * Page on which a signed-in person confirms a new email address; `?token=` is appended.
   * @default `{frontendUrl}/email/change`
   */
  changeEmail: pageUrl.optional(),
  /**
   * Page on which a change of the email address is undone; `?token=` is appended.
   * @default `{frontendUrl}/email/undo`
   */
  undoEmail: pageUrl.optional(),
  /**
   * Page on which a change of the payout wallet is undone; `?token=` is appended.
   * @default `{frontendUrl}/payouts/undo`
   */
  undoPayout: pageUrl.optional(),
  /**
   * Page that invitations to a team link to; `?token=` is appended.
   * @default `{frontendUrl}/team/invite`
   */
  acceptInvitation: pageUrl.optional(),
  /**
   * Page that invitations to a workspace link to; `?token=` is appended.
   * @default `{frontendUrl}/workspaces/invite`
   */
  acceptWorkspaceInvitation: pageUrl.optional(),
  /**
   * Page on which transfers of profiles are accepted. No token is appended.
   * @default `{frontendUrl}/transfers`
   */
  transfers: pageUrl.optional(),
  /**
   * Page with the notifications of an account, which daily emails link to. No token is appended.
   * @default `{frontendUrl}/notifications`
   */
  notifications: pageUrl.optional(),
  /**
   * Page with the plan of an account, which notifications about it lead to. No token is appended.
   * @default `{frontendUrl}/account/plan`
   */
  plan: pageUrl.optional(),
  /**
   * Page that a buyer returns to after subscribing; `?checkout_id=` is appended.
   * @default `{frontendUrl}/account/subscription`
   */
  subscribed: pageUrl.optional(),
  /**
   * Page with the prices. A buyer who did not subscribe returns to it, and emails about expired subscriptions link to it.
   * @default `{frontendUrl}/pricing`
   */
  pricing: pageUrl.optional(),
}

export const email = {
  /**
   * Sends email: `smtpMailer()`, `directoryMailer()` of `@eep/core/email`. Without one, requests that would send an email
   * succeed as usual, and the log names each email that was not sent.
   */
  mailer: port<Mailer>('send').optional(),
  /**
   * The language of emails to recipients whose language is not known: `en`, `de`, `ja` or `ar`.
   * @default "en"
   */
  language: z.enum(LANGUAGES).default('en'),
  /**
   * The address of a logo, shown above emails instead of the name of the service. The only thing that emails load. Default:
   * that of `pages.logoPath`, unless it is an SVG image, which email programs do not show.
   */
  logoUrl: pageUrl.optional(),
  /**
   * The name and the address of the operator, shown below emails; several lines are allowed. Default: a link to
   * `pages.imprintUrl`.
   */
  imprint: z.string().min(1).max(1000).optional(),
  /**
   * Texts of the host, by the kinds of emails: `{ 'password-reset': (data, defaults) => ({ subject, text, html? }) }`. The start
   * fails when a kind is unknown. See docs/guides/emails.md.
   */
  templates: z
    .custom<object>(
      (value) =>
        typeof value === 'object' &&
        value !== null &&
        Object.values(value).every((template) => template === undefined || typeof template === 'function'),
      { error: 'Must have a function for each kind of email' },
    )
    .optional(),
}
