import type { Caller } from '../../../model/caller.ts'
import type { IssuedKey, ListedKey, RotateOptions, WantedKey } from './service.ts'

/** The methods of `app.eep.apiKeys`. */
export interface ApiKeysApi {
  /**
   * Returns the caller of a key, with one query. Keys are not cached: every instance refuses a revoked key from its next
   * request on.
   *
   * @throws `invalid_api_key`, without a read when the text cannot be a key
   */
  authenticate(text: string): Promise<Caller>
  /** Returns the keys of the caller that have not ended, oldest first, with their usage. A key of one profile sees those of its profile. */
  list(caller: Caller): Promise<readonly ListedKey[]>
  /**
   * Creates a key and returns its text, which is not stored. A key that is created with another key cannot have more
   * permissions than that one, and ends with it. The owner gets an email when a session creates one.
   *
   * @throws `invalid_api_key` when the caller's key ended meanwhile, `insufficient_scope`, `key_scope_escalation`, `profile_not_found`, `not_profile_owner`, `too_many_api_keys`
   */
  create(wantedKey: WantedKey, caller: Caller): Promise<IssuedKey>
  /**
   * Revokes a key and all keys that were created with it.
   *
   * @throws `api_key_not_found` also when a concurrent call revoked it
   */
  revoke(id: number, caller: Caller): Promise<void>
  /**
   * Replaces a key with a new one of the same name, scopes, expiry and profile, in one transaction. Keys that were created
   * with the old one belong to the new one; with `cascade` they are revoked. Of concurrent calls one succeeds. The owner gets an
   * email unless the new key ends with the key of the caller.
   *
   * @throws `api_key_not_found`; `insufficient_scope` or `key_scope_escalation` when the key has more permissions than the
   * caller's key, or when the caller's key was created with it and would be kept
   */
  rotate(id: number, caller: Caller, options?: RotateOptions): Promise<IssuedKey>
}
