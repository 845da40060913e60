import { documentOf, inline, list, section, steps } from '../../../kernel/markdown.ts'
import type { MetadataSource } from './metadata.ts'
import { BASIC_SCOPES } from './scopes.ts'

/** The path of the guide. */
export const AUTH_GUIDE_PATH = '/auth.md'

const shell = (...lines: readonly string[]) => ['```sh', ...lines, '```'].join('\n')
const text = (...parts: readonly (string | false)[]) => parts.filter(Boolean).join('\n\n')

const clientIds = ({ settings, publicUrl, paths }: MetadataSource) =>
  text(
    list([
      ...(settings.cimd
        ? [
            'An https URL with a path, at which your app serves its description: `client_id`, `client_name`, `redirect_uris`.',
          ]
        : []),
      ...(settings.registration
        ? [
            `An id of \`POST ${publicUrl}${paths.register}\` (RFC 7591). Nothing is stored, and people see "unverified app".`,
          ]
        : []),
      'An id that the operator of this service gave you.',
    ]),
    settings.registration &&
      shell(
        `curl '${publicUrl}${paths.register}' -H 'Content-Type: application/json' \\`,
        `  -d '{"client_name":"My app","redirect_uris":["http://127.0.0.1/callback"]}'`,
      ),
    'Redirect URIs are compared character by character; at `127.0.0.1`, `[::1]` and `localhost` every port is allowed.',
  )

const codeFlow = ({ publicUrl, paths }: MetadataSource) =>
  text(
    steps([
      `Send the person to \`${publicUrl}${paths.authorize}\` with \`response_type=code\`, \`client_id\`, \`redirect_uri\`, \`state\`, \`scope\`, \`code_challenge\` and \`code_challenge_method=S256\`.`,
      `At your redirect URI compare \`state\`, and \`iss\` with \`${publicUrl}\`. \`error=access_denied\` means that the person said no.`,
      `Exchange the code, within a minute and once: \`POST ${publicUrl}${paths.token}\`, form-encoded, with \`grant_type=authorization_code\`, \`code\`, \`redirect_uri\`, \`client_id\` and \`code_verifier\`.`,
    ]),
    'Without `scope` the app can read. The person may allow less than you ask for: `scope` of the answer states what you have.',
  )

const deviceFlow = ({ publicUrl, paths }: MetadataSource) =>
  steps([
    `\`POST ${publicUrl}${paths.deviceAuthorization}\` with \`client_id\` and \`scope\`.`,
    'Show the person `verification_uri` and `user_code`.',
    `Ask \`POST ${publicUrl}${paths.token}\` every \`interval\` seconds, with \`grant_type=urn:ietf:params:oauth:grant-type:device_code\`, \`device_code\` and \`client_id\`. \`authorization_pending\` means wait, \`slow_down\` wait longer.`,
  ])

const using = ({ publicUrl, paths }: MetadataSource) =>
  text(
    shell(`curl '${publicUrl}/auth/me' -H 'Authorization: Bearer <ACCESS_TOKEN>'`),
    list([
      `Before it expires, \`grant_type=refresh_token\` at \`${publicUrl}${paths.token}\` returns a new access token and a new refresh token. Keep the new one: an old one that is used later ends the connection.`,
      `\`POST ${publicUrl}${paths.revoke}\` with the refresh token disconnects the app. The person can do it at ${publicUrl}/account/apps.`,
    ]),
  )

const refusals = () =>
  list([
    '401 with `WWW-Authenticate: Bearer … error="invalid_token"`: the token expired or ended. Refresh it; if that returns `invalid_grant`, ask the person again.',
    '403 with `error="insufficient_scope"`: `scope` of the challenge names what is needed, together with what you have. Ask for it again, or let the person add it at `/account/apps`.',
    '402 has no challenge of OAuth: it asks for a payment. An app that pays in the name of an account needs `spend:payments`.',
    '400 with `{"error", "error_description"}`: a fault of the request (RFC 6749, 5.2).',
  ])

/** The guide to the authorization server for programs: from its metadata to a refused request. */
export function authGuide(source: MetadataSource): string {
  const { name, publicUrl, settings, grantable } = source
  return documentOf(
    `# ${inline(name)}: how programs sign in`,
    'Reading public content needs no account. To act for a person, a program connects to their account by OAuth 2.1; they choose what it may do, and can end it.',
    ...section(
      'Find the addresses',
      list([
        `\`${publicUrl}/.well-known/oauth-protected-resource\` names the authorization server (RFC 9728).`,
        `\`${publicUrl}/.well-known/oauth-authorization-server\` names every address below (RFC 8414). The issuer is \`${publicUrl}\`.`,
      ]),
    ),
    ...section('Get a client id', clientIds(source)),
    ...section('Ask a person in a browser', codeFlow(source)),
    ...(settings.device ? section('Ask a person on another device', deviceFlow(source)) : []),
    ...section('Use, refresh and end a connection', using(source)),
    ...section('What a refusal means', refusals()),
    ...section(
      'Scopes',
      list(
        grantable.map((scope) => (BASIC_SCOPES.includes(scope) ? `\`${scope}\` (without \`scope\`)` : `\`${scope}\``)),
      ),
    ),
  )
}
