/** A user of a sign-in provider. */
export interface ProviderUser {
  /** The provider's id of the user; never changes. */
  readonly subject: string
  readonly email: string | null
  readonly emailVerified: boolean
  readonly fullName: string | null
}

/** A sign-in provider: GitHub, Google, or any OpenID Connect issuer. */
export interface OAuthProvider {
  /** The name in the path: `/auth/oauth/<name>`. */
  readonly name: string
  /** Starts a sign-in. Returns the URL to redirect to, and the state that `finish` needs (PKCE verifier, nonce). */
  start(request: {
    readonly redirectUri: string
    readonly state: string
  }): Promise<{ readonly url: string; readonly memory: Readonly<Record<string, string>> }>
  /** Completes a sign-in and returns the user. Throws when the provider does not confirm it. */
  finish(callback: {
    readonly redirectUri: string
    readonly state: string
    /** The complete callback URL, as requested. */
    readonly url: URL
    readonly memory: Readonly<Record<string, string>>
  }): Promise<ProviderUser>
}
