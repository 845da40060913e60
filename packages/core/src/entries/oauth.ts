import type { Module } from '../framework/module/define-module.ts'
import type { FeatureOptions } from '../framework/module/feature.ts'
import { oauth as create } from '../modules/people/oauth/module.ts'
import type { oauthOptions } from '../modules/people/oauth/options.ts'

export type { GithubProviderOptions } from '../adapters/oauth/github-provider.ts'
export { githubProvider } from '../adapters/oauth/github-provider.ts'
export type { OidcProviderOptions } from '../adapters/oauth/oidc-provider.ts'
export { googleProvider, oidcProvider } from '../adapters/oauth/oidc-provider.ts'

/** The options of {@link oauth}. */
export interface OauthOptions extends FeatureOptions<typeof oauthOptions> {}

/**
 * Sign-in with OAuth providers.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/sign-in-providers.md
 * @example
 * await app.register(eep, { ...options, modules: [oauth()] })
 */
export const oauth = (options?: OauthOptions): Module => create(options)
