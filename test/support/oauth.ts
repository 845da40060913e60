import { githubProvider, googleProvider, oidcProvider } from '@eep/core/oauth'
import type { OAuthProvider } from '@eep/core/ports'
import { afterAll } from 'vitest'
import { newName, signUp } from './accounts.ts'
import { openInstances } from './instances.ts'
import { startGithub, startIssuer } from './providers.ts'

/** What the service is at each provider. */
export const registration = { clientId: 'the-client', clientSecret: 'a secret: of %the client' }

/** The page that a failed sign-in leads to. */
export const failure = (reason: string) => `/login?oauth_error=${reason}`

/** A new user of an issuer. */
export function newUser(part: Record<string, unknown> = {}) {
  const name = newName()
  return { sub: `sub-${name}`, email: `${name}@provider.example`, email_verified: true, name: 'Ada Lovelace', ...part }
}

/** A service where accounts sign in with GitHub, Google and OpenID Connect, with their providers. All end with the test file. */
export async function openOAuth() {
  const [issuer, github] = await Promise.all([startIssuer(), startGithub(registration.clientSecret)])
  afterAll(async () => {
    await Promise.all([issuer.stop(), github.stop()])
  })
  const { database, instance } = await openInstances()
  const providers = (): OAuthProvider[] => [
    githubProvider({ ...registration, baseUrl: github.url, apiUrl: github.url }),
    googleProvider({ ...registration, issuer: issuer.url }),
    oidcProvider({ ...registration, issuer: issuer.url }),
  ]
  const app = await instance({ oauth: { providers: providers() } })
  return {
    database,
    instance,
    issuer,
    github,
    providers,
    app,
    /** Creates an account whose email address is verified in the storage. */
    async signUpVerified() {
      const made = await signUp(app)
      await database.storage.transaction((tx) =>
        tx.accounts.save(made.account.id, { emailVerified: true, emailOwned: true }),
      )
      return made
    },
  }
}
