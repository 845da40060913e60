import type { Clock } from '../../../../kernel/clock.ts'
import { DAY_MS } from '../../../../kernel/durations.ts'
import { type EepError, isEepError } from '../../../../kernel/errors.ts'
import type { Keyring } from '../../../../kernel/keyring.ts'
import type { Caller } from '../../../../model/caller.ts'
import type { AppCode, AppGrant } from '../../../../ports/storage/connected-apps.ts'
import type { GuardedStorage } from '../../../../runtime/storage/guard.ts'
import type { AccountService } from '../../../people/accounts/index.ts'
import type { App } from '../clients/app.ts'
import { checkClientId } from '../clients/client-id.ts'
import { allowsRedirect, type RedirectOptions } from '../clients/redirect-uri.ts'
import { isBlockedApp, type ResolveClient } from '../clients/resolve-client.ts'
import { profileNotAllowed, requestExpired } from '../consent-errors.ts'
import { errorRedirect, oauthError, redirectWith } from '../oauth-error.ts'
import { withinReach } from '../profile-choice.ts'
import { isSpending } from '../scopes.ts'
import { type ChosenLimits, storedLimits } from '../spending-html.ts'
import { codeOf, hashOf } from '../tokens.ts'
import { grantOf } from './asked-app.ts'
import {
  type AuthorizationParameters,
  type CheckedRequest,
  checkParameters,
  type Grantable,
  readParameters,
} from './request.ts'
import type { SealedRequests } from './sealed.ts'

export interface ConsentDeps extends Pick<GuardedStorage<'connectedApps'>, 'read' | 'write'> {
  readonly resolveClient: ResolveClient
  readonly sealed: SealedRequests
  readonly accounts: Pick<AccountService, 'me'>
  readonly keyring: Keyring
  readonly clock: Clock
  readonly redirects: RedirectOptions
  readonly grantable: Grantable
  /** The public URL of the service. */
  readonly issuer: string
  readonly codeSeconds: number
  readonly idleDays: number
  readonly maxDays: number
}

/** Why a request is answered with a page, and nothing is sent to the app. */
export type Refusal = 'malformed' | 'unknownApp' | 'unreadable' | 'blocked' | 'wrongAddress'

/** A request that a person can be asked about. */
export interface Asked {
  readonly kind: 'asked'
  readonly app: App
  readonly redirectUri: string
  readonly state: string | undefined
  readonly query: string
  readonly request: CheckedRequest
}

/** What becomes of an authorization request. */
export type ReadRequest =
  | Asked
  /** The address that reports to the app why it is refused. The app may use it. */
  | { readonly kind: 'answered'; readonly to: string }
  | { readonly kind: 'refused'; readonly why: Refusal; readonly error: EepError; readonly host?: string | undefined }

/** What a person allows. */
export interface Choice {
  readonly scopes: readonly string[]
  /** Null for all profiles of the account. */
  readonly profileId: number | null
  readonly limits: ChosenLimits
}

const refused = (why: Refusal, error: EepError, host?: string): ReadRequest => ({ kind: 'refused', why, error, host })

/** Returns the host of a `client_id` that is an address, for a page about it. */
const hostOf = (clientId: string): string | undefined => (URL.canParse(clientId) ? new URL(clientId).host : undefined)

function refusalOf(error: EepError, clientId: string, blocked: readonly string[] = []): ReadRequest {
  const host = hostOf(clientId)
  if (isBlockedApp({ host }, blocked)) return refused('blocked', error)
  return host === undefined ? refused('unknownApp', error) : refused('unreadable', error, host)
}

/** Reads authorization requests, and answers them by the decision of a person. */
export function createConsent(deps: ConsentDeps) {
  const { resolveClient, sealed, accounts, keyring, clock, redirects, grantable, issuer } = deps

  /** Finds the app of a request, and checks that it may use the redirect URI. */
  async function identify(
    parameters: AuthorizationParameters,
    from: { readonly signedIn: string | undefined; readonly address: string },
  ): Promise<{ readonly app: App; readonly redirectUri: string } | ReadRequest> {
    const clientId = parameters.get('client_id')
    const redirectUri = parameters.get('redirect_uri')
    if (clientId === undefined) return refused('malformed', oauthError('invalid_request', 'client_id is missing'))
    if (redirectUri === undefined) return refused('malformed', oauthError('invalid_request', 'redirect_uri is missing'))
    let app: App
    try {
      app = await resolveClient(clientId, from)
    } catch (error) {
      if (!isEepError(error)) throw error
      return refusalOf(error, clientId, redirects.blockedHosts)
    }
    if (allowsRedirect(app, redirectUri, redirects)) return { app, redirectUri }
    return refused('wrongAddress', oauthError('invalid_request', 'The app did not register this redirect_uri'))
  }

  function read(query: string): AuthorizationParameters | ReadRequest {
    try {
      return readParameters(query)
    } catch (error) {
      if (!isEepError(error)) throw error
      return refused('malformed', error)
    }
  }

  /** Reads the request of a signed-in account. */
  async function readRequest(query: string, caller: Caller, address: string): Promise<ReadRequest> {
    const parameters = read(query)
    if ('kind' in parameters) return parameters
    const found = await identify(parameters, { signedIn: caller.account.id, address })
    if ('kind' in found) return found
    const state = parameters.get('state')
    try {
      const request = checkParameters(parameters, grantable)
      return { kind: 'asked', ...found, state, query, request }
    } catch (error) {
      if (!isEepError(error)) throw error
      return { kind: 'answered', to: errorRedirect(found.redirectUri, error, { state, issuer }) }
    }
  }

  /**
   * Checks the request of a visitor who is not signed in. No document is fetched. Undefined when it can be kept until the visitor is
   * signed in.
   */
  async function checkBeforeSignIn(query: string, address: string): Promise<ReadRequest | undefined> {
    const parameters = read(query)
    if ('kind' in parameters) return parameters
    const clientId = parameters.get('client_id') ?? ''
    let kind: App['kind']
    try {
      kind = checkClientId(clientId)
    } catch (error) {
      if (!isEepError(error)) throw error
      return clientId === '' ? refused('malformed', error) : refused('unknownApp', error)
    }
    const silent = oauthError('login_required', 'prompt=none is not possible: no account is signed in')
    const isSilent = parameters.get('prompt')?.split(' ').includes('none') === true
    if (kind === 'cimd') return isSilent ? refused('malformed', silent) : undefined
    const found = await identify(parameters, { signedIn: undefined, address })
    if ('kind' in found) return found
    if (!isSilent) return undefined
    // Anyone may register an app, whose address a link to this service would then open by itself (RFC 9700, 4.11.2).
    if (found.app.kind !== 'configured') return refused('malformed', silent)
    const to = errorRedirect(found.redirectUri, silent, { state: parameters.get('state'), issuer })
    return { kind: 'answered', to }
  }

  /** What a person allows an app, within what it asked for. */
  async function grantFor(
    caller: Caller,
    asked: { readonly app: App; readonly redirectUri?: string | undefined },
    request: Pick<CheckedRequest, 'scopes' | 'resources'>,
    { scopes, profileId, limits }: Choice,
  ): Promise<AppGrant> {
    const { profiles } = await accounts.me(caller)
    if (profileId !== null && !withinReach(profiles).some(({ profile }) => profile.id === profileId))
      throw profileNotAllowed()
    const ofApp = grantOf(asked.app, asked.redirectUri)
    const allowed = request.scopes.filter((scope) => scopes.includes(scope) && (ofApp.maySpend || !isSpending(scope)))
    return {
      ...ofApp,
      accountId: caller.account.id,
      sessionId: caller.sessionId ?? null,
      scopes: allowed,
      reach: profileId === null ? 'all' : 'one',
      profileId,
      spending: storedLimits(limits),
      resources: request.resources,
      idleSeconds: deps.idleDays * (DAY_MS / 1_000),
      expiresAt: new Date(clock().getTime() + deps.maxDays * DAY_MS),
    }
  }

  const denial = ({ redirectUri, state }: Asked) =>
    errorRedirect(redirectUri, oauthError('access_denied', 'The person did not allow this'), { state, issuer })

  /** Stores a decision, and returns the address that the answer of the first decision goes to. */
  async function decide(caller: Caller, id: string, asked: Asked, grant: AppGrant | undefined): Promise<string> {
    const { redirectUri, state } = asked
    const decidedAt = clock()
    const code = codeOf(id, keyring)
    const stored: Omit<AppCode, 'redeemedAt'> | null = grant
      ? {
          hash: hashOf(code),
          redirectUri,
          challenge: asked.request.challenge,
          grant,
          expiresAt: new Date(decidedAt.getTime() + deps.codeSeconds * 1_000),
        }
      : null
    const decision = { requestId: id, accountId: caller.account.id, decidedAt, code: stored }
    const first = await deps.write((tx) => tx.connectedApps.decide(decision))
    if (!first) throw requestExpired()
    return first.decision === 'denied' ? denial(asked) : redirectWith(redirectUri, { code }, { state, issuer })
  }

  /** Opens the sealed request of a page, and reads it again. `isProven`: a host proved its user for it within ten minutes. */
  async function reopen(caller: Caller, text: string, address: string) {
    const opened = await sealed.open(text, caller)
    if (opened?.of.kind !== 'code') throw requestExpired()
    const { query, provenUntil = 0 } = opened.of
    const isProven = provenUntil > clock().getTime()
    return { id: opened.id, isProven, asked: await readRequest(query, caller, address) }
  }

  return {
    readRequest,
    checkBeforeSignIn,
    reopen,
    grantFor,
    /**
     * Returns the hidden field of the page about a request.
     *
     * @param provenUntil - until when the proof of a host counts, in milliseconds; undefined without one
     */
    seal: ({ query }: Pick<Asked, 'query'>, caller: Caller, provenUntil?: number) =>
      sealed.seal({ kind: 'code', query, provenUntil }, caller),
    /**
     * Allows what a person chose, and returns the address that the answer goes to. Without a scope it is denied. Of different decisions
     * about one page the first counts.
     *
     * @throws `authorization_request_expired`, `app_profile_not_allowed`
     */
    async approve(caller: Caller, id: string, asked: Asked, choice: Choice): Promise<string> {
      const grant = await grantFor(caller, asked, asked.request, choice)
      return decide(caller, id, asked, grant.scopes.length === 0 ? undefined : grant)
    },
    /** Denies a request, and returns the address that reports it to the app. */
    deny: (caller: Caller, id: string, asked: Asked): Promise<string> => decide(caller, id, asked, undefined),
  }
}

export type Consent = ReturnType<typeof createConsent>
