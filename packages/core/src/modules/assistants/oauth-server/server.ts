import type { CoreContext } from '../../../framework/module/context.ts'
import { createSeal } from '../../../kernel/seal.ts'
import { createAccess } from './access.ts'
import { createAppTokens } from './app-tokens.ts'
import { AUTH_GUIDE_PATH, authGuide } from './auth-guide.ts'
import { createAppKeys } from './clients/app-keys.ts'
import { createAssertionVerifier } from './clients/assertion.ts'
import { createClientAuthentication } from './clients/client-authentication.ts'
import { configuredApps } from './clients/configured.ts'
import { createDocuments } from './clients/documents.ts'
import { createFetchDocument } from './clients/fetch-document.ts'
import type { RedirectOptions } from './clients/redirect-uri.ts'
import { REGISTRATION_PURPOSE } from './clients/registered.ts'
import { createResolveClient } from './clients/resolve-client.ts'
import { createDeviceRequests } from './device.ts'
import { createGrants } from './grants.ts'
import { createIssuer } from './issue.ts'
import { createLimitReached } from './limit-reached.ts'
import { type McpResource, type MetadataSource, metadataDocuments } from './metadata.ts'
import type { OAuthServerSettings } from './options.ts'
import { resourcesOf } from './resource.ts'
import { defaultGrantable } from './scopes.ts'

/** Creates the parts of the authorization server that need no pages. */
export function createOAuthServer(context: CoreContext<'connectedApps'>, options: OAuthServerSettings) {
  const { read, write, clock, keyring, counters, scaled, metrics, logger, outbound, publicUrl, settings } = context
  const { paths, blockedClients: blockedHosts, privateUseRedirects } = options
  const grantable = options.grantableScopes ?? defaultGrantable([...context.scopeDefinitions.values()])
  const redirects: RedirectOptions = { privateUseRedirects, blockedHosts }
  const configured = configuredApps(options.clients)
  const registrations = createSeal(settings.secrets, REGISTRATION_PURPOSE)
  const fetch = createFetchDocument(outbound, settings.http.allowPrivateHosts)
  let mcp: McpResource | undefined
  const resources = () => resourcesOf(publicUrl, mcp?.path)

  const resolveClient = createResolveClient({
    configured,
    documents: options.cimd ? createDocuments({ fetch, clock, counters, scaled, redirects }) : undefined,
    registrations: options.registration ? registrations : undefined,
    ownHosts: new Set([publicUrl, ...context.trustedOrigins].map((url) => new URL(url).host)),
    blockedHosts,
  })
  const authenticate = createClientAuthentication({
    resolveClient,
    blockedHosts,
    verifyAssertion: createAssertionVerifier({
      keys: createAppKeys({ fetch, clock }),
      write,
      clock,
      audiences: [publicUrl, `${publicUrl}${paths.token}`],
    }),
  })
  const shared = { read, write, clock, keyring, scaled, authenticate, resources }
  const issuer = createIssuer({ ...options, keyring })
  const grants = createGrants({ ...shared, counters, metrics, logger, issuer, blockedHosts })
  const access = createAccess({ ...shared, grants, onError: context.report })
  const source: MetadataSource = {
    publicUrl,
    name: settings.name,
    paths,
    settings: options,
    configured,
    grantable,
    documentationUrl: `${publicUrl}${AUTH_GUIDE_PATH}`,
    policyUrl: settings.pages.privacyUrl && new URL(settings.pages.privacyUrl, publicUrl).href,
  }

  return {
    /** The issuer. */
    publicUrl,
    settings: options,
    /** The scopes that people can grant to apps. */
    grantable,
    /** Which redirect URIs apps may use. */
    redirects,
    /** Seals and opens the ids of registered apps. */
    registrations,
    resolveClient,
    /** The addresses that tokens can be issued for, now. */
    resources,
    grants,
    access,
    /** Identifies connected apps in the pipeline of requests. */
    appTokens: createAppTokens({
      access,
      clock,
      publicUrl,
      grantable,
      definitions: context.scopeDefinitions,
      onLimitReached: createLimitReached({ write, counters, clock, onError: context.report }),
      options,
      mcp: () => mcp,
    }),
    openDevice: createDeviceRequests({ ...shared, grantable, verificationUri: `${publicUrl}${paths.device}` }),
    /** Adds the addresses of MCP to the resources and to the metadata. Called by that module when it is created. */
    announceMcp(announced: McpResource): void {
      mcp = announced
    },
    /** The metadata documents of the service. */
    documents: () => metadataDocuments(source, mcp),
    /** The same for readers, as Markdown. */
    guide: () => authGuide(source),
  }
}

/** The parts of the authorization server that need no pages. */
export type OAuthServer = ReturnType<typeof createOAuthServer>
