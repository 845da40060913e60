/** OAuth providers, for hosts that have `openid-client` installed. */

export type { GithubProviderOptions } from './defaults/oauth/github-provider.ts'
export { githubProvider } from './defaults/oauth/github-provider.ts'
export type { OidcProviderOptions } from './defaults/oauth/oidc-provider.ts'
export { googleProvider, oidcProvider } from './defaults/oauth/oidc-provider.ts'
