import { z } from 'zod'
import { DEFAULT_COOKIE_NAMES } from '../../../http/cookies.ts'
import { DAY_MS } from '../../../kernel/durations.ts'
import { type Group, group, webOrigin } from '../fields.ts'

// `__Host-` is added where scheme and path allow it.
const cookieName = z
  .string()
  .regex(
    /^(?!__(?:Host|Secure)-)[A-Za-z0-9_-]{1,64}$/i,
    'Must consist of letters, digits, "-" and "_", without the prefixes __Host- and __Secure-',
  )

const cookieNames = {
  /** @default "eep_session" */
  session: cookieName.default(DEFAULT_COOKIE_NAMES.session),
  /** @default "eep_payer" */
  payer: cookieName.default(DEFAULT_COOKIE_NAMES.payer),
  /** @default "eep_payer_sig" */
  payerProof: cookieName.default(DEFAULT_COOKIE_NAMES.payerProof),
  /** @default "eep_purchases" */
  purchases: cookieName.default(DEFAULT_COOKIE_NAMES.purchases),
  /** @default "eep_checkout" */
  checkout: cookieName.default(DEFAULT_COOKIE_NAMES.checkout),
  /** @default "eep_purchase" */
  purchase: cookieName.default(DEFAULT_COOKIE_NAMES.purchase),
  /** @default "eep_opening" */
  opening: cookieName.default(DEFAULT_COOKIE_NAMES.opening),
  /** @default "eep_said" */
  said: cookieName.default(DEFAULT_COOKIE_NAMES.said),
  /** @default "eep_language" */
  language: cookieName.default(DEFAULT_COOKIE_NAMES.language),
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
    .regex(/^\/$|^(?:\/[A-Za-z0-9._~-]+)+$/, 'Must be a path without a trailing slash, such as /profiles')
    .default('/'),
  /**
   * Names of the cookies. No two may be equal. With a `publicUrl` of https and the path `/`, all but `payer`, `oauthState` and
   * `oauthNext` get the prefix `__Host-`.
   */
  // The cast is that of `group`, which takes no refinement.
  names: z
    .strictObject(cookieNames)
    .refine((names) => new Set(Object.values(names)).size === Object.keys(names).length, 'Two cookies share a name')
    .prefault({}) as unknown as Group<typeof cookieNames>,
}

export const http = {
  /** Names and path of the cookies, for domains with more than one service. */
  cookies: group(cookies) as Group<typeof cookies>,
  /** Origins other than that of `publicUrl` whose pages may send requests with cookies. */
  trustedOrigins: z.array(webOrigin).readonly().default([]),
  /**
   * The time in which a request body that is not a form must arrive. Otherwise the response is 408 `body_timeout`.
   * @default 60000
   */
  bodyTimeoutMs: z.int().min(100).max(3_600_000).default(60_000),
  /**
   * How long the response to a POST with an `Idempotency-Key` is replayed.
   * @default 86400000
   */
  idempotencyTtlMs: z.int().min(60_000).default(DAY_MS),
  /**
   * The bytes of encrypted responses to POSTs with an `Idempotency-Key` that are stored for each account. Above it, the oldest lose
   * their body, and repeating their requests returns 409 `idempotency_answer_gone`.
   * @default 8388608
   */
  idempotencyMaxBytes: z.int().min(0).default(8_388_608),
  /**
   * How many values of `Idempotency-Key` each account may use within `idempotencyTtlMs`. Requests with more return 429
   * `too_many_idempotency_keys`.
   * @default 20000
   */
  idempotencyMaxKeys: z.int().min(1).default(20_000),
  /**
   * Hosts (`host` or `host:port`) that requests to user-supplied URLs may access even if they are private or use plain http.
   * For development and tests only.
   */
  allowPrivateHosts: z
    .array(z.string().regex(/^[a-z0-9.-]+(:\d{1,5})?$|^\[[0-9a-f:.]+\](:\d{1,5})?$/i))
    .readonly()
    .default([]),
}
