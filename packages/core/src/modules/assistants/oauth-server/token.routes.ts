import { networkOf } from '../../../http/pipeline/client-address.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { type ClientCredentials, readCredentials, type SentCredentials } from './clients/client-authentication.ts'
import type { DeviceTokenRequest, Grants, TokenRequest } from './grants.ts'
import type { TokenAnswer } from './issue.ts'
import { GRANTS } from './metadata.ts'
import { oauthError } from './oauth-error.ts'
import { protocolRoutes } from './protocol-scope.routes.ts'
import { tokenAnswer, tokenBody } from './schemas.ts'

interface Sent {
  readonly headers: { readonly authorization?: string | undefined }
  readonly ip: string
  readonly body: SentCredentials
}

/** How the app of a request names and proves itself. */
export const credentialsOf = ({ headers: { authorization }, body }: Sent): ClientCredentials =>
  readCredentials({ ...body, authorization })

/** A list of parameters that may be sent several times. */
export const listOf = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : [value].flat()

function required(value: string | undefined, name: string): string {
  if (value === undefined) throw oauthError('invalid_request', `The parameter ${name} is missing`)
  return value
}

export interface TokenRouteOptions {
  readonly path: string
  /** Whether devices may ask for tokens. */
  readonly device: boolean
  /** Counts an answer, by grant and outcome. */
  readonly count: (grant: string, outcome: string) => void
}

const GRANT_NAMES: Readonly<Record<string, string>> = {
  [GRANTS.code]: 'code',
  [GRANTS.refresh]: 'refresh',
  [GRANTS.device]: 'device',
}

/** The token endpoint (RFC 6749, 3.2). */
export function tokenRoutes(app: EepRoutes, grants: Grants, { path, device, count }: TokenRouteOptions): void {
  protocolRoutes(app, 'form', 'invalid_request', (routes) => {
    routes.post(
      path,
      {
        config: routeConfig({
          auth: 'none',
          hasOwnToken: true,
          encodedForm: true,
          limit: 'oauth',
          tag: 'oauth-server',
          operationId: 'createOAuthTokens',
          summary: 'Exchange a code, refresh token or device code for tokens',
        }),
        schema: { body: tokenBody, response: { 200: tokenAnswer } },
      },
      async (request) => {
        const { grant_type: grant, scope, ...body } = request.body
        const client = credentialsOf(request)
        const shared: TokenRequest = {
          client,
          context: { address: networkOf(request.ip) },
          resources: listOf(body.resource),
        }
        const issue = async (): Promise<TokenAnswer> => {
          if (grant === GRANTS.code) {
            return grants.redeemCode({
              ...shared,
              code: required(body.code, 'code'),
              redirectUri: required(body.redirect_uri, 'redirect_uri'),
              verifier: required(body.code_verifier, 'code_verifier'),
            })
          }
          if (grant === GRANTS.refresh)
            return grants.refresh({ ...shared, scope, refreshToken: required(body.refresh_token, 'refresh_token') })
          if (grant === GRANTS.device && device) {
            const polled: DeviceTokenRequest = { ...shared, deviceCode: required(body.device_code, 'device_code') }
            return grants.pollDevice(polled)
          }
          throw oauthError('unsupported_grant_type', 'This service has no such grant')
        }
        const name = GRANT_NAMES[grant] ?? 'other'
        try {
          const answer = await issue()
          count(name, 'issued')
          return answer
        } catch (error) {
          count(name, error instanceof Error && 'code' in error ? String(error.code) : 'server_error')
          throw error
        }
      },
    )
  })
}
