import { availableParallelism } from 'node:os'
import { z } from 'zod'
import { DEFAULT_COOKIE_NAMES } from '../http/cookies.ts'
import { type Clock, systemClock } from '../kernel/clock.ts'
import { planChangesSchema } from '../model/plan-changes.ts'
import { PROFILE_TYPES } from '../model/profile-type.ts'
import type { BillingProcessor } from '../ports/billing-processor.ts'
import type { BlobStore } from '../ports/blob-store.ts'
import type { DocumentConverter } from '../ports/document-converter.ts'
import type { EepHooks } from '../ports/hooks.ts'
import type { IdentityProvider } from '../ports/identity-provider.ts'
import type { ImageCleaner } from '../ports/image-cleaner.ts'
import type { JobKind } from '../ports/job-kind.ts'
import type { EepLogger } from '../ports/logger.ts'
import type { Mailer } from '../ports/mailer.ts'
import type { OAuthProvider } from '../ports/oauth-provider.ts'
import type { PaymentRail } from '../ports/payment-rail.ts'
import type { RateLimitStore } from '../ports/rate-limit-store.ts'
import type { RequirementVerifier } from '../ports/requirement-verifier.ts'
import type { Scanner } from '../ports/scanner.ts'
import type { Storage } from '../ports/storage/storage.ts'
import type { Transcriber } from '../ports/transcriber.ts'
import type { WalletVerifier } from '../ports/wallet-verifier.ts'

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
// `__Host-` and `__Secure-` put conditions on path and scheme, which the OAuth cookies cannot meet.
const cookieName = z
  .string()
  .regex(
    /^(?!__(?:Host|Secure)-)[A-Za-z0-9_-]{1,64}$/i,
    'Needs letters, digits, "-" or "_", without the prefixes __Host- and __Secure-',
  )
const COOKIE_PATH = /^\/$|^(?:\/[A-Za-z0-9._~-]+)+$/
const HOUR = 3_600

function haveMarketsOfTheirOwn(rails: readonly PaymentRail[]): boolean {
  const markets = rails.flatMap(
    ({ facts }) => facts?.accepts.map(({ network, asset }) => `${network} ${asset}`.toLowerCase()) ?? [],
  )
  return new Set(markets).size === markets.length
}

const hashesAtOnce = () => Math.min(3, Math.max(1, availableParallelism() - 1))

/** What a host may decide, and what is so unless it does. */
export const optionsSchema = z.strictObject({
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
      store: having<RateLimitStore>('hit', 'hitMany').optional(),
    })
    .prefault({}),
  cookies: z
    .strictObject({
      path: z.string().regex(COOKIE_PATH, 'Needs a path without a slash at the end: /profiles').default('/'),
      names: z
        .strictObject({
          session: cookieName.default(DEFAULT_COOKIE_NAMES.session),
          payer: cookieName.default(DEFAULT_COOKIE_NAMES.payer),
          payerProof: cookieName.default(DEFAULT_COOKIE_NAMES.payerProof),
          oauthState: cookieName.default(DEFAULT_COOKIE_NAMES.oauthState),
          oauthNext: cookieName.default(DEFAULT_COOKIE_NAMES.oauthNext),
        })
        .refine((names) => new Set(Object.values(names)).size === Object.keys(names).length, 'Two cookies share a name')
        .prefault({}),
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
  remoteImages: z.enum(['block', 'allow']).default('block'),
  bodyTimeoutMs: z.int().min(100).max(3_600_000).default(60_000),
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
  tiers: planChangesSchema.prefault({}),
  profiles: z
    .strictObject({
      typeData: z.partialRecord(z.enum(PROFILE_TYPES), objectSchema.optional()).default({}),
    })
    .prefault({}),
  content: z
    .strictObject({
      versionIntervalSeconds: z.int().min(0).max(86_400).default(300),
      keptVersions: z.int().min(1).max(10_000).default(200),
    })
    .prefault({}),
  gates: z.strictObject({ keptVersions: z.int().min(1).max(10_000).default(100) }).prefault({}),
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
