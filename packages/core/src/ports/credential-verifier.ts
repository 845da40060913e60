/** Returns the DID document of a DID, with its verification relationships; undefined when the DID does not resolve. */
export type ResolveDid = (did: string) => Promise<object | undefined>

/** A credential whose signature and dates are valid. */
export interface VerifiedCredential {
  readonly types: readonly unknown[]
  /** The DID whose key signed. */
  readonly issuer: string
  /** The claims about each subject, with the DID of the subject as `id`. */
  readonly subjects: readonly (Readonly<Record<string, unknown>> & { readonly id?: unknown })[]
  readonly expirationDate?: unknown
}

/** A presentation whose signature is valid. */
export interface VerifiedPresentation {
  /** The DID whose key signed. */
  readonly holder: string
  /** The credentials in it, as JWTs; not verified yet. */
  readonly credentials: readonly string[]
}

/** Verifies credentials and presentations that others issued, for example `vcCredentials()` of `@eep/core/credentials`. */
export interface CredentialVerifier {
  /**
   * Verifies a credential with the assertion keys of its issuer.
   *
   * @throws when it is not valid
   */
  verifyCredential(jwt: string, resolve: ResolveDid): Promise<VerifiedCredential>
  /**
   * Verifies a presentation with the authentication keys of its holder.
   *
   * @throws when it is not valid, or not for
   * `domain`
   */
  verifyPresentation(jwt: string, resolve: ResolveDid, domain: string): Promise<VerifiedPresentation>
}
