import { availableParallelism } from 'node:os'
import { z } from 'zod'
import { DEFAULT_COOKIE_NAMES } from '../http/cookies.ts'
import type { SocketServer } from '../http/sockets/socket-server.ts'
import { type Clock, systemClock } from '../kernel/clock.ts'
import { planChangesSchema } from '../model/plan-changes.ts'
import { PROFILE_TYPES } from '../model/profile-type.ts'
import type { BillingProcessor } from '../ports/billing-processor.ts'
import type { BlobStore } from '../ports/blob-store.ts'
import type { CredentialVerifier } from '../ports/credential-verifier.ts'
import type { DocsUi } from '../ports/docs-ui.ts'
import type { DocumentConverter } from '../ports/document-converter.ts'
import type { FileToolkit } from '../ports/file-toolkit.ts'
import type { EepHooks } from '../ports/hooks.ts'
import type { IdentityProvider } from '../ports/identity-provider.ts'
import type { ImageCleaner } from '../ports/image-cleaner.ts'
import type { JobKind } from '../ports/job-kind.ts'
import type { EepLogger } from '../ports/logger.ts'
import type { Mailer } from '../ports/mailer.ts'
import type { OAuthProvider } from '../ports/oauth-provider.ts'
import type { PaymentRail } from '../ports/payment-rail.ts'
import type { RateLimitStore } from '../ports/rate-limit-store.ts'
import type { ReceiptRenderer } from '../ports/receipt-renderer.ts'
import type { RequirementVerifier } from '../ports/requirement-verifier.ts'
import type { Scanner } from '../ports/scanner.ts'
import type { Storage } from '../ports/storage/storage.ts'
import type { Transcriber } from '../ports/transcriber.ts'
import type { WalletVerifier } from '../ports/wallet-verifier.ts'
import { callback, distinct, type Group, group, origin, pageUrl, port } from './fields.ts'

// The options of the service, with their checks, defaults and documentation. The comments are what hosts read in their
// editor and in docs/reference/options.md, which `npm run docs` makes of this file.
//
// Each group is a separate constant, named in a type assertion where it is used: TypeScript keeps the comments of
// constants in declarations, and drops those of arguments.

const HOUR = 3_600
const secret = z.string().min(32, 'Needs at least 32 characters')
const seconds = z.int().min(1)
const versions = z.int().min(1).max(10_000)
// `__Host-` and `__Secure-` put conditions on path and scheme, which the OAuth cookies cannot meet.
const cookieName = z
  .string()
  .regex(
    /^(?!__(?:Host|Secure)-)[A-Za-z0-9_-]{1,64}$/i,
    'Needs letters, digits, "-" or "_", without the prefixes __Host- and __Secure-',
  )

const frontendUrls = {
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
   * Page that invitations to a team link to; `?token=` is appended.
   * @default `{frontendUrl}/team/invite`
   */
  acceptInvitation: pageUrl.optional(),
  /**
   * Page on which transfers of profiles are accepted. No token is appended.
   * @default `{frontendUrl}/transfers`
   */
  transfers: pageUrl.optional(),
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

const hooks = {
  /** Runs before an account is created. */
  beforeRegister: callback<NonNullable<EepHooks['beforeRegister']>>().optional(),
  /** Runs before a page becomes public, and before a public page changes. */
  beforePublish: callback<NonNullable<EepHooks['beforePublish']>>().optional(),
  /** Runs before money is taken. */
  beforeSettle: callback<NonNullable<EepHooks['beforeSettle']>>().optional(),
  /** Returns why a resource may not be shown or sold to a caller; the response is then 451. */
  legalRestriction: callback<NonNullable<EepHooks['legalRestriction']>>().optional(),
}

const passwordHashing = {
  /**
   * Memory of one argon2id hash, in KiB. The default is the recommendation of OWASP.
   * @default 19456
   */
  memoryKiB: z.int().min(1024).default(19_456),
  /**
   * Passes of argon2id over that memory.
   * @default 2
   */
  iterations: z.int().min(2).default(2),
  /**
   * Hashes computed at the same time; further ones wait. libuv has four threads, and not only hashing needs them.
   * @default one less than the number of cores, 3 at most
   */
  concurrency: z
    .int()
    .min(1)
    .default(() => Math.min(3, Math.max(1, availableParallelism() - 1))),
}

const expiry = {
  /**
   * Validity of the link that verifies an email address.
   * @default 86400
   */
  verifyEmailSeconds: seconds.default(24 * HOUR),
  /**
   * Pause before another verification email can be requested.
   * @default 60
   */
  resendVerificationSeconds: seconds.default(60),
  /**
   * Validity of the link that resets a password.
   * @default 3600
   */
  resetPasswordSeconds: seconds.default(HOUR),
  /**
   * Validity of the code that confirms the deletion of an account.
   * @default 600
   */
  deleteCodeSeconds: seconds.default(600),
  /**
   * Grace period during which a deleted account can be restored.
   * @default 2592000
   */
  deletionSeconds: seconds.default(30 * 24 * HOUR),
}

const auth = {
  /**
   * Authenticates users of the host, who then do not register or sign in here. Registration, sign-in and passwords of the
   * service are off. See docs/embed/host-authentication.md.
   */
  hostAuth: port<IdentityProvider>('authenticate').optional(),
  /**
   * OAuth sign-in: `githubProvider()`, `googleProvider()`, `oidcProvider()` of `@eep/core/oauth`. Cannot be combined with `hostAuth`.
   * See docs/guides/sign-in-providers.md.
   */
  oauthProviders: distinct(
    port<OAuthProvider>('start', 'finish').refine(({ name }) => /^[a-z0-9-]{1,32}$/.test(name) && name !== 'host', {
      error: 'Needs a name of lowercase letters, digits and hyphens, which is not "host"',
    }),
    ({ name }) => name,
    'Two providers have the same name',
  )
    .readonly()
    .default([]),
  /** Verifies signatures of wallets, so that accounts can link them: `evmWallets()`. See docs/guides/wallets.md. */
  walletVerifier: port<WalletVerifier>('verify').optional(),
  /** Email addresses whose accounts are administrators once the address is verified. */
  adminEmails: z.array(z.email()).readonly().default([]),
  /** Cost of new password hashes (argon2id). */
  passwordHashing: group(passwordHashing) as Group<typeof passwordHashing>,
  /** How long links and codes in emails are valid, and how long deleted accounts can be restored. */
  expiry: group(expiry) as Group<typeof expiry>,
  /**
   * How often accounts past their deletion grace period are purged and expired subscriptions are ended.
   * @default 3600000
   */
  purgeIntervalMs: z
    .int()
    .min(100)
    .default(HOUR * 1000),
}

const payments = {
  /**
   * Payment rails, in the order in which a 402 lists their offers. Two rails cannot accept the same asset on the same network.
   * See docs/concepts/payments.md.
   */
  rails: distinct(
    port<PaymentRail>('offer', 'read', 'matches', 'verify', 'settle', 'recover'),
    ({ id }) => id,
    'Two rails have the same id',
  )
    // One payment would be a credential of both, and core keeps credentials from being spent twice by rail.
    .refine((rails) => acceptDistinctAssets(rails), 'Two rails take the same asset on the same network')
    .readonly()
    .default([]),
  /**
   * `lookup`: the address of a payer opens what it bought. `signed`: only with the cookie that this service signed.
   * @default "lookup"
   */
  payerProof: z.enum(['lookup', 'signed']).default('lookup'),
  /**
   * Which challenge of a 402 comes first in `WWW-Authenticate`; some clients read only one.
   * @default "eep-first"
   */
  challengeOrder: z.enum(['eep-first', 'payment-first']).default('eep-first'),
  /**
   * Signs each offer of a 402 (x402 `offer-receipt`), which adds about 0.8 KB to its header. Receipts are always signed.
   * @default false
   */
  signedOffers: z.boolean().default(false),
  /**
   * How long a process may take to settle a payment before another one recovers its outcome.
   * @default 30000
   */
  settlementLeaseMs: z.int().min(100).default(30_000),
  /**
   * Where payment is explained to agents: the `docs_url` of a 402. A path is relative to `publicUrl`.
   * @default "/docs/payments"
   */
  docsUrl: z.string().max(512).default('/docs/payments'),
  /** Renders receipts as PDF: `receiptPdf()` of `@eep/core/pdf`. Without one there is no route for them. */
  receiptPdf: port<ReceiptRenderer>('render').optional(),
  /**
   * Sells subscriptions by the month: `cardBilling()`. Without one, `/checkout/start-trial` responds with 503.
   * See docs/guides/billing.md.
   */
  billing: port<BillingProcessor>(
    'openCheckout',
    'getCheckout',
    'expireCheckout',
    'getSubscription',
    'cancelSubscription',
    'readMessage',
  )
    .refine(({ id }) => /^[a-z][a-z0-9_]{0,31}$/.test(id), 'Needs an id of lowercase letters, digits and underscores')
    .refine(({ id }) => id !== 'usdc', 'The id "usdc" is that of years that are paid beforehand')
    .optional(),
  /**
   * When a cancelled subscription ends: with the paid period, or immediately with a refund.
   * @default "at_period_end"
   */
  billingCancel: z.enum(['at_period_end', 'at_once']).default('at_period_end'),
}

const gates = {
  /**
   * Verifies credentials for the requirements `credential` and `data_request`: `vcCredentials()` of `@eep/core/credentials`.
   * Without one these requirements are never met.
   */
  credentials: port<CredentialVerifier>('verifyCredential', 'verifyPresentation').optional(),
  /**
   * Versions of a gate configuration that are kept, including the current one.
   * @default 100
   */
  keptVersions: versions.default(100),
  /**
   * Verifiers of gate requirements by type: `x-…` types of the host, or a type of EEP that the host verifies better. A
   * requirement without a verifier is never met. See docs/concepts/agents.md.
   */
  requirementVerifiers: z
    .record(z.string().regex(/^(x-[a-z][a-z0-9_-]*|[a-z_]+)$/), callback<RequirementVerifier>())
    .default({}),
}

const files = {
  /**
   * Reads forms, detects types and measures recordings: `fileToolkit()` of `@eep/core/files`. Required with `blobStore`.
   */
  toolkit: port<FileToolkit>('createFormParser', 'detectType', 'contentDisposition', 'measureDuration').optional(),
  /** Stores the bytes of files: `directoryBlobs()`, `s3Blobs()`. Without one there are no files. */
  blobStore: port<BlobStore>('put', 'get', 'head', 'delete', 'list', 'sweep').optional(),
  /** Re-encodes images to strip metadata and appended data: `sharpImages()`. Without one images are stored as sent. */
  imageProcessor: port<ImageCleaner>('clean')
    .refine(({ contentTypes }) => Array.isArray(contentTypes), { error: 'Needs contentTypes' })
    .optional(),
  /** Scans uploads before they are stored permanently: `clamdScanner()`. A file that cannot be scanned is refused. */
  scanner: port<Scanner>('scan').optional(),
  /** Extracts the text of documents: `documentConverter()`. Without one no file has a text. */
  converter: port<DocumentConverter>('reads', 'convert').optional(),
  /**
   * How long a request waits for a text that is not extracted yet.
   * @default 10000
   */
  conversionWaitMs: z.int().min(0).max(300_000).default(10_000),
  /** Transcribes recordings: `httpTranscriber()`. Without one nothing is transcribed. */
  transcriber: port<Transcriber>('transcribe').optional(),
}

const email = {
  /**
   * Sends email: `smtpMailer()`, `directoryMailer()` of `@eep/core/email`. Without one, requests that would send an email are answered as
   * usual, and the log names each email that was not sent.
   */
  mailer: port<Mailer>('send').optional(),
}

const rateLimit = {
  /**
   * Multiplies every rate limit; for tests and load runs.
   * @default 1
   */
  multiplier: z.number().positive().max(1_000_000).default(1),
  /**
   * Where instances count requests together. Without one each process counts for itself. Requests are counted locally and
   * sent here every 200 ms, so all instances together may exceed a limit by what arrives within that time.
   */
  store: port<RateLimitStore>('hit', 'hitMany').optional(),
}

const limits = {
  /** Rate limits. */
  rateLimit: group(rateLimit) as Group<typeof rateLimit>,
  /**
   * Changes to what plans allow and to the commission on sales: `{ pro: { commissionBps: 300, limits: { maxFiles: 5000 } } }`.
   * See docs/operate/limits.md.
   */
  plans: planChangesSchema.prefault({}) as z.ZodPrefault<typeof planChangesSchema>,
  /**
   * Public documents that are kept in memory; 0 keeps none.
   * @default 2000
   */
  readCacheEntries: z.int().min(0).default(2_000),
}

const webhooks = {
  /**
   * Webhooks that this instance delivers to at the same time. Each of them gets one request at a time.
   * @default 32
   */
  concurrency: z.int().min(1).max(1_000).default(32),
  /**
   * Pauses in seconds before the second and each further attempt to deliver an event; after the last one it is given up.
   * @default [5, 30, 120, 900, 3600, 21600]
   */
  retrySeconds: z.array(z.number().min(0).max(86_400)).max(20).readonly().default([5, 30, 120, 900, 3_600, 21_600]),
  /**
   * How long a receiver may take to answer.
   * @default 10000
   */
  timeoutMs: z.int().min(100).max(15_000).default(10_000),
  /**
   * Deliveries that may wait for one webhook. When there are more it is paused, and its owner can replay what it missed.
   * @default 100000
   */
  maxBacklog: z.int().min(1).max(1_000_000).default(100_000),
  /**
   * Webhooks that an account may create in a day; it may renew, test, redeliver and replay as often each.
   * @default 100
   */
  createdPerDay: z.int().min(0).default(100),
}

const signals = {
  /**
   * A reverse domain that goes before the type of each event: with `com.example` clients get `com.example.content.published`.
   * Filters match with and without it.
   * @default none
   */
  typePrefix: z
    .string()
    .max(64)
    .regex(/^[a-z][a-z0-9]*(\.[a-z][a-z0-9_]*)*$/, 'Needs a reverse domain: com.example')
    .optional(),
  /**
   * How long clients can continue after an event that they have. Older events are deleted in the background, except those that
   * changelogs show. At least 24 hours. Default: 7 days.
   * @default 604800000
   */
  retentionMs: z
    .int()
    .min(24 * HOUR * 1_000)
    .default(7 * 24 * HOUR * 1_000),
  /**
   * Concurrent streams of one address without an account. Plans have their own limit.
   * @default 10
   */
  anonymousStreams: z.int().min(0).max(100_000).default(10),
}

const content = {
  /**
   * Saves of one author within this time are one version of a page; 0 keeps each save.
   * @default 300
   */
  versionIntervalSeconds: z.int().min(0).max(86_400).default(300),
  /**
   * Versions of a page that are kept, including the current one.
   * @default 200
   */
  keptVersions: versions.default(200),
  /**
   * `block`: pages load images of this service only, and other images in texts become links, because loading an image
   * reveals the reader to the author. `allow`: images of other origins are loaded over https.
   * @default "block"
   */
  remoteImages: z.enum(['block', 'allow']).default('block'),
}

const profiles = {
  /**
   * Additional members of `type_data` by profile type: `{ product: z.object({ … }) }`. They are validated, published in the
   * JSON Schema of the type, and optional. See docs/concepts/profiles.md.
   */
  typeData: z
    .partialRecord(
      z.enum(PROFILE_TYPES),
      z
        .custom<z.core.$ZodObject>((value) => (value as z.core.$ZodType | undefined)?._zod?.def.type === 'object', {
          error: 'Needs an object schema of zod 4',
        })
        .optional(),
    )
    .default({}),
}

const sockets = {
  /** Accepts WebSocket connections: `webSockets()` of `@eep/core/sockets`. Without one there are no sockets. */
  server: port<SocketServer>('addRoutes').optional(),
  /**
   * How often a client is asked for a sign of life. A client that is silent for two of these intervals is disconnected.
   * @default 15000
   */
  pingIntervalMs: z.int().min(100).max(300_000).default(15_000),
  /**
   * How long before the end of its session or key a client is warned.
   * @default 300
   */
  authWarningSeconds: z.int().min(1).max(86_400).default(300),
  /**
   * How long a client has from that warning to show another token.
   * @default 60
   */
  authRefreshSeconds: z.int().min(1).max(86_400).default(60),
  /**
   * The longest frame, in bytes. A longer one ends the connection with 1009.
   * @default 65536
   */
  maxFrameBytes: z.int().min(1_024).max(1_048_576).default(65_536),
  /**
   * How many frames a client may send in a second. More of them end the connection with 1008.
   * @default 50
   */
  framesPerSecond: z.int().min(1).max(10_000).default(50),
}

const jobs = {
  /** Kinds of jobs of the host. See docs/guides/jobs.md. */
  kinds: z.array(port<JobKind>('run')).readonly().default([]),
  /**
   * Jobs that run at the same time on this instance.
   * @default 2
   */
  concurrency: z.int().min(1).max(64).default(2),
  /**
   * How often to look for jobs that other instances added.
   * @default 2000
   */
  pollMs: z.int().min(500).default(2_000),
  /**
   * Silence after which an instance counts as dead. Others take over its jobs within twice this time. Use the same value on
   * all instances.
   * @default 20000
   */
  deadAfterMs: z.int().min(10_000).default(20_000),
}

const contentSignal = {
  /**
   * Crawlers may index the content for search.
   * @default true
   */
  search: z.boolean().default(true),
  /**
   * Crawlers may use the content as input of generated answers.
   * @default true
   */
  aiInput: z.boolean().default(true),
  /**
   * Crawlers may train models on the content.
   * @default false
   */
  aiTrain: z.boolean().default(false),
}

const crawlers = {
  /** The `Content-Signal` of `robots.txt`. */
  contentSignal: group(contentSignal) as Group<typeof contentSignal>,
  /** Crawlers that `robots.txt` disallows, by user agent: `['CCBot']`. */
  disallow: z
    .array(z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, 'Needs the name of a crawler: CCBot'))
    .max(100)
    .readonly()
    .default([]),
}

const discovery = {
  /**
   * Serves `/`, `/robots.txt`, `/sitemap.xml` with its parts, and `/llms.txt`. `false` leaves them to the host.
   * @default true
   */
  rootFiles: z.boolean().default(true),
  /**
   * Draws the API reference for people at `/docs`: `swaggerUi()` of `@eep/core/docs-ui`. Without one `/docs` lists the
   * documents that describe the service.
   */
  docsUi: z
    .custom<DocsUi>((value) => typeof (value as DocsUi | undefined)?.files === 'object', { error: 'Needs files' })
    .optional(),
  /** What `robots.txt` says. */
  crawlers: group(crawlers) as Group<typeof crawlers>,
}

const cookieNames = {
  /** @default "eep_session" */
  session: cookieName.default(DEFAULT_COOKIE_NAMES.session),
  /** @default "eep_payer" */
  payer: cookieName.default(DEFAULT_COOKIE_NAMES.payer),
  /** @default "eep_payer_sig" */
  payerProof: cookieName.default(DEFAULT_COOKIE_NAMES.payerProof),
  /** @default "oauth_state" */
  oauthState: cookieName.default(DEFAULT_COOKIE_NAMES.oauthState),
  /** @default "oauth_next" */
  oauthNext: cookieName.default(DEFAULT_COOKIE_NAMES.oauthNext),
}

const cookies = {
  /**
   * The `Path` of the session and payer cookies. The OAuth cookies have the path of their routes.
   * @default "/"
   */
  path: z
    .string()
    .regex(/^\/$|^(?:\/[A-Za-z0-9._~-]+)+$/, 'Needs a path without a slash at the end: /profiles')
    .default('/'),
  /** Names of the cookies. No two may be equal. */
  names: z
    .strictObject(cookieNames)
    .refine((names) => new Set(Object.values(names)).size === Object.keys(names).length, 'Two cookies share a name')
    .prefault({}) as Group<typeof cookieNames>,
}

const http = {
  /** Names and path of the cookies, for a domain that carries more than one service. */
  cookies: group(cookies) as Group<typeof cookies>,
  /** Origins other than that of `publicUrl` whose pages may send requests with cookies. */
  trustedOrigins: z.array(origin).readonly().default([]),
  /**
   * How long a request body that is not a form may take to arrive; then the response is 408 `body_timeout`.
   * @default 60000
   */
  bodyTimeoutMs: z.int().min(100).max(3_600_000).default(60_000),
  /**
   * How long the response to a POST with an `Idempotency-Key` is replayed.
   * @default 86400000
   */
  idempotencyTtlMs: z
    .int()
    .min(60_000)
    .default(24 * HOUR * 1000),
  /**
   * Hosts (`host` or `host:port`) that requests to user-supplied URLs may reach although they are private or use plain http.
   * For development and tests only.
   */
  allowPrivateHosts: z
    .array(z.string().regex(/^[a-z0-9.-]+(:\d{1,5})?$|^\[[0-9a-f:.]+\](:\d{1,5})?$/i))
    .readonly()
    .default([]),
}

function acceptDistinctAssets(rails: readonly PaymentRail[]): boolean {
  const assets = rails.flatMap(
    ({ info }) => info?.accepts.map(({ network, asset }) => `${network} ${asset}`.toLowerCase()) ?? [],
  )
  return new Set(assets).size === assets.length
}

/** The options of the service by name. */
export const optionsShape = {
  /** The public URL of the service, without a trailing slash. */
  publicUrl: origin,
  /** Where records are stored: `postgresStorage()`, `pgliteStorage()`. */
  storage: port<Storage>('transaction', 'ping', 'close'),
  /**
   * A secret of at least 32 characters. Of a list the first one signs and all of them verify: put a new one in front to
   * rotate.
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
   * The name of the service in manifests, tokens and emails.
   * @default "Entity Identity and Engagement Service"
   */
  name: z.string().min(1).max(128).default('Entity Identity and Engagement Service'),
  /**
   * What the service offers, in manifests.
   * @default "Profiles that people and AI agents read, and content that agents can buy."
   */
  description: z.string().max(512).default('Profiles that people and AI agents read, and content that agents can buy.'),
  /**
   * The site to which users return from an OAuth provider, and whose pages ask wallets to sign.
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
  /** Uploads, their texts and transcripts. See docs/guides/files.md. */
  files: z
    .strictObject(files)
    .refine(({ blobStore, toolkit }) => blobStore === undefined || toolkit !== undefined, {
      error: 'A blobStore needs toolkit: fileToolkit() of @eep/core/files',
    })
    .prefault({}) as Group<typeof files>,
  /** Email. */
  email: group(email) as Group<typeof email>,
  /** Pages and their presentation. */
  content: group(content) as Group<typeof content>,
  /** Events that clients follow: streams, history and retention. See docs/guides/follow-changes.md. */
  signals: group(signals) as Group<typeof signals>,
  /** Events delivered to URLs of subscribers. See docs/guides/follow-changes.md. */
  webhooks: group(webhooks) as Group<typeof webhooks>,
  /** Profiles. */
  profiles: group(profiles) as Group<typeof profiles>,
  /** Limits and plans. */
  limits: group(limits) as Group<typeof limits>,
  /** Discovery by crawlers and agents. */
  discovery: group(discovery) as Group<typeof discovery>,
  /** Cookies, request bodies and outbound requests. */
  http: group(http) as Group<typeof http>,
  /** WebSocket connections. See docs/guides/sockets.md. */
  sockets: group(sockets) as Group<typeof sockets>,
  /** Work in the background, where the storage has a queue. */
  jobs: group(jobs) as Group<typeof jobs>,
  /** Functions of the host that refuse by throwing. They run outside of transactions, before anything is stored. */
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
