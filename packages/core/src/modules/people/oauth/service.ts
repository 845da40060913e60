import { randomBytes, randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '../../../kernel/clock.ts'
import { sameText, sha256 } from '../../../kernel/digest.ts'
import { internalPath, isOfferPath } from '../../../kernel/internal-path.ts'
import type { Caller } from '../../../model/caller.ts'
import { namedLanguage } from '../../../model/languages.ts'
import type { EepHooks } from '../../../ports/hooks.ts'
import type { OAuthProvider, ProviderUser } from '../../../ports/oauth-provider.ts'
import type { Outbox } from '../../../runtime/email/outbox.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import type { AccountService, Session } from '../accounts/index.ts'
import { createAccountsOfUsers } from './accounts-of-users.ts'
import { oauthStartFailed, providerNotConfigured, unknownProvider } from './errors.ts'
import { failed, providerReason, refused, SignInFailure } from './failure-reason.ts'
import { knownUser } from './provider-user.ts'

/** How long a user may stay at the provider. */
export const STATE_SECONDS = 600
/** Names that have a route even without configuration. */
const WELL_KNOWN: ReadonlySet<string> = new Set(['github', 'google', 'oidc'])

export interface OAuthDeps extends GuardedStorage<'identities'> {
  readonly clock: Clock
  readonly hooks: EepHooks
  readonly accounts: Pick<AccountService, 'admit'>
  readonly outbox: Pick<Outbox, 'post'>
  readonly providers: readonly OAuthProvider[]
  readonly publicUrl: string
  /** The languages that the service offers. */
  readonly languages: readonly string[]
}

/** A started sign-in: the address for the browser, and the state that it must bring back. */
export interface BegunSignIn {
  readonly url: string
  readonly state: string
  readonly next: string | undefined
}

/** The callback of a provider, and the state of the browser. */
export interface Callback {
  readonly query: {
    readonly code?: string | undefined
    readonly state?: string | undefined
    readonly error?: string | undefined
  }
  /** The query string as received, with the question mark. */
  readonly search: string
  /** The states of the sign-ins that the browser began. */
  readonly browserStates: readonly string[]
  /** The `User-Agent` header of the browser. */
  readonly userAgent?: string | undefined
  readonly acceptLanguage?: string | undefined
}

/** The stored state of a sign-in in progress. */
const stateData = z.object({
  provider: z.string(),
  memory: z.record(z.string(), z.string()),
  next: z.string().nullable(),
})

type StateData = z.output<typeof stateData>

/** Sign-in with OAuth providers. */
export function createOAuthService(deps: OAuthDeps) {
  const { write, clock, accounts, providers, publicUrl } = deps
  const accountOf = createAccountsOfUsers(deps)

  function providerOf(name: string): OAuthProvider {
    const provider = providers.find((each) => each.name === name)
    if (provider) return provider
    throw WELL_KNOWN.has(name) ? providerNotConfigured() : unknownProvider()
  }

  /** The redirect URI. It never depends on the request. */
  const redirectUriOf = ({ name }: OAuthProvider) => `${publicUrl}/auth/oauth/${name}/callback`

  /** Consumes the stored state of a sign-in. */
  async function takeState(provider: OAuthProvider, { query, browserStates }: Callback) {
    const { state } = query
    // The state of another browser is refused, and stays valid for that browser.
    if (state === undefined || !browserStates.some((each) => sameText(state, each))) {
      throw failed('invalid_state')
    }
    const token = await write((tx) => tx.tokens.consume({ purpose: 'oauth_state', hash: sha256(state) }))
    if (token?.data.provider !== provider.name) throw failed('invalid_state')
    return token
  }

  async function askProvider(
    provider: OAuthProvider,
    { search }: Callback,
    state: string,
    memory: StateData['memory'],
  ): Promise<ProviderUser> {
    const redirectUri = redirectUriOf(provider)
    try {
      return await provider.finish({ redirectUri, state, url: new URL(`${redirectUri}${search}`), memory })
    } catch (error) {
      throw failed('callback_failed', { cause: error })
    }
  }

  return {
    /**
     * Starts a sign-in. A signed-in caller links the provider to their account.
     *
     * @throws `provider_not_configured`, `unknown_provider`, `oauth_start_failed`
     */
    async begin(name: string, next: string | undefined, caller: Caller | undefined): Promise<BegunSignIn> {
      const provider = providerOf(name)
      const state = randomBytes(32).toString('base64url')
      const { url, memory } = await provider
        .start({ redirectUri: redirectUriOf(provider), state })
        .catch((error: unknown) => {
          throw oauthStartFailed({ cause: error })
        })
      const path = internalPath(next)
      const createdAt = clock()
      await write((tx) =>
        tx.tokens.put({
          id: randomUUID(),
          purpose: 'oauth_state',
          hash: sha256(state),
          accountId: caller?.account.id ?? null,
          data: { provider: name, memory: { ...memory }, next: path ?? null } satisfies StateData,
          triesLeft: null,
          createdAt,
          expiresAt: new Date(createdAt.getTime() + STATE_SECONDS * 1000),
        }),
      )
      return { url, state, next: path }
    },

    /**
     * Completes a sign-in: finds, links or creates the account, and starts a session. A state is valid once, in the
     * browser that started the sign-in.
     *
     * @throws SignInFailure with the reason for the browser; `provider_not_configured`, `unknown_provider`
     */
    async finish(
      name: string,
      callback: Callback,
      caller: Caller | undefined,
    ): Promise<{ readonly session: Session; readonly next: string | undefined }> {
      const provider = providerOf(name)
      const { query, userAgent, acceptLanguage } = callback
      const language = namedLanguage(acceptLanguage, deps.languages) ?? null
      if (query.error !== undefined) {
        const token = await takeState(provider, callback).catch(() => undefined)
        throw new SignInFailure(providerReason(query.error)).withNext(token?.data.next)
      }
      const { accountId, data, createdAt: startedAt } = await takeState(provider, callback)
      const { memory, next } = stateData.parse(data)
      try {
        // Linking must end in the same account that it started in.
        if (accountId !== null && accountId !== caller?.account.id) throw failed('invalid_state')
        if (!query.code) throw failed('missing_code')

        const linker = accountId === null || !caller ? null : { caller, startedAt }
        const user = await askProvider(provider, callback, query.state ?? '', memory)
        const account = await accountOf({
          provider: name,
          user: knownUser(user),
          linker,
          language,
          isReader: isOfferPath(next),
        })
        return { session: await accounts.admit(account, { userAgent }), next: next ?? undefined }
      } catch (error) {
        throw (error instanceof SignInFailure ? error : refused(error)).withNext(next)
      }
    },
  }
}

/** The service of sign-in providers. */
export type OAuthService = ReturnType<typeof createOAuthService>
