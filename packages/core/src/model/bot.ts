/** Why the signature of a program is refused: codes of Web Bot Auth checks. */
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
 * (`directory_unavailable`), or are named in a way that is not supported (`unsupported_signer`).
 */
export type BotDoubt = 'directory_pending' | 'directory_unavailable' | 'unsupported_signer'

/** What an operator uses the responses to its program for. */
export type BotPurpose = 'search' | 'training' | 'user'

/** A program that signed its request with a key of its operator (Web Bot Auth). It proves who signed, and permits nothing. */
export interface VerifiedBot {
  readonly state: 'verified'
  /** The URL of the keys, or `tap:<keyid>`. */
  readonly identifier: string
  /** The origin whose key directory has the key: `https://crawler.example`. Undefined for keys that are found in another way. */
  readonly origin?: string | undefined
  /** The thumbprint of the key. */
  readonly keyId: string
  /** Name, operator and purpose are those of the table of known agents, by origin. */
  readonly name?: string | undefined
  readonly operator?: string | undefined
  readonly purpose?: BotPurpose | undefined
}

/** What the signature of a program proves. `absent` without one, and on services without Web Bot Auth. */
export type Bot =
  | { readonly state: 'absent' }
  | VerifiedBot
  | { readonly state: 'invalid'; readonly reason: BotRefusal }
  | { readonly state: 'unverified'; readonly reason: BotDoubt }

/** The result for requests without a signature of a program. */
export const NO_BOT: Bot = { state: 'absent' }

/** The check of a signed request, for access that depends on the signer. */
export interface BotCheck {
  /**
   * Waits for the result, also while keys are fetched, for a short time that the host configures. Then the result is `unverified`,
   * `directory_pending`. It never throws.
   */
  settled(): Promise<Bot>
  /**
   * Uses the signature for a response that its signer may read by identity alone: call it before the bytes are sent, and serve
   * only if the result is `verified`. Of several requests with one nonce for one resource, exactly one gets that; the others get
   * `invalid`, `replayed`. A signature without a nonce gives access only if it is short-lived.
   *
   * @param resource - the name of the resource and its profile: unique in the service
   * @throws `storage_unavailable` when the nonce cannot be stored
   */
  use(resource: string): Promise<Bot>
}
