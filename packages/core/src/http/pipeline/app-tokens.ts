import type { FastifyRequest } from 'fastify'
import type { AuthChallenge } from '../../kernel/auth-challenge.ts'
import { type EepError, insufficientScope } from '../../kernel/errors.ts'
import { type Caller, isApp } from '../../model/caller.ts'
import type { RouteConfig } from '../routes.ts'

/** What begins the token of a connected app. No other credential begins so, and none of these is tried as another one. */
export const APP_TOKEN_PREFIX = 'eepa_'

/** How a module identifies connected apps (RFC 6749), and what its responses contain for clients that want to connect. */
export interface AppTokens {
  /**
   * Returns the caller of a token.
   *
   * @param resource - the path of the protected resource that is asked, such as `/mcp`; empty for the service itself
   * @throws an error of status 401 for a token that is unknown, has ended, or is for another resource
   */
  authenticate(token: string, resource: string): Promise<Caller>
  /** Returns the URL of the metadata (RFC 9728) of a protected resource by its path. */
  metadataUrl(resource: string): string
  /** The scopes that a client asks for when it connects to a protected resource without naming scopes. */
  scopesFor(resource: string): readonly string[]
  /** Where the account changes what its apps may do. */
  readonly manageUrl: string
  /** How apps connect, for the OpenAPI document: the endpoints, and the scopes in English words. */
  readonly flow: {
    readonly authorizationUrl: string
    readonly tokenUrl: string
    readonly scopes: Readonly<Record<string, string>>
  }
}

/** The scope that a connected app needs for a route that requires a caller: false when no scope is enough. */
export const appScopeOf = ({
  auth,
  scope,
  appScope,
}: Pick<RouteConfig, 'auth' | 'scope' | 'appScope'>): string | false =>
  appScope ?? (auth === 'key' ? (scope ?? false) : false)

/** The path of the protected resource that a request asks. */
export const resourceOf = ({ eep }: Pick<FastifyRequest, 'eep'>): string => eep?.route.resource ?? ''

const distinct = (scopes: readonly (string | undefined)[]): string =>
  [...new Set(scopes.filter((scope) => scope !== undefined))].join(' ')

/**
 * Returns the challenges of a refusal, completed for clients that connect by OAuth: where the metadata is, which scopes to ask for, and
 * whether a credential was refused (RFC 6750, 3; RFC 9728, 5.1). A 402 never asks to sign in.
 */
export function challengesOf(
  error: EepError,
  request: FastifyRequest,
  tokens: AppTokens | undefined,
): readonly AuthChallenge[] {
  const { eep } = request
  // A route with its own token, such as that of the metrics, knows no apps.
  if (tokens === undefined || !eep || eep.route.hasOwnToken) return error.challenges
  const resource = resourceOf(request)
  const metadata = { resource_metadata: tokens.metadataUrl(resource) }
  if (error.status === 401) {
    const wanted = distinct([...tokens.scopesFor(resource), eep.route.appScope || eep.route.scope])
    const refused = eep.identified.refusal === undefined ? {} : { error: 'invalid_token' }
    return error.challenges.map(({ scheme, parameters }) =>
      scheme === 'Bearer'
        ? { scheme, parameters: { ...metadata, ...refused, ...parameters, scope: wanted } }
        : { scheme, parameters },
    )
  }
  const { caller } = eep.identified
  if (error.code !== insufficientScope.code || caller === undefined || !isApp(caller)) return error.challenges
  const { required } = (error.details ?? {}) as { readonly required?: unknown }
  const scope = distinct([...(caller.scopes === 'all' ? [] : caller.scopes), ...[required].flat().map(String)])
  const description = `Allow it at ${tokens.manageUrl} or connect again`
  return [
    ...error.challenges,
    {
      scheme: 'Bearer',
      parameters: { error: 'insufficient_scope', scope, ...metadata, error_description: description },
    },
  ]
}
