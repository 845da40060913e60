import type { KnownPurpose } from './known-agents.ts'

/** Why the signature of a program is refused. */
export type BotRefusal =
  | 'malformed'
  | 'component_missing'
  | 'authority_mismatch'
  | 'expired'
  | 'not_yet_valid'
  | 'lifetime_too_long'
  | 'key_unknown'
  | 'algorithm'
  | 'bad_signature'
  | 'replayed'

/**
 * Why a signature could not be checked: the keys of its signer are still being fetched (`directory_pending`), cannot be fetched
 * (`directory_unavailable`), it names them or covers something in a way that is not supported (`unsupported`), or a nonce that must be
 * used once cannot be stored (`nonce_unavailable`).
 */
export type BotDoubt = 'directory_pending' | 'directory_unavailable' | 'unsupported' | 'nonce_unavailable'

/** A program that signed its request with a key of its operator (Web Bot Auth). It proves who signed, and permits nothing. */
export interface VerifiedBot {
  readonly state: 'verified'
  /** The URL of the keys, or `tap:<keyid>`. */
  readonly identifier: string
  /** The origin whose key directory has the key: `https://crawler.example`. Undefined for keys that are found in another way. */
  readonly origin?: string | undefined
  /** The thumbprint of the key, or the id of a key of the Trusted Agent Protocol. */
  readonly keyId: string
  /** Name, operator and purpose are those of the table of known agents, by origin. */
  readonly name?: string | undefined
  readonly operator?: string | undefined
  readonly purpose?: KnownPurpose | undefined
}

/** What the signature of a program proves. `absent` without one, and on services without Web Bot Auth. */
export type Bot =
  | { readonly state: 'absent' }
  | VerifiedBot
  | { readonly state: 'invalid'; readonly reason: BotRefusal }
  | { readonly state: 'unverified'; readonly reason: BotDoubt }

/** The result for requests without a signature of a program. */
export const NO_BOT: Bot = { state: 'absent' }

/** The name of a verified program in figures and receipts: its origin, or the URL of its keys. */
export const botName = ({ origin, identifier }: VerifiedBot): string => origin ?? identifier

/** The origin of the signer that a request claims in `Signature-Agent`, without proof. */
export function claimedSigner(field: string | readonly string[] | undefined): string | undefined {
  const host = typeof field === 'string' ? CLAIM.exec(field.slice(0, 512))?.[1] : undefined
  return host === undefined ? undefined : `https://${host.toLowerCase()}`
}
const CLAIM = /^(?:[a-z*][a-z0-9_.*-]{0,63}=)?"?https:\/\/([a-z0-9.-]{1,253}(?::\d{1,5})?)"?\/?(?:[;,]|"|$)/i

/** The check of a signed request, for access that depends on the signer. */
export interface BotCheck {
  /** The result, however long fetching the keys takes. Never rejects. */
  readonly result: Promise<Bot>
  /**
   * Waits for the result, also while keys are fetched, for a short time that the host configures. Then it is `unverified`,
   * `directory_pending`.
   *
   * @throws `invalid_bot_signature` for an invalid signature, where the host refuses them
   */
  settled(): Promise<Bot>
  /**
   * Uses the signature for a response that its signer may read by identity alone: call it before the bytes are sent, and serve
   * only if the result is `verified`. Of several requests with one nonce for one resource, exactly one gets that; the others get
   * `invalid`, `replayed`. A signature without a nonce gives access only if it is short-lived. A HEAD request uses no nonce up.
   *
   * @param resource - the name of the resource and its profile: unique in the service
   * @throws `storage_unavailable` when the nonce cannot be stored; `invalid_bot_signature` as `settled`
   */
  use(resource: string): Promise<Bot>
}

/** A request whose signature is checked. */
export interface BotRequest {
  readonly method: string
  /** The path and the query as they were sent. */
  readonly url: string
  /** The address of the client. Undefined on a Unix socket without a trusted proxy. */
  readonly ip?: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** A request whose signature is checked, with what the client may cause. */
export interface LimitedBotRequest extends BotRequest {
  /** What limits count as one client: its IPv4 address, its IPv6 network, or its connection. */
  readonly client: string
}

/** The program that sent a request. */
export interface IdentifiedBot {
  readonly bot: Bot
  readonly check?: BotCheck | undefined
  /** The search engine that the address proves: `google`. */
  readonly searchEngine?: string | undefined
}

/**
 * Identifies the program that sent a request. Never waits for the network. Undefined, immediately, for requests without a signature
 * and from other addresses than those of search engines.
 *
 * @throws `invalid_bot_signature` for an invalid signature, where the host refuses them
 */
export type IdentifyBot = (request: LimitedBotRequest) => Promise<IdentifiedBot> | IdentifiedBot | undefined
