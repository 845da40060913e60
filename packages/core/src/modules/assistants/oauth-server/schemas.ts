import { z } from 'zod'
import { GRANTS } from './metadata.ts'

const text = (max: number) => z.string().max(max)

/** With which an app names and proves itself, unless it sends Basic credentials. */
const credentials = {
  client_id: text(1_200).optional(),
  client_secret: text(512).optional(),
  client_assertion: text(8_192).optional(),
  client_assertion_type: text(100).optional(),
}

/** Sent several times, it is a list. */
const resource = z.union([text(2_048), z.array(text(2_048)).max(8)]).optional()

/** OAuth ignores parameters that it does not know, so these are not strict. */
export const tokenBody = z
  .looseObject({
    grant_type: text(100).describe(`${Object.values(GRANTS).join(', ')}`),
    code: text(100).optional(),
    redirect_uri: text(2_000).optional(),
    code_verifier: text(200).optional(),
    refresh_token: text(200).optional(),
    device_code: text(100).optional(),
    scope: text(4_096).optional(),
    resource,
    ...credentials,
  })
  .meta({ id: 'OAuthTokenRequest' })

export const tokenAnswer = z
  .object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int(),
    refresh_token: z.string(),
    scope: z.string(),
  })
  .meta({ id: 'OAuthTokens' })

export const revokeBody = z
  .looseObject({ token: text(8_192), token_type_hint: text(100).optional(), ...credentials })
  .meta({ id: 'OAuthRevocation' })

export const introspectBody = z
  .looseObject({ token: text(8_192), token_type_hint: text(100).optional(), ...credentials })
  .meta({ id: 'OAuthIntrospectionRequest' })

export const introspection = z
  .object({
    active: z.boolean(),
    scope: z.string().optional(),
    client_id: z.string().optional(),
    token_type: z.literal('Bearer').optional(),
    exp: z.int().optional(),
    iat: z.int().optional(),
    sub: z.string().optional(),
    aud: z.array(z.string()).optional(),
    iss: z.string().optional(),
  })
  .meta({ id: 'OAuthIntrospection' })

export const deviceBody = z
  .looseObject({ scope: text(4_096).optional(), resource, ...credentials })
  .meta({ id: 'OAuthDeviceRequest' })

export const deviceAnswer = z
  .object({
    device_code: z.string(),
    user_code: z.string(),
    verification_uri: z.string(),
    verification_uri_complete: z.string(),
    expires_in: z.int(),
    interval: z.int(),
  })
  .meta({ id: 'OAuthDeviceCodes' })

/** What RFC 7591 does not require to be understood is ignored. */
export const registerBody = z
  .looseObject({
    redirect_uris: z.array(text(4_000)).min(1).max(20),
    client_name: text(1_000).optional(),
    client_uri: text(2_000).optional(),
    grant_types: z.array(text(100)).max(20).optional(),
    response_types: z.array(text(100)).max(20).optional(),
    token_endpoint_auth_method: text(100).optional(),
    scope: text(4_096).optional(),
  })
  .meta({ id: 'OAuthRegistrationRequest' })

export const registration = z
  .object({
    client_id: z.string(),
    client_id_issued_at: z.int(),
    client_name: z.string().optional(),
    client_uri: z.string().optional(),
    redirect_uris: z.array(z.string()),
    grant_types: z.array(z.string()),
    response_types: z.array(z.string()),
    token_endpoint_auth_method: z.literal('none'),
    scope: z.string().optional(),
  })
  .meta({ id: 'OAuthRegistration' })

/** A metadata document, whose members are those of RFC 8414 or RFC 9728. */
export const serverMetadataSchema = z
  .looseObject({ issuer: z.string(), authorization_endpoint: z.string(), token_endpoint: z.string() })
  .meta({ id: 'OAuthServerMetadata' })

export const resourceMetadataSchema = z
  .looseObject({ resource: z.string(), authorization_servers: z.array(z.string()) })
  .meta({ id: 'OAuthResourceMetadata' })
