/** A user of a sign-in provider. */
export interface ProviderUser {
  /** The provider's id of the user; never changes. */
  readonly subject: string
  readonly email: string | null
  readonly emailVerified: boolean
  readonly fullName: string | null
}

/** A place where people sign in: GitHub, Google, any OpenID Connect issuer. */
export interface OAuthProvider {
  /** In the path: `/auth/oauth/<name>`. */
  readonly name: string
  /** Begins a sign-in: where to send the browser, and what `finish` needs to know again (PKCE verifier, nonce). */
  start(request: {
    readonly redirectUri: string
    readonly state: string
  }): Promise<{ readonly url: string; readonly memory: Readonly<Record<string, string>> }>
  /** Ends a sign-in and returns the user. Throws when the provider does not confirm it. */
  finish(callback: {
    readonly redirectUri: string
    readonly state: string
    /** The whole URL of the callback, as the provider called it. */
    readonly url: URL
    readonly memory: Readonly<Record<string, string>>
  }): Promise<ProviderUser>
}
