import { fail, pass, type SiteRule, skip } from '../rule.ts'
import { describe, isMissing, isWebUrl, jsonOf } from '../site.ts'

/** Checks the OAuth metadata of a site (RFC 9728, RFC 8414). Skipped when the site publishes none. */
export const oauthMetadata: SiteRule = {
  id: 'oauth-metadata',
  category: 'discovery',
  summary: 'OAuth metadata (RFC 9728, RFC 8414), if the site has any, is valid',
  weight: 3,
  fix: 'Serve /.well-known/oauth-protected-resource with resource and authorization_servers, and the metadata of each server with issuer and token_endpoint.',
  doc: 'https://www.rfc-editor.org/rfc/rfc9728',
  async check(site) {
    const [resource, server] = await Promise.all([
      site.get('/.well-known/oauth-protected-resource'),
      site.get('/.well-known/oauth-authorization-server'),
    ])
    if (isMissing(resource) && isMissing(server)) return skip('The site has no OAuth metadata.')
    if (resource.is !== 'answer') return skip(resource.reason)
    if (server.is !== 'answer') return skip(server.reason)
    if (resource.status === 200) {
      const { resource: id, authorization_servers: servers } = jsonOf(resource) ?? {}
      if (!isWebUrl(id)) return fail('The metadata of the protected resource has no resource.', describe(resource))
      if (servers !== undefined && !(Array.isArray(servers) && servers.length > 0 && servers.every(isWebUrl))) {
        return fail('authorization_servers is not a list of URLs.', describe(resource))
      }
      if (new URL(id).origin !== site.url.origin) return fail('resource is another host.', id)
    } else if (!isMissing(resource))
      return fail('The metadata of the protected resource cannot be read.', describe(resource))
    if (server.status === 200) {
      const { issuer, token_endpoint: token, response_types_supported: types } = jsonOf(server) ?? {}
      if (!isWebUrl(issuer) || !isWebUrl(token) || !Array.isArray(types)) {
        return fail(
          'The metadata of the authorization server lacks issuer, token_endpoint or response_types_supported.',
        )
      }
    } else if (!isMissing(server))
      return fail('The metadata of the authorization server cannot be read.', describe(server))
    return pass('The OAuth metadata is valid.')
  },
}
