/** Returns the DID document of a DID, with the keys of each purpose, and `undefined` when the DID does not resolve. */
export type ResolveDid = (did: string) => Promise<object | undefined>

/** A credential whose signature and dates hold. */
export interface VerifiedCredential {
  readonly types: readonly unknown[]
  /** The DID whose key signed. */
  readonly issuer: string
  /** What the credential says about each of its subjects, with the DID of the subject as `id`. */
  readonly subjects: readonly (Readonly<Record<string, unknown>> & { readonly id?: unknown })[]
  readonly expirationDate?: unknown
}

/** A presentation whose signature holds. */
export interface VerifiedPresentation {
  /** The DID whose key signed. */
  readonly holder: string
  /** The credentials in it, as JWTs; not verified yet. */
  readonly credentials: readonly string[]
}

/** Verifies credentials and presentations that others issued. `vcCredentials()` of `@eep/core/credentials` is one. */
export interface CredentialVerifier {
  /**
   * Verifies a credential with the keys that its issuer lists for assertions.
   *
   * @throws when it does not hold
   */
  verifyCredential(jwt: string, resolve: ResolveDid): Promise<VerifiedCredential>
  /**
   * Verifies a presentation with the keys that its holder lists for authentication.
   *
   * @throws when it does not hold, or is not for `domain`
   */
  verifyPresentation(jwt: string, resolve: ResolveDid, domain: string): Promise<VerifiedPresentation>
}
