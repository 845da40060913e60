import type { CoreContext } from '../../../framework/module/context.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import { createPersonProof } from '../../pages/account-pages/index.ts'
import type { AccountService } from '../../people/accounts/index.ts'
import type { PasskeyService } from '../../people/passkeys/index.ts'
import { connectedAppRoutes } from './apps/apps.routes.ts'
import { connectedAppsScreens } from './apps/apps-page.ts'
import { type ConnectedAppsService, createConnectedAppsService } from './apps/service.ts'
import { type ConsentApi, createConsentApi } from './authorize/api.ts'
import { createAsk } from './authorize/ask.ts'
import { authorizeRoutes } from './authorize/authorize.routes.ts'
import { type Consent, createConsent } from './authorize/consent.ts'
import { createHostProofs } from './authorize/host-proofs.ts'
import { createPendingRequests } from './authorize/pending-request.ts'
import { createSealedRequests } from './authorize/sealed.ts'
import { createDeviceConsent, type DeviceConsent } from './device/device-consent.ts'
import { devicePageRoutes } from './device/device-page.routes.ts'
import { addressHashOf } from './device.ts'
import type { OAuthServerSettings } from './options.ts'
import { isAtPublicUrl } from './protocol.routes.ts'
import { describeScopes } from './scope-inputs-html.ts'
import type { OAuthServer } from './server.ts'
import type { ChosenLimits } from './spending-html.ts'

type Context = CoreContext<'connectedApps'>

/** The services of the pages on which people connect, change and disconnect apps. */
export interface ConsentServices {
  readonly connectedApps: ConnectedAppsService
  readonly appConsent: Consent
  readonly deviceConsent: DeviceConsent
  readonly consentApi: ConsentApi
}

/** The limits that are chosen on pages, which are those of the operator: one amount for dollars and for euros. */
const pageLimits = ({ spending: { usd, eur, creditsPerDay } }: OAuthServerSettings): ChosenLimits => ({
  purchase: Math.min(usd.purchase, eur.purchase),
  day: Math.min(usd.day, eur.day),
  month: Math.min(usd.month, eur.month),
  credits: creditsPerDay,
})

/** Creates the services of the pages. */
export function createConsentServices(
  context: Context,
  { settings: options, resolveClient, grantable, redirects, resources }: OAuthServer,
  accounts: AccountService,
): ConsentServices {
  const { read, write, clock, keyring, publicUrl, counters, scaled, scopeDefinitions } = context
  const sealed = createSealedRequests({ keyring, clock })
  const limits = pageLimits(options)
  const consent = createConsent({
    read,
    write,
    resolveClient,
    sealed,
    accounts,
    keyring,
    clock,
    redirects,
    grantable: { scopes: grantable, resources },
    issuer: publicUrl,
    codeSeconds: options.codeSeconds,
    idleDays: options.idleDays,
    maxDays: options.maxDays,
  })
  const describe = describeScopes(scopeDefinitions)
  return {
    connectedApps: createConnectedAppsService({ read, write, clock, accounts, limits }),
    appConsent: consent,
    deviceConsent: createDeviceConsent({
      read,
      write,
      clock,
      counters,
      scaled,
      resolveClient,
      sealed,
      consent,
      hashAddress: (address) => addressHashOf(address, keyring),
    }),
    consentApi: createConsentApi({ consent, accounts, describe, clock, limits }),
  }
}

/** What the routes of the pages need. */
export interface ConsentRouteParts extends ConsentServices {
  readonly oauthServer: OAuthServer
  readonly accounts: AccountService
  readonly passkeys?: PasskeyService | undefined
}

/** Adds the pages on which people connect apps, and the JSON routes of connected apps. */
export function consentRoutes(app: EepRoutes, parts: ConsentRouteParts, context: Context): void {
  const { oauthServer, accounts, passkeys } = parts
  const { settings: options, grantable } = oauthServer
  const { keyring, clock, publicUrl, trustedOrigins, cookies, identityProviders, scopeDefinitions, settings } = context
  const { hostAuth } = settings.auth
  connectedAppRoutes(app, parts, { grantable })
  // Apps and cookies name the addresses below the public URL.
  if (!isAtPublicUrl(app, publicUrl)) return
  const ownOrigins = new Set(trustedOrigins)
  const ask = createAsk({
    accounts,
    person: createPersonProof({
      accounts,
      passkeys: passkeys?.worksOnPages && !hostAuth ? passkeys : undefined,
      clock,
    }),
    describe: describeScopes(scopeDefinitions),
    clock,
    limits: pageLimits(options),
    idleDays: options.idleDays,
    maxDays: options.maxDays,
    providers: identityProviders,
  })
  const shared = {
    ask,
    hostProofs: createHostProofs({ keyring, clock }),
    ownOrigins,
    publicUrl,
    signInUrl: hostAuth && options.signInUrl,
  }
  authorizeRoutes(app, {
    consent: parts.appConsent,
    ...shared,
    pending: createPendingRequests({ keyring, clock, isSecure: cookies.secure, path: options.paths.authorize }),
    path: options.paths.authorize,
  })
  if (options.device) devicePageRoutes(app, { ...shared, device: parts.deviceConsent, path: options.paths.device })
}

/** The screens of connected apps in the console. */
export const consentScreens = (
  { connectedApps, accounts, oauthServer }: Pick<ConsentRouteParts, 'connectedApps' | 'accounts' | 'oauthServer'>,
  { scopeDefinitions }: Pick<Context, 'scopeDefinitions'>,
) =>
  connectedAppsScreens({
    connectedApps,
    accounts,
    describe: describeScopes(scopeDefinitions),
    grantable: oauthServer.grantable,
  })
