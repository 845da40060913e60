import type { App } from './clients/app.ts'
import { ASSERTION_ALGORITHMS } from './clients/assertion.ts'
import type { OAuthServerSettings } from './options.ts'
import { type Resources, resourcesOf } from './resource.ts'
import { BASIC_SCOPES } from './scopes.ts'

/** The grants of the token endpoint. */
export const GRANTS = {
  code: 'authorization_code',
  refresh: 'refresh_token',
  device: 'urn:ietf:params:oauth:grant-type:device_code',
} as const

/** What metadata are written from. */
export interface MetadataSource {
  /** The issuer. */
  readonly publicUrl: string
  readonly name: string
  readonly paths: OAuthServerSettings['paths']
  readonly settings: Pick<OAuthServerSettings, 'cimd' | 'registration' | 'device' | 'resourceServers'>
  readonly configured: ReadonlyMap<string, App>
  readonly grantable: readonly string[]
  readonly documentationUrl: string
  readonly policyUrl: string | undefined
}

/** The description of the module `mcp`. */
export interface McpResource {
  /** Its path below the public URL: `/mcp`. */
  readonly path: string
  /** The scopes that its address for accounts asks for. */
  readonly accountScopes: readonly string[]
}

/** The metadata of the authorization server (RFC 8414). */
function serverMetadata(source: MetadataSource, { service, mcp }: Resources) {
  const { publicUrl, paths, settings, configured, grantable, documentationUrl, policyUrl } = source
  const at = (path: string) => `${publicUrl}${path}`
  const hasSecrets = [...configured.values()].some(({ authentication }) => authentication === 'secret')
  const methods = ['none', 'private_key_jwt', ...(hasSecrets ? ['client_secret_basic', 'client_secret_post'] : [])]
  return {
    issuer: publicUrl,
    authorization_endpoint: at(paths.authorize),
    token_endpoint: at(paths.token),
    ...(settings.registration && { registration_endpoint: at(paths.register) }),
    revocation_endpoint: at(paths.revoke),
    ...(settings.device && { device_authorization_endpoint: at(paths.deviceAuthorization) }),
    ...(settings.resourceServers.length > 0 && {
      introspection_endpoint: at(paths.introspect),
      introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    }),
    scopes_supported: [...grantable],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: [GRANTS.code, GRANTS.refresh, ...(settings.device ? [GRANTS.device] : [])],
    token_endpoint_auth_methods_supported: methods,
    token_endpoint_auth_signing_alg_values_supported: [...ASSERTION_ALGORITHMS],
    revocation_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_signing_alg_values_supported: [...ASSERTION_ALGORITHMS],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: settings.cimd,
    protected_resources: [service, ...mcp],
    service_documentation: documentationUrl,
    ...(policyUrl !== undefined && { op_policy_uri: policyUrl }),
  }
}

/** The metadata of a protected resource (RFC 9728): the whole service, or an address of MCP. */
function resourceMetadata(source: MetadataSource, resource: string, scopes: readonly string[] = BASIC_SCOPES) {
  const { publicUrl, name, grantable, documentationUrl } = source
  return {
    resource,
    authorization_servers: [publicUrl],
    scopes_supported: scopes.filter((scope) => grantable.includes(scope)),
    bearer_methods_supported: ['header'],
    resource_name: name,
    resource_documentation: documentationUrl,
  }
}

/** The documents of a service, as JSON, by what precedes the path of the public URL in their address and what follows it. */
export interface MetadataDocument {
  readonly wellKnown: 'oauth-authorization-server' | 'oauth-protected-resource'
  /** What follows: empty, or the path of an address of MCP. */
  readonly suffix: string
  readonly body: string
}

/** Every metadata document of a service. */
export function metadataDocuments(source: MetadataSource, mcp: McpResource | undefined): readonly MetadataDocument[] {
  const resources = resourcesOf(source.publicUrl, mcp?.path)
  const ofResource = (suffix: string, scopes?: readonly string[]): MetadataDocument => ({
    wellKnown: 'oauth-protected-resource',
    suffix,
    body: JSON.stringify(resourceMetadata(source, `${source.publicUrl}${suffix}`, scopes)),
  })
  return [
    { wellKnown: 'oauth-authorization-server', suffix: '', body: JSON.stringify(serverMetadata(source, resources)) },
    ofResource(''),
    ...(mcp ? [ofResource(mcp.path), ofResource(`${mcp.path}/account`, mcp.accountScopes)] : []),
  ]
}
