import { availableParallelism } from 'node:os'
import { z } from 'zod'
import { memoryRateLimits } from './defaults/memory-rate-limits.ts'
import type { EepHooks } from './hooks.ts'
import { type Clock, systemClock } from './kernel/clock.ts'
import type { SigningJwk } from './kernel/keyring.ts'
import {
  createTierTable,
  type Lifetimes,
  type MailLinks,
  type Tier,
  type TierChanges,
  type TierTable,
  tierChangesSchema,
} from './modules/accounts/index.ts'
import type { ContentSignal, CrawlerRules } from './modules/discovery/crawlers.ts'
import type { RequirementVerifier } from './modules/gates/index.ts'
import type { JobKind, JobSettings } from './modules/jobs/index.ts'
import { PROFILE_TYPES, type TypeData, type TypeDataExtensions, typeDataWith } from './modules/profiles/index.ts'
import type { SubscriptionLinks } from './modules/subscriptions/index.ts'
import type { BillingProcessor } from './ports/billing-processor.ts'
import type { BlobStore } from './ports/blob-store.ts'
import type { DocumentConverter } from './ports/document-converter.ts'
import type { IdentityProvider } from './ports/identity-provider.ts'
import type { ImageCleaner } from './ports/image-cleaner.ts'
import type { Mailer } from './ports/mailer.ts'
import type { OAuthProvider } from './ports/oauth-provider.ts'
import type { PaymentRail } from './ports/payment-rail.ts'
import type { RateLimitStore } from './ports/rate-limit-store.ts'
import type { Scanner } from './ports/scanner.ts'
import type { Storage } from './ports/storage.ts'
import type { Transcriber } from './ports/transcriber.ts'
import type { WalletVerifier } from './ports/wallet-verifier.ts'

/** Where the service tells what no caller hears: a Fastify or pino logger fits. */
export interface EepLogger {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

/** What a host decides. Only the first three have no default. */
export interface EepOptions {
  /** The URL under which the world reaches the clean listener, without a slash at the end. */
  readonly publicUrl: string
  readonly storage: Storage
  /** 32 characters or more that nobody knows. Of a list the first signs and all verify; put a new one in front to rotate. */
  readonly secret: string | readonly string[]
  /** Ed25519 keys that sign receipts, first signs, all are published. Without any, one is derived from each secret. */
  readonly signingKeys?: readonly SigningJwk[] | undefined
  /** Ways to pay; their order is the order of a 402. */
  readonly rails?: readonly PaymentRail[] | undefined
  /** Sells subscriptions to tiers month by month: `cardBilling()`. Without one, `/checkout/start-trial` answers 503. */
  readonly billing?: BillingProcessor | undefined
  /** When a subscription ends that its account gives up: with what is paid for, unless told, or at once, with money back. */
  readonly billingCancel?: 'at_period_end' | 'at_once' | undefined
  /** What a service calls itself in manifests and tokens. */
  readonly name?: string | undefined
  readonly description?: string | undefined
  /** Where payment is explained to agents; appears as `docs_url` in a 402. */
  readonly docsUrl?: string | undefined
  /** `lookup`: a payer's address opens what it bought. `signed`: only with the cookie this service signed. */
  readonly payerProof?: 'lookup' | 'signed' | undefined
  /** The host's own users are signed in here too; registering, signing in and passwords are the host's then. */
  readonly identity?: IdentityProvider | undefined
  /** Where people may sign in instead: `githubProvider()`, `googleProvider()`, `oidcProvider()`; not with `identity`. */
  readonly providers?: readonly OAuthProvider[] | undefined
  /** The site that people come back to from a provider, and whose pages ask wallets to sign; the public URL unless told. */
  readonly frontendUrl?: string | undefined
  /** Checks what wallets sign, so that they can be linked: `evmWallets()`. Without it none can. */
  readonly wallets?: WalletVerifier | undefined
  /** Keeps the bytes of files: `directoryBlobs()`, `s3Blobs()`. Without one there are none. */
  readonly blobs?: BlobStore | undefined
  /** Reads the text of documents: `documentConverter()`. Without one no file has a text. */
  readonly converter?: DocumentConverter | undefined
  /** How long a request waits for a text that has to be read first; 10 seconds unless told. */
  readonly conversionWaitMs?: number | undefined
  /** Makes text of recordings: `httpTranscriber()`. Without one nothing is transcribed. */
  readonly transcriber?: Transcriber | undefined
  /** Draws images anew, without what else is in them: `sharpImages()` of `@eep/core/images`. Without it they stay as sent. */
  readonly images?: ImageCleaner | undefined
  /** Scans files before they are anyone's: `clamdScanner()`. What it cannot scan is refused. Without it nothing is scanned. */
  readonly scanner?: Scanner | undefined
  /** Work in the background, where the storage has a queue. */
  readonly jobs?:
    | {
        /** What the host does in the background, beside what the service does. */
        readonly kinds?: readonly JobKind[] | undefined
        /** How many jobs run at once on this instance; 2 unless told. */
        readonly concurrency?: number | undefined
        /** How often to look for jobs that other instances added; 2000 unless told, 500 at least. */
        readonly pollMs?: number | undefined
        /**
         * After how long of silence an instance counts as dead, and its jobs are done by others, within twice this time:
         * 20000 unless told, 10000 at least, and the same for all instances.
         */
        readonly deadAfterMs?: number | undefined
      }
    | undefined
  /** Sends mail. Without one, what would send mail answers as usual, and the log tells of each mail that was not sent. */
  readonly mailer?: Mailer | undefined
  /**
   * Pages of the host's frontend that mails lead to, with `?token=` behind but for `transfers`: `/verify`,
   * `/reset-password`, `/team/invite` and `/transfers` unless told. And those that buyers of subscriptions come back to:
   * `subscribed`, with `?checkout_id=` behind, and `pricing`; `/account/subscription` and `/pricing` unless told.
   */
  readonly links?: { readonly [Page in keyof (MailLinks & SubscriptionLinks)]?: string | undefined } | undefined
  /** The accounts of these mail addresses are administrators, once the address is verified. */
  readonly adminEmails?: readonly string[] | undefined
  /** How long the links and codes of mails work, and how long a deleted account can be taken back. */
  readonly lifetimes?: { readonly [Thing in keyof Lifetimes]?: number | undefined } | undefined
  /** How often accounts are removed whose time to come back is over. */
  readonly purgeEveryMs?: number | undefined
  readonly rateLimit?:
    | {
        /** Multiplies every limit; for tests and load runs. */
        readonly multiplier?: number | undefined
        /** Where requests are counted; in this process, unless told. Instances behind one address share one. */
        readonly store?: RateLimitStore | undefined
      }
    | undefined
  /** Origins, beside our own, whose pages may call with cookies. */
  readonly trustedOrigins?: readonly string[] | undefined
  /**
   * `host` or `host:port` that the service may call although they are private or plain http. It calls addresses that
   * strangers name, so this is for development and tests only.
   */
  readonly devCallbackHosts?: readonly string[] | undefined
  /** argon2id parameters of new password hashes; the defaults are those of OWASP. */
  readonly passwordHashing?:
    | {
        readonly memoryKiB?: number | undefined
        readonly iterations?: number | undefined
        /**
         * How many hashes are computed at once; the others wait. Unless told, one less than there are cores, so that one is
         * left for everything else, and at most three: libuv has four threads, and not only hashing needs one.
         */
        readonly concurrency?: number | undefined
      }
    | undefined
  /** How many public documents are kept in memory; 0 keeps none. */
  readonly readCacheEntries?: number | undefined
  /** How long one process may take over a settlement before another asks what became of it. */
  readonly settlementLeaseMs?: number | undefined
  /** For how long a POST with an `Idempotency-Key` that comes again gets the answer it got; 24 hours unless told. */
  readonly idempotencyMs?: number | undefined
  /** Which challenge of a 402 comes first; some clients read one only. `eep-first` unless told. */
  readonly challengeOrder?: 'eep-first' | 'payment-first' | undefined
  /** True signs each offer of a 402 (x402 `offer-receipt`), about 0.8 KB of its header; receipts are signed anyway. */
  readonly signedOffers?: boolean | undefined
  /** False leaves `/`, `/robots.txt`, `/sitemap.xml` with its parts and `/llms.txt` to the host. */
  readonly siteFiles?: boolean | undefined
  /** What `/robots.txt` tells crawlers. */
  readonly crawlers?:
    | {
        /** What others may do with what they read; unless told, search it and answer with it, and not train on it. */
        readonly contentSignal?: { readonly [Use in keyof ContentSignal]?: boolean | undefined } | undefined
        /** Crawlers that are to stay away, by the name they give themselves: `['CCBot']`. */
        readonly disallow?: readonly string[] | undefined
      }
    | undefined
  /** What tiers are to allow and cost otherwise than they do: `{ pro: { commissionBps: 300, limits: { maxFiles: 5000 } } }`. */
  readonly tiers?: { readonly [Name in Tier]?: TierChanges | undefined } | undefined
  readonly profiles?:
    | {
        /**
         * What `type_data` of a type may hold beside what it has: `{ product: z.object({ … }) }`. Checked with the rest,
         * published with the JSON Schema of the type, and always optional.
         */
        readonly typeData?: TypeDataExtensions | undefined
      }
    | undefined
  /**
   * Verifiers of gate requirements, by type: `x-…` of the host's own, or one of EEP that it checks better. A type that
   * nobody verifies is never met.
   */
  readonly requirementVerifiers?: Readonly<Record<string, RequirementVerifier>> | undefined
  readonly hooks?: EepHooks | undefined
  readonly logger?: EepLogger | undefined
  readonly clock?: Clock | undefined
}

/** The options with every default filled in. */
export interface Settings {
  readonly publicUrl: string
  readonly storage: Storage
  readonly secrets: readonly [string, ...string[]]
  readonly signingKeys: readonly SigningJwk[]
  readonly rails: readonly PaymentRail[]
  readonly billing: BillingProcessor | undefined
  readonly billingCancel: 'at_period_end' | 'at_once'
  readonly name: string
  readonly description: string
  readonly docsUrl: string
  readonly payerProof: 'lookup' | 'signed'
  readonly identity: IdentityProvider | undefined
  readonly providers: readonly OAuthProvider[]
  readonly frontendUrl: string
  readonly wallets: WalletVerifier | undefined
  readonly blobs: BlobStore | undefined
  readonly converter: DocumentConverter | undefined
  readonly conversionWaitMs: number
  readonly transcriber: Transcriber | undefined
  readonly jobs: JobSettings & { readonly kinds: readonly JobKind[] }
  readonly images: ImageCleaner | undefined
  readonly scanner: Scanner | undefined
  readonly mailer: Mailer | undefined
  readonly links: MailLinks & SubscriptionLinks
  readonly adminEmails: readonly string[]
  readonly lifetimes: Lifetimes
  readonly purgeEveryMs: number
  readonly rateLimit: { readonly multiplier: number; readonly store: RateLimitStore }
  readonly trustedOrigins: readonly string[]
  readonly devCallbackHosts: readonly string[]
  readonly passwordHashing: { readonly memoryKiB: number; readonly iterations: number; readonly concurrency: number }
  readonly readCacheEntries: number
  readonly settlementLeaseMs: number
  readonly idempotencyMs: number
  readonly challengeOrder: 'eep-first' | 'payment-first'
  readonly signedOffers: boolean
  readonly siteFiles: boolean
  readonly crawlers: CrawlerRules
  readonly typeData: TypeData
  readonly tierFacts: TierTable
  readonly requirementVerifiers: Readonly<Record<string, RequirementVerifier>>
  readonly hooks: EepHooks
  readonly logger: EepLogger | undefined
  readonly clock: Clock
}

const having = <Shape extends object>(...methods: (keyof Shape & string)[]) =>
  z.custom<Shape>(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      methods.every((method) => typeof (value as Record<string, unknown>)[method] === 'function'),
    { error: `Needs ${methods.join('(), ')}()` },
  )

const secret = z.string().min(32, 'Needs at least 32 characters')
const callable = <Type>() => z.custom<Type>((value) => typeof value === 'function', { error: 'Needs a function' })
const origin = z
  .url({ protocol: /^https?$/ })
  .refine((text) => !/[?#]|\/$/.test(text), 'Without a query, a fragment or a slash at the end')

const objectSchema = z.custom<z.core.$ZodObject>(
  (value) => (value as z.core.$ZodType | undefined)?._zod?.def.type === 'object',
  { error: 'Needs an object schema of zod 4' },
)

const PROVIDER_NAME = /^[a-z0-9-]{1,32}$/
const PROCESSOR_NAME = /^[a-z][a-z0-9_]{0,31}$/
const CRAWLER_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/
const page = z.url({ protocol: /^https?$/ })
const seconds = z.int().min(1)
const HOUR = 3_600

function haveMarketsOfTheirOwn(rails: readonly PaymentRail[]): boolean {
  const markets = rails.flatMap(
    ({ facts }) => facts?.accepts.map(({ network, asset }) => `${network} ${asset}`.toLowerCase()) ?? [],
  )
  return new Set(markets).size === markets.length
}

const hashesAtOnce = () => Math.min(3, Math.max(1, availableParallelism() - 1))

const optionsSchema = z.strictObject({
  publicUrl: origin,
  storage: having<Storage>('transaction', 'ping', 'close'),
  secret: z.union([secret, z.array(secret).min(1)]),
  signingKeys: z
    .array(
      z.looseObject({
        kty: z.literal('OKP'),
        crv: z.literal('Ed25519'),
        x: z.string(),
        d: z.string(),
        kid: z.string().optional(),
      }),
    )
    .default([]),
  rails: z
    .array(having<PaymentRail>('offer', 'read', 'matches', 'verify', 'settle', 'recover'))
    .refine((rails) => new Set(rails.map(({ id }) => id)).size === rails.length, 'Two rails have the same id')
    // One payment would be a credential of both, and core keeps credentials from being spent twice by rail.
    .refine((rails) => haveMarketsOfTheirOwn(rails), 'Two rails take the same asset on the same network')
    .default([]),
  billing: having<BillingProcessor>(
    'openCheckout',
    'getCheckout',
    'expireCheckout',
    'getSubscription',
    'cancelSubscription',
    'readMessage',
  )
    .refine(({ id }) => PROCESSOR_NAME.test(id), 'Needs an id of lowercase letters, digits and underscores')
    .refine(({ id }) => id !== 'usdc', 'The id "usdc" is that of years that are paid beforehand')
    .optional(),
  billingCancel: z.enum(['at_period_end', 'at_once']).default('at_period_end'),
  name: z.string().min(1).max(128).default('Entity Identity and Engagement Service'),
  description: z.string().max(512).default('Profiles that people and AI agents read, and content that agents can buy.'),
  docsUrl: z.string().max(512).default('/docs/payments'),
  payerProof: z.enum(['lookup', 'signed']).default('lookup'),
  identity: having<IdentityProvider>('authenticate').optional(),
  providers: z
    .array(
      having<OAuthProvider>('start', 'finish').refine(({ name }) => PROVIDER_NAME.test(name) && name !== 'host', {
        error: 'Needs a name of lowercase letters, digits and hyphens, which is not "host"',
      }),
    )
    .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, 'Two providers have the same name')
    .default([]),
  frontendUrl: origin.optional(),
  wallets: having<WalletVerifier>('verify').optional(),
  blobs: having<BlobStore>('put', 'get', 'head', 'delete', 'list', 'sweep').optional(),
  converter: having<DocumentConverter>('reads', 'convert').optional(),
  conversionWaitMs: z.int().min(0).max(300_000).default(10_000),
  transcriber: having<Transcriber>('transcribe').optional(),
  jobs: z
    .strictObject({
      kinds: z.array(having<JobKind>('run')).default([]),
      concurrency: z.int().min(1).max(64).default(2),
      pollMs: z.int().min(500).default(2_000),
      deadAfterMs: z.int().min(10_000).default(20_000),
    })
    .prefault({}),
  images: having<ImageCleaner>('clean')
    .refine(({ contentTypes }) => Array.isArray(contentTypes), { error: 'Needs contentTypes' })
    .optional(),
  scanner: having<Scanner>('scan').optional(),
  mailer: having<Mailer>('send').optional(),
  links: z
    .strictObject({
      verifyEmail: page.optional(),
      resetPassword: page.optional(),
      acceptInvitation: page.optional(),
      transfers: page.optional(),
      subscribed: page.optional(),
      pricing: page.optional(),
    })
    .prefault({}),
  adminEmails: z.array(z.email()).default([]),
  lifetimes: z
    .strictObject({
      verifyEmailSeconds: seconds.default(24 * HOUR),
      resendVerificationSeconds: seconds.default(60),
      resetPasswordSeconds: seconds.default(HOUR),
      deleteCodeSeconds: seconds.default(600),
      deletionSeconds: seconds.default(30 * 24 * HOUR),
    })
    .prefault({}),
  purgeEveryMs: z
    .int()
    .min(100)
    .default(HOUR * 1000),
  rateLimit: z
    .strictObject({
      multiplier: z.number().positive().max(1_000_000).default(1),
      store: having<RateLimitStore>('hit').optional(),
    })
    .prefault({}),
  trustedOrigins: z.array(origin).default([]),
  devCallbackHosts: z.array(z.string().regex(/^[a-z0-9.-]+(:\d{1,5})?$|^\[[0-9a-f:.]+\](:\d{1,5})?$/i)).default([]),
  passwordHashing: z
    .strictObject({
      memoryKiB: z.int().min(1024).default(19_456),
      iterations: z.int().min(2).default(2),
      concurrency: z.int().min(1).default(hashesAtOnce),
    })
    .prefault({}),
  readCacheEntries: z.int().min(0).default(2_000),
  settlementLeaseMs: z.int().min(100).default(30_000),
  idempotencyMs: z
    .int()
    .min(60_000)
    .default(24 * HOUR * 1000),
  challengeOrder: z.enum(['eep-first', 'payment-first']).default('eep-first'),
  signedOffers: z.boolean().default(false),
  siteFiles: z.boolean().default(true),
  crawlers: z
    .strictObject({
      contentSignal: z
        .strictObject({
          search: z.boolean().default(true),
          aiInput: z.boolean().default(true),
          aiTrain: z.boolean().default(false),
        })
        .prefault({}),
      disallow: z.array(z.string().regex(CRAWLER_NAME, 'Needs the name of a crawler: CCBot')).max(100).default([]),
    })
    .prefault({}),
  tiers: tierChangesSchema.prefault({}),
  profiles: z
    .strictObject({
      typeData: z.partialRecord(z.enum(PROFILE_TYPES), objectSchema.optional()).default({}),
    })
    .prefault({}),
  requirementVerifiers: z
    .record(z.string().regex(/^(x-[a-z][a-z0-9_-]*|[a-z_]+)$/), callable<RequirementVerifier>())
    .default({}),
  hooks: z
    .strictObject({
      beforeRegister: callable<NonNullable<EepHooks['beforeRegister']>>().optional(),
      beforePublish: callable<NonNullable<EepHooks['beforePublish']>>().optional(),
      beforeSettle: callable<NonNullable<EepHooks['beforeSettle']>>().optional(),
      legalRestriction: callable<NonNullable<EepHooks['legalRestriction']>>().optional(),
    })
    .prefault({}),
  logger: having<EepLogger>('info', 'warn', 'error').optional(),
  clock: callable<Clock>().default(() => systemClock),
})

/**
 * Checks the options and fills in the defaults.
 *
 * @throws TypeError that names each option that is wrong by its path
 */
export function readOptions(options: EepOptions): Settings {
  const result = optionsSchema.safeParse(options)
  if (!result.success) {
    const lines = result.error.issues.map(({ path, message }) => `  ${path.join('.') || 'options'}: ${message}`)
    throw new TypeError(`The options of the service are not valid:\n${lines.join('\n')}`)
  }
  const { secret: secrets, rateLimit, links, hooks, profiles, tiers, ...rest } = result.data
  const { frontendUrl = rest.publicUrl } = rest
  return {
    ...rest,
    secrets: (Array.isArray(secrets) ? secrets : [secrets]) as [string, ...string[]],
    rateLimit: { multiplier: rateLimit.multiplier, store: rateLimit.store ?? memoryRateLimits() },
    frontendUrl,
    wallets: rest.wallets,
    blobs: rest.blobs,
    converter: rest.converter,
    transcriber: rest.transcriber,
    billing: rest.billing,
    images: rest.images,
    scanner: rest.scanner,
    mailer: rest.mailer,
    links: {
      verifyEmail: links.verifyEmail ?? `${frontendUrl}/verify`,
      resetPassword: links.resetPassword ?? `${frontendUrl}/reset-password`,
      acceptInvitation: links.acceptInvitation ?? `${frontendUrl}/team/invite`,
      transfers: links.transfers ?? `${frontendUrl}/transfers`,
      subscribed: links.subscribed ?? `${frontendUrl}/account/subscription`,
      pricing: links.pricing ?? `${frontendUrl}/pricing`,
    },
    typeData: typeDataWith(profiles.typeData),
    tierFacts: createTierTable(tiers),
    hooks: hooks as EepHooks,
    logger: rest.logger,
    identity: rest.identity,
  }
}
