import { z } from 'zod'

const address = z.union([z.literal(true), z.url({ protocol: /^https$/ })])

/** The options of the feature. */
export const webBotAuthOptions = {
  /**
   * How an invalid signature is treated: `ignore` treats the request like an unsigned one, `reject` returns 400
   * `invalid_bot_signature`. A signature that cannot be checked is never an error.
   * @default "ignore"
   */
  onInvalid: z.enum(['ignore', 'reject']).default('ignore'),
  /**
   * The longest time between `created` and `expires` of a signature, in seconds.
   * @default 86400
   */
  maxLifetimeSeconds: z.int().min(60).max(604_800).default(86_400),
  /**
   * How far the clock of a signer may differ, in seconds.
   * @default 60
   */
  clockSkewSeconds: z.int().min(0).max(300).default(60),
  /**
   * How long fetching the keys of a signer may take, in milliseconds.
   * @default 5000
   */
  directoryTimeoutMs: z.int().min(100).max(30_000).default(5_000),
  /**
   * How long a request waits for keys when access depends on its signer, in milliseconds.
   * @default 1500
   */
  waitMs: z.int().min(0).max(10_000).default(1_500),
  /**
   * Also accepts signatures of the Visa Trusted Agent Protocol, by the keys at `jwksUrl`.
   * @default none
   */
  tap: z.strictObject({ jwksUrl: z.url({ protocol: /^https$/ }) }).optional(),
  /**
   * Search engines that are proven by user agent and address: `true` for the list that the operator publishes, or its URL. Needs
   * `trustProxy` of Fastify behind a proxy.
   * @default none
   */
  crawlerAddresses: z.strictObject({ google: address.optional(), bing: address.optional() }).optional(),
  /**
   * Signs the requests that the service sends to addresses that users name, and serves the keys at
   * `/.well-known/http-message-signatures-directory`.
   * @default false
   */
  signOutbound: z.boolean().default(false),
}
