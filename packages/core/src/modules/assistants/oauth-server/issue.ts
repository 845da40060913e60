import { randomBytes, randomUUID } from 'node:crypto'
import type { Keyring } from '../../../kernel/keyring.ts'
import type {
  AppConnection,
  AppSnapshot,
  MadeConnection,
  NewAppConnection,
  NewAppToken,
} from '../../../ports/storage/connected-apps.ts'
import type { Emit } from '../../../runtime/events/define-event.ts'
import { appConnected, appDisconnected } from './events.ts'
import { effectiveScopes, formatScope } from './scopes.ts'
import { hashOf, newAccessToken, refreshToken } from './tokens.ts'

/** The most live connections of one account with one app. */
const CONNECTIONS_OF_APP = 10

/** The body of an answer with tokens (RFC 6749, 5.1). */
export interface TokenAnswer {
  readonly access_token: string
  readonly token_type: 'Bearer'
  readonly expires_in: number
  readonly refresh_token: string
  readonly scope: string
}

/** What a request narrowed; null for all of the connection. */
export interface Narrowed {
  readonly scopes: readonly string[] | null
  readonly resources: readonly string[] | null
}

export interface IssueSettings {
  readonly keyring: Pick<Keyring, 'shared'>
  readonly accessTokenSeconds: number
  readonly maxConnections: number
}

/** An access token before it is stored, and its text. */
export interface PreparedToken {
  readonly text: string
  readonly stored: NewAppToken
}

/** What every event of a connection has. */
export const eventData = ({ id, app }: { readonly id: string; readonly app: AppSnapshot }) => ({
  connectionId: id,
  name: app.name,
  host: app.host,
})

/** Emits that a connection ended. */
export function emitEnded(emit: Emit, connection: AppConnection): void {
  const { accountId, endReason } = connection
  emit(appDisconnected, { ...eventData(connection), reason: endReason ?? 'app' }, { accountId })
}

/** Emits that a connection was made, and that others ended for it. */
export function emitMade(emit: Emit, { connection, ended }: MadeConnection): void {
  const { accountId, app, scopes, profileId } = connection
  emit(appConnected, { ...eventData(connection), kind: app.kind, scopes: [...scopes], profileId }, { accountId })
  for (const endedConnection of ended) emitEnded(emit, endedConnection)
}

/** Makes access tokens, and the answers with them. */
export function createIssuer({ keyring, accessTokenSeconds, maxConnections }: IssueSettings) {
  return {
    prepare({ scopes, resources }: Narrowed, now: Date): PreparedToken {
      const text = newAccessToken()
      const expiresAt = new Date(now.getTime() + accessTokenSeconds * 1_000)
      return { text, stored: { hash: hashOf(text), scopes, resources, createdAt: now, expiresAt } }
    },

    /** A connection to make, with its first token. */
    connectionWith: ({ stored }: PreparedToken): NewAppConnection => ({
      id: randomUUID(),
      seed: randomBytes(32).toString('base64url'),
      token: stored,
      limits: { account: maxConnections, app: CONNECTIONS_OF_APP },
    }),

    answer: ({ text, stored }: PreparedToken, connection: AppConnection): TokenAnswer => ({
      access_token: text,
      token_type: 'Bearer',
      expires_in: accessTokenSeconds,
      refresh_token: refreshToken(connection, connection.generation, keyring),
      scope: formatScope(effectiveScopes(stored.scopes, connection.scopes)),
    }),
  }
}

/** Makes access tokens, and the answers with them. */
export type Issuer = ReturnType<typeof createIssuer>
