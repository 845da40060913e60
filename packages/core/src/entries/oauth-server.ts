import type { Module } from '../framework/module/define-module.ts'
import type { FeatureOptions } from '../framework/module/feature.ts'
import type { OauthServerApi } from '../modules/assistants/oauth-server/api.ts'
import type { ConnectedAppsApi } from '../modules/assistants/oauth-server/apps/api.ts'
import { oauthServer as create } from '../modules/assistants/oauth-server/module.ts'
import type { oauthServerOptions } from '../modules/assistants/oauth-server/options.ts'

declare module '@eep/core' {
  interface EepServices {
    readonly connectedApps: ConnectedAppsApi
    readonly oauthServer: OauthServerApi
  }
}

/** The options of {@link oauthServer}. */
export interface OauthServerOptions extends FeatureOptions<typeof oauthServerOptions> {}

/**
 * An authorization server (OAuth 2.1), so that people connect assistants and other apps to their account.
 *
 * @throws TypeError that names each option that is wrong
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/oauth-server.md
 * @example
 * await app.register(eep, { ...options, modules: [oauthServer()] })
 */
export const oauthServer = (options?: OauthServerOptions): Module => create(options)
