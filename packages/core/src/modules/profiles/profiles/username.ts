import { z } from 'zod'

export const MAX_USERNAME_LENGTH = 64
const USERNAME = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/

/** Whether a text could be a username. Other texts are never looked up. */
export const isUsername = (text: string): boolean => text.length <= MAX_USERNAME_LENGTH && USERNAME.test(text)

/** A username of an account or a profile. */
export const usernameSchema = z
  .string()
  .min(1)
  .max(MAX_USERNAME_LENGTH)
  .regex(USERNAME, 'Lowercase letters, digits and hyphens, with a letter or digit at both ends')
  .meta({ examples: ['ada-lovelace'] })

/** Words that are used in routes or in running a service, and names that suggest a false authority. */
const RESERVED: ReadonlySet<string> = new Set(
  `about abuse access account accounts activate admin administrator admins agent agents all anonymous api api-key api-
  keys app apps archive assets auth badge billing blog board bot bots callback capabilities categories changelog
  check-username checkout completion connect connections contact content convert cookie cookies dashboard default
  delete deploy dev device discover dns docs download edit eep email error errors everyone example explore export faq
  favicon feed feedback file files follow followers following forgot-password freshness gateway guest guide health
  healthz help home host hostmaster hooks image images imprint index info insights internal invite invites issues
  job jobs json jwks kernel legal llms llms-txt localhost login logout mail mailer-daemon main manage manifest
  markdown mcp me media member members memory messages metrics mod moderator moderators mpp news nobody noreply no-reply
  notifications null oauth official openapi operator owner page pages password pay payment payments ping postmaster
  press pricing privacy profile profiles public pulse receipt receipts register resend-verification reset-password
  resolve robots robots-txt root rss sales scanner schemas search secure security services session sessions settings
  setup signin signup siwe sitemap smart-sections source sse staff static stats status stream streams subscribe
  subscription subscriptions superuser support sysadmin system team teams terms test tiers token tokens toon
  transfers trust undefined unsubscribe update upload uploads user username users verify version visibility void
  wallet wallets webhook webhooks webmaster well-known workspaces ws www x402`.split(/\s+/),
)

/** Whether this username is reserved: a word of a route, of the service's staff or of the email system. */
export const isReservedUsername = (username: string): boolean => RESERVED.has(username)
