import { z } from 'zod'
import { type Clock, systemClock } from '../../kernel/clock.ts'
import { DEFAULT_DESCRIPTION } from '../../model/service-description.ts'
import type { EepLogger } from '../../ports/logger.ts'
import type { Storage } from '../../ports/storage/storage.ts'
import { callback, type Group, group, origin, port } from './fields.ts'
import { auth } from './groups/auth.ts'
import { email, frontendUrls } from './groups/email.ts'
import { http } from './groups/http.ts'
import { metrics } from './groups/metrics.ts'
import { hooks, jobs, limits } from './groups/operation.ts'
import { pages } from './groups/pages.ts'
import { audiences, gates, payments } from './groups/payments.ts'
import { content, discovery, profiles } from './groups/publishing.ts'
import { tracing } from './groups/tracing.ts'

// The options of the service, with their checks, defaults and documentation. Editors show the comments to hosts, and `npm
// run docs` generates docs/reference/options.md from this file and from `groups`.
//
// Each group is a constant that a type assertion names, because declarations keep the comments of constants and drop those
// of arguments.

const secret = z.string().min(32, 'Must have at least 32 characters')

/** The options of the service by name. */
export const optionsShape = {
  /** The public URL of the service, without a trailing slash. */
  publicUrl: origin,
  /** Where records are stored: `postgresStorage()`, `pgliteStorage()`. */
  storage: port<Storage>('transaction', 'ping', 'close'),
  /**
   * A secret of at least 32 characters, or a list of secrets: the first one signs and all of them verify. To rotate, add a
   * new one at the front.
   */
  secret: z.union([secret, z.array(secret).min(1).readonly()]),
  /**
   * Ed25519 private keys (JWK) that sign receipts. The first one signs, and all of them are published.
   * @default one key derived from each secret
   */
  signingKeys: z
    .array(
      z.object({
        kty: z.literal('OKP'),
        crv: z.literal('Ed25519'),
        x: z.string(),
        d: z.string(),
        kid: z.string().optional(),
      }),
    )
    .readonly()
    .default([]),
  /**
   * The name of the service on pages, in manifests, tokens, emails and receipts.
   * @default "Profiles"
   */
  name: z.string().min(1).max(128).default('Profiles'),
  /**
   * What the service offers, in manifests.
   * @default "Profiles that people and AI agents read, and content that agents can buy."
   */
  description: z.string().max(512).default(DEFAULT_DESCRIPTION),
  /**
   * The site that users return to from an OAuth provider, and whose pages request wallet signatures.
   * @default `publicUrl`
   */
  frontendUrl: origin.optional(),
  /** Pages of the frontend that emails and checkouts link to. */
  frontendUrls: group(frontendUrls) as Group<typeof frontendUrls>,
  /** Accounts, sign-in and wallets. */
  auth: group(auth) as Group<typeof auth>,
  /** Payments and subscriptions. */
  payments: group(payments) as Group<typeof payments>,
  /** Gates. */
  gates: group(gates) as Group<typeof gates>,
  /** Who reads, for gates that name audiences. */
  audiences: group(audiences) as Group<typeof audiences>,
  /** Email. */
  email: group(email) as Group<typeof email>,
  /** Pages and their presentation. */
  content: group(content) as Group<typeof content>,
  /** The look and the languages of HTML pages. See docs/guides/pages.md. */
  pages: group(pages) as Group<typeof pages>,
  /** Profiles. */
  profiles: group(profiles) as Group<typeof profiles>,
  /** Limits and plans. */
  limits: group(limits) as Group<typeof limits>,
  /** Discovery by crawlers and agents. */
  discovery: group(discovery) as Group<typeof discovery>,
  /** Cookies, request bodies and outbound requests. */
  http: group(http) as Group<typeof http>,
  /** Measurements for Prometheus. See docs/operate/observability.md. */
  metrics: group(metrics) as Group<typeof metrics>,
  /** Traces by OpenTelemetry. See docs/operate/observability.md. */
  tracing: group(tracing) as Group<typeof tracing>,
  /** Background jobs. Requires a storage with a queue. */
  jobs: group(jobs) as Group<typeof jobs>,
  /**
   * Functions of the host that can reject an operation by throwing. They run outside transactions, before anything is
   * stored.
   */
  hooks: group(hooks) as Group<typeof hooks>,
  /**
   * Receives log messages.
   * @default the logger of the Fastify server
   */
  logger: port<EepLogger>('info', 'warn', 'error').optional(),
  /**
   * Returns the current time; for tests.
   * @default the system clock
   */
  clock: callback<Clock>().default(() => systemClock),
}
