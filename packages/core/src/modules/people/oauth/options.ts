import { distinct, port } from '../../../framework/options/fields.ts'
import type { OAuthProvider } from '../../../ports/oauth-provider.ts'

/** The options of the feature. */
export const oauthOptions = {
  /**
   * OAuth sign-in: `githubProvider()`, `googleProvider()`, `oidcProvider()` of `@eep/core/oauth`. Off with `auth.hostAuth`.
   * See docs/guides/sign-in-providers.md.
   */
  providers: distinct(
    port<OAuthProvider>('start', 'finish').refine(({ name }) => /^[a-z0-9-]{1,32}$/.test(name) && name !== 'host', {
      error: 'Must be a name of lowercase letters, digits and hyphens other than "host"',
    }),
    ({ name }) => name,
    'Two providers have the same name',
  )
    .readonly()
    .default([]),
}
