import type { Clock } from '../../../kernel/clock.ts'
import { MINUTE_MS } from '../../../kernel/durations.ts'
import type { EepError } from '../../../kernel/errors.ts'
import type { Keyring } from '../../../kernel/keyring.ts'
import type { Account } from '../../../model/account.ts'
import type { EepLogger } from '../../../ports/logger.ts'
import type { AppConnection, AppRotation } from '../../../ports/storage/connected-apps.ts'
import type { LocalRateLimits } from '../../../runtime/rate-limits/local-rate-limits.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import type { Metrics } from '../../../runtime/telemetry/metrics.ts'
import type { AuthenticateClient, ClientCredentials } from './clients/client-authentication.ts'
import { isDocumentAddress } from './clients/client-id.ts'
import { isBlockedHost } from './clients/redirect-uri.ts'
import type { ResolveContext } from './clients/resolve-client.ts'
import { isBlockedApp } from './clients/resolve-client.ts'
import { refreshTokenReused } from './events.ts'
import { emitEnded, emitMade, eventData, type Issuer, type Narrowed, type TokenAnswer } from './issue.ts'
import { refreshAhead } from './metrics.ts'
import { oauthError } from './oauth-error.ts'
import { verifiesChallenge } from './pkce.ts'
import { coversResource, narrowResource, parseResource, type Resources } from './resource.ts'
import { narrowScope } from './scopes.ts'
import { hashOf, isCode, isIssued, type RefreshClaim, readRefreshToken } from './tokens.ts'

/** How many tokens a connection may ask for in a minute. */
const TOKENS_PER_MINUTE = 10

export interface GrantDeps extends GuardedStorage<'connectedApps'> {
  readonly clock: Clock
  readonly keyring: Pick<Keyring, 'shared'>
  readonly counters: Pick<LocalRateLimits, 'count'>
  readonly scaled: (limit: number) => number
  readonly metrics: Pick<Metrics, 'counter'>
  readonly logger: EepLogger | undefined
  readonly authenticate: AuthenticateClient
  readonly issuer: Issuer
  readonly blockedHosts: readonly string[]
  /** The addresses that tokens can be issued for, now. */
  readonly resources: () => Resources
}

/** A request of the token endpoint. */
export interface TokenRequest {
  readonly client: ClientCredentials
  /** Who asks, for the limits of fetches. */
  readonly context: ResolveContext
  /** The `resource` parameters. */
  readonly resources: readonly string[]
}

export interface CodeRequest extends TokenRequest {
  readonly code: string
  readonly redirectUri: string
  readonly verifier: string
}

export interface RefreshRequest extends TokenRequest {
  readonly refreshToken: string
  readonly scope: string | undefined
}

export interface DeviceTokenRequest extends TokenRequest {
  readonly deviceCode: string
}

/** Whether an account can use what it granted. */
export const isActive = ({ bannedAt, deletionScheduledAt }: Account): boolean => !bannedAt && !deletionScheduledAt

const unknownCode = (): EepError => oauthError('invalid_grant', 'The code is unknown, expired or for another request')
const unknownToken = (): EepError =>
  oauthError('invalid_grant', 'The refresh token is unknown, or its connection ended')

const POLL_ERRORS = {
  pending: () => oauthError('authorization_pending', 'The person did not decide yet'),
  slow_down: () => oauthError('slow_down', 'Wait 5 seconds longer between polls'),
  denied: () => oauthError('access_denied', 'The person denied the request'),
  expired: () => oauthError('expired_token', 'The device code has expired'),
  unknown: () => oauthError('invalid_grant', 'The device code is unknown, or was used before'),
} as const

/** The grants of the token endpoint. */
export function createGrants(deps: GrantDeps) {
  const { read, write, clock, keyring, counters, scaled, metrics, logger, authenticate, issuer } = deps
  const countAhead = metrics.counter(refreshAhead)

  /** What a request names of what was granted, before it is known what that is. */
  const asked = (values: readonly string[]): readonly string[] | null =>
    values.length === 0 ? null : parseResource(values, deps.resources())

  const covers = (granted: readonly string[], wanted: readonly string[] | null): boolean =>
    wanted === null || wanted.every((each) => coversResource(granted, each, deps.resources()))

  const isBlocked = ({ app }: AppConnection): boolean =>
    isBlockedApp(app, deps.blockedHosts) ||
    (app.redirectHost !== null && isBlockedHost(app.redirectHost.replace(/:\d+$/, ''), deps.blockedHosts))

  async function countUse(connectionId: string): Promise<void> {
    const limit = scaled(TOKENS_PER_MINUTE)
    const { count, resetAtMs } = await counters.count(`oauth-connection:${connectionId}`, MINUTE_MS, {
      limit,
      exact: true,
    })
    if (count <= limit) return
    throw oauthError('temporarily_unavailable', 'This connection asks for tokens too often', {
      status: 429,
      retryAfterMs: Math.max(1_000, resetAtMs - Date.now()),
    })
  }

  /** The connection of a refresh token that this service issued, also one that ended. */
  async function connectionOf(text: string) {
    const claim = readRefreshToken(text)
    const connection = claim && (await read.connectedApps.get(claim.connectionId))
    return connection && isIssued(claim, connection, keyring) ? { claim, connection } : undefined
  }

  async function endBlocked({ accountId, id }: AppConnection): Promise<EepError> {
    await write(async (tx, emit) => {
      const ended = await tx.connectedApps.end(accountId, id, 'blocked', clock())
      if (ended) emitEnded(emit, ended)
    })
    return oauthError('invalid_grant', 'This service does not admit this app any more')
  }

  async function rotate(
    { generation, connectionId }: RefreshClaim,
    clientId: string,
    narrowed: Narrowed,
  ): Promise<TokenAnswer> {
    const now = clock()
    const token = issuer.prepare(narrowed, now)
    const rotation = await write(async (tx, emit): Promise<AppRotation> => {
      const done = await tx.connectedApps.rotate(connectionId, {
        generation,
        now,
        check: (connection, account) =>
          isActive(account) && connection.app.clientId === clientId && covers(connection.resources, narrowed.resources),
        token: token.stored,
      })
      if (done.outcome === 'reused') {
        emit(refreshTokenReused, eventData(done.ended), { accountId: done.ended.accountId })
        emitEnded(emit, done.ended)
      }
      return done
    })
    if (rotation.outcome === 'unknown') throw unknownToken()
    if (rotation.outcome === 'reused')
      throw oauthError('invalid_grant', 'The refresh token was replaced before, so the connection ended')
    if (rotation.wasAhead) {
      countAhead({})
      logger?.warn({ connection: connectionId, generation }, 'a refresh token is newer than the storage')
    }
    return issuer.answer(token, rotation.connection)
  }

  /**
   * The error of a request whose code is unknown, or of another app. The document of its client is not fetched: clients without a code
   * would use up the fetches of all apps.
   *
   * @throws `invalid_client` for other apps that do not prove themselves
   */
  async function refuse({ client, context }: TokenRequest, error: EepError): Promise<EepError> {
    if (!isDocumentAddress(client.clientId)) await authenticate(client, context)
    return error
  }

  return {
    connectionOf,

    /**
     * Redeems a code. The second redemption ends the connection of the first.
     *
     * @throws `invalid_client`, `invalid_grant`, `invalid_target`
     */
    async redeemCode(request: CodeRequest): Promise<TokenAnswer> {
      const { client, context, resources, code, redirectUri, verifier } = request
      const wanted = asked(resources)
      const known = isCode(code) ? await read.connectedApps.getCode(hashOf(code)) : undefined
      if (known?.grant.app.clientId !== client.clientId) throw await refuse(request, unknownCode())
      const { clientId } = await authenticate(client, { ...context, signedIn: known.grant.accountId })
      const now = clock()
      const token = issuer.prepare({ scopes: null, resources: wanted }, now)
      const redemption = await write(async (tx, emit) => {
        const done = await tx.connectedApps.redeem(hashOf(code), {
          now,
          check: (stored, account) =>
            isActive(account) &&
            stored.grant.app.clientId === clientId &&
            stored.redirectUri === redirectUri &&
            verifiesChallenge(verifier, stored.challenge) &&
            covers(stored.grant.resources, wanted),
          connection: issuer.connectionWith(token),
        })
        if (done.outcome === 'redeemed') emitMade(emit, done)
        if (done.outcome === 'replayed' && done.ended) emitEnded(emit, done.ended)
        return done
      })
      if (redemption.outcome === 'redeemed') return issuer.answer(token, redemption.connection)
      if (redemption.outcome === 'replayed')
        throw oauthError('invalid_grant', 'The code was redeemed before, so its connection ended')
      throw unknownCode()
    },

    /**
     * Exchanges a refresh token. The same token within a minute gets the same successor; an older one ends the connection.
     *
     * @throws `invalid_client`, `invalid_grant`, `invalid_scope`, `invalid_target`; `temporarily_unavailable` above 10 a minute
     */
    async refresh({ client, context, resources, refreshToken: text, scope }: RefreshRequest): Promise<TokenAnswer> {
      // Before the app is authenticated, so that no document is fetched for a caller without a token.
      const found = await connectionOf(text)
      if (found?.connection.app.clientId !== client.clientId) throw unknownToken()
      const { claim, connection } = found
      if (isBlocked(connection)) throw await endBlocked(connection)
      await authenticate(client, { ...context, signedIn: connection.accountId }, { opens: false })
      const narrowed = {
        scopes: scope === undefined ? null : narrowScope(scope, connection.scopes),
        resources: resources.length === 0 ? null : narrowResource(resources, connection.resources, deps.resources()),
      }
      await countUse(connection.id)
      return rotate(claim, client.clientId, narrowed)
    },

    /**
     * Answers a poll of a device (RFC 8628, 3.5).
     *
     * @throws `authorization_pending`, `slow_down`, `access_denied`, `expired_token`, `invalid_grant`, `invalid_client`
     */
    async pollDevice(request: DeviceTokenRequest): Promise<TokenAnswer> {
      const { client, context, resources, deviceCode } = request
      const wanted = asked(resources)
      const known = await read.connectedApps.getDevice(hashOf(deviceCode))
      if (known?.app.clientId !== client.clientId) throw await refuse(request, POLL_ERRORS.unknown())
      const { clientId } = await authenticate(client, context)
      const now = clock()
      const token = issuer.prepare({ scopes: null, resources: wanted }, now)
      const poll = await write(async (tx, emit) => {
        const done = await tx.connectedApps.pollDevice(hashOf(deviceCode), {
          now,
          check: (asked) => asked.app.clientId === clientId && covers(asked.resources, wanted),
          connection: issuer.connectionWith(token),
        })
        if (done.outcome === 'redeemed') emitMade(emit, done)
        return done
      })
      if (poll.outcome !== 'redeemed') throw POLL_ERRORS[poll.outcome]()
      return issuer.answer(token, poll.connection)
    },
  }
}

/** The grants of the token endpoint. */
export type Grants = ReturnType<typeof createGrants>
