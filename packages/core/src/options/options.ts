import type { CookieNames, CookiePolicy } from '../http/cookies.ts'
import type { Clock } from '../kernel/clock.ts'
import type { SigningJwk } from '../kernel/keyring.ts'
import type { ContentSignal, CrawlerRules } from '../model/crawler-rules.ts'
import type { MailLinks, SubscriptionLinks } from '../model/frontend-links.ts'
import type { Lifetimes } from '../model/lifetimes.ts'
import type { Plan, PlanChanges, PlanTable } from '../model/plan.ts'
import type { TypeData, TypeDataExtensions } from '../model/type-data/index.ts'
import type { BillingProcessor } from '../ports/billing-processor.ts'
import type { BlobStore } from '../ports/blob-store.ts'
import type { DocumentConverter } from '../ports/document-converter.ts'
import type { EepHooks } from '../ports/hooks.ts'
import type { IdentityProvider } from '../ports/identity-provider.ts'
import type { ImageCleaner } from '../ports/image-cleaner.ts'
import type { JobKind, JobSettings } from '../ports/job-kind.ts'
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

export type { EepLogger } from '../ports/logger.ts'

/** What a host decides. Only the first three have no default. */
export interface ServiceOptions {
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
        /**
         * Where instances count requests together. Default: each process counts for itself. Requests are counted locally
         * and sent here every 200 ms, so all instances together may exceed a limit by what arrives within that time.
         */
        readonly store?: RateLimitStore | undefined
      }
    | undefined
  /** Names and path of the cookies, for a domain that carries more than one service. */
  readonly cookies?:
    | {
        /** The `Path` of the session and payer cookies. Default: `/`. The OAuth cookies keep that of their routes. */
        readonly path?: string | undefined
        /** Defaults: `eep_session`, `eep_payer`, `eep_payer_sig`, `oauth_state`, `oauth_next`. */
        readonly names?: { readonly [Cookie in keyof CookieNames]?: string | undefined } | undefined
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
  /**
   * `block`: pages load images of this service only, and other images in texts become links, because loading an image
   * reveals the reader to whoever wrote the page. `allow`: images of other origins are loaded over https. Default: `block`.
   */
  readonly remoteImages?: 'block' | 'allow' | undefined
  /**
   * How long a request body that is not a form may take to arrive, in milliseconds; then 408 `body_timeout`. Default:
   * 60000. Uploads have a limit of their own: 8 KB in each minute.
   */
  readonly bodyTimeoutMs?: number | undefined
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
  /** What tiers are to allow, and to keep of sales, otherwise than they do: `{ pro: { commissionBps: 300, limits: { maxFiles: 5000 } } }`. */
  readonly tiers?: { readonly [Name in Plan]?: PlanChanges | undefined } | undefined
  readonly profiles?:
    | {
        /**
         * What `type_data` of a type may hold beside what it has: `{ product: z.object({ … }) }`. Checked with the rest,
         * published with the JSON Schema of the type, and always optional.
         */
        readonly typeData?: TypeDataExtensions | undefined
      }
    | undefined
  readonly content?:
    | {
        /** Saves of one author within this time are one version of a page; 0 keeps each save. Default: 300. */
        readonly versionIntervalSeconds?: number | undefined
        /** How many versions of a page are kept, the current one included. Default: 200. */
        readonly keptVersions?: number | undefined
      }
    | undefined
  readonly gates?:
    | {
        /** How many versions of a gate configuration are kept, the current one included. Default: 100. */
        readonly keptVersions?: number | undefined
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
  readonly rateLimit: { readonly multiplier: number; readonly store: RateLimitStore | undefined }
  readonly cookies: CookiePolicy
  readonly trustedOrigins: readonly string[]
  readonly devCallbackHosts: readonly string[]
  readonly passwordHashing: { readonly memoryKiB: number; readonly iterations: number; readonly concurrency: number }
  readonly readCacheEntries: number
  readonly remoteImages: 'block' | 'allow'
  readonly bodyTimeoutMs: number
  readonly settlementLeaseMs: number
  readonly idempotencyMs: number
  readonly challengeOrder: 'eep-first' | 'payment-first'
  readonly signedOffers: boolean
  readonly siteFiles: boolean
  readonly crawlers: CrawlerRules
  readonly typeData: TypeData
  readonly planLimits: PlanTable
  readonly content: { readonly versionIntervalSeconds: number; readonly keptVersions: number }
  readonly gates: { readonly keptVersions: number }
  readonly requirementVerifiers: Readonly<Record<string, RequirementVerifier>>
  readonly hooks: EepHooks
  readonly logger: EepLogger | undefined
  readonly clock: Clock
}
