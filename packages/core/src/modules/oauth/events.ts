export interface OAuthEvents {
  /** Somebody can sign in to the account by this provider from now on. */
  'oauth.identity_linked': { readonly accountId: string; readonly provider: string }
}
