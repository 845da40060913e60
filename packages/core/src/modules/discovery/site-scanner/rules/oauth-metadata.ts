import { type Finding, fail, pass, type SiteRule, skip, warn } from '../rule.ts'
import { describe, isMissing, isWebUrl, jsonOf, type Site, type SiteAnswer } from '../site.ts'

const isFinding = (value: object | undefined): value is Finding => value !== undefined && 'status' in value

/** The authorization servers that the metadata of a protected resource name (RFC 9728), or what is wrong with them. */
function readResource(site: Site, response: SiteAnswer): { readonly named?: readonly unknown[] } | Finding {
  if (isMissing(response)) return {}
  if (response.status !== 200) return fail('The metadata of the protected resource cannot be read.', describe(response))
  const { resource: id, authorization_servers: servers } = jsonOf(response) ?? {}
  if (!isWebUrl(id)) return fail('The metadata of the protected resource has no resource.', describe(response))
  if (new URL(id).origin !== site.url.origin) return fail('resource is another host.', id)
  if (servers === undefined) return {}
  if (Array.isArray(servers) && servers.length > 0 && servers.every(isWebUrl)) return { named: servers }
  return fail('authorization_servers is not a list of URLs.', describe(response))
}

/** The problem of the metadata of an authorization server (RFC 8414), if there is one. */
function problemOfServer(response: SiteAnswer, named: readonly unknown[] | undefined): Finding | undefined {
  if (isMissing(response)) return undefined
  if (response.status !== 200)
    return fail('The metadata of the authorization server cannot be read.', describe(response))
  const metadata = jsonOf(response) ?? {}
  const { issuer, token_endpoint: token, response_types_supported: types } = metadata
  if (!isWebUrl(issuer) || !isWebUrl(token) || !Array.isArray(types)) {
    return fail('The metadata of the authorization server lacks issuer, token_endpoint or response_types_supported.')
  }
  if (named && !named.includes(issuer)) return fail('The two documents name different servers.', issuer)
  const { code_challenge_methods_supported: methods } = metadata
  if (!(Array.isArray(methods) && methods.includes('S256'))) {
    return warn('The metadata do not name the code challenge S256, without which clients of MCP refuse the server.')
  }
  if (metadata.authorization_response_iss_parameter_supported !== true) {
    return warn('The server does not name itself in its answers (RFC 9207), so clients may mix it up with another.')
  }
}

/** Checks the OAuth metadata of a site. Skipped when the site publishes none. */
export const oauthMetadata: SiteRule = {
  id: 'oauth-metadata',
  category: 'discovery',
  summary: 'OAuth metadata (RFC 9728, RFC 8414), if the site has any, is valid',
  weight: 3,
  fix: 'Serve /.well-known/oauth-protected-resource with resource and authorization_servers, and the metadata of each server with issuer, token_endpoint, S256 in code_challenge_methods_supported, and iss in its answers.',
  doc: 'https://www.rfc-editor.org/rfc/rfc9728',
  async check(site) {
    const [resource, server] = await Promise.all([
      site.get('/.well-known/oauth-protected-resource'),
      site.get('/.well-known/oauth-authorization-server'),
    ])
    if (isMissing(resource) && isMissing(server)) return skip('The site has no OAuth metadata.')
    if (resource.is !== 'answer') return skip(resource.reason)
    if (server.is !== 'answer') return skip(server.reason)
    const read = readResource(site, resource)
    if (isFinding(read)) return read
    return problemOfServer(server, read.named) ?? pass('The OAuth metadata is valid.')
  },
}
