/** OAuth providers, for hosts that have `openid-client` installed. */

export type { GithubProviderOptions } from '../adapters/oauth/github-provider.ts'
export { githubProvider } from '../adapters/oauth/github-provider.ts'
export type { OidcProviderOptions } from '../adapters/oauth/oidc-provider.ts'
export { googleProvider, oidcProvider } from '../adapters/oauth/oidc-provider.ts'
