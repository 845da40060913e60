import { defineModule, type Module } from '../framework/module/define-module.ts'
import { MissingPackagesError } from '../kernel/assert-installed.ts'
import { type AdminOptions, admin } from './admin.ts'
import { agentAccess, dataWithdrawal, delegation } from './agent-access.ts'
import { type AnalyticsOptions, analytics } from './analytics.ts'
import { type ArchivesOptions, archives } from './archives.ts'
import { type AuditLogOptions, auditLog } from './audit-log.ts'
import { commerce } from './commerce.ts'
import { ownerConsole } from './console.ts'
import { type FeedOptions, feed } from './feed.ts'
import { type MediaOptions, media } from './files/media.ts'
import { type TextExtractionOptions, textExtraction } from './files/text.ts'
import { type FilesOptions, files } from './files.ts'
import { insights } from './insights.ts'
import { listings } from './listings.ts'
import { type McpOptions, mcp } from './mcp.ts'
import { type MemoryOptions, memory } from './memory.ts'
import { type MessagesOptions, messages } from './messages.ts'
import { type NotificationsOptions, notifications } from './notifications.ts'
import { type OauthOptions, oauth } from './oauth.ts'
import { type OauthServerOptions, oauthServer } from './oauth-server.ts'
import { type PasskeysOptions, passkeys } from './passkeys.ts'
import { type PricedDiscoveryOptions, pricedDiscovery } from './priced-discovery.ts'
import { reactions } from './reactions.ts'
import { type ReportsOptions, reports } from './reports.ts'
import { type SearchOptions, search } from './search.ts'
import { type SignalsOptions, signals } from './signals.ts'
import { siteScanner } from './site-scanner.ts'
import { smartSections } from './smart-sections.ts'
import { type SocketsOptions, sockets } from './sockets.ts'
import { type SubscriptionsOptions, subscriptions } from './subscriptions.ts'
import { usage } from './usage.ts'
import { type WebBotAuthOptions, webBotAuth } from './web-bot-auth.ts'
import { type WebhooksOptions, webhooks } from './webhooks.ts'
import { workspaces } from './workspaces.ts'

// Declarations of an import that no type uses are lost in a bundled `.d.ts`, and with them the services on `app.eep`.
export * from './admin.ts'
export * from './agent-access.ts'
export * from './analytics.ts'
export * from './archives.ts'
export * from './audit-log.ts'
export * from './commerce.ts'
export * from './console.ts'
export * from './feed.ts'
export * from './files/media.ts'
export * from './files/text.ts'
export * from './files.ts'
export * from './insights.ts'
export * from './listings.ts'
export * from './mcp.ts'
export * from './memory.ts'
export * from './messages.ts'
export * from './notifications.ts'
export * from './oauth.ts'
export * from './oauth-server.ts'
export * from './passkeys.ts'
export * from './priced-discovery.ts'
export * from './reactions.ts'
export * from './reports.ts'
export * from './search.ts'
export * from './signals.ts'
export * from './site-scanner.ts'
export * from './smart-sections.ts'
export * from './sockets.ts'
export * from './subscriptions.ts'
export * from './usage.ts'
export * from './web-bot-auth.ts'
export * from './webhooks.ts'
export * from './workspaces.ts'

/** The options of {@link everything}: those of each feature, or `false` to leave it out. */
export interface EverythingOptions {
  readonly oauth?: OauthOptions | false | undefined
  readonly oauthServer?: OauthServerOptions | false | undefined
  readonly passkeys?: PasskeysOptions | false | undefined
  readonly agentAccess?: false | undefined
  readonly mcp?: McpOptions | false | undefined
  readonly webBotAuth?: WebBotAuthOptions | false | undefined
  readonly delegation?: false | undefined
  readonly dataWithdrawal?: false | undefined
  readonly subscriptions?: SubscriptionsOptions | false | undefined
  readonly files?: FilesOptions | false | undefined
  readonly media?: MediaOptions | false | undefined
  readonly textExtraction?: TextExtractionOptions | false | undefined
  readonly feed?: FeedOptions | false | undefined
  readonly reactions?: false | undefined
  readonly smartSections?: false | undefined
  readonly archives?: ArchivesOptions | false | undefined
  readonly listings?: false | undefined
  readonly commerce?: false | undefined
  readonly ownerConsole?: false | undefined
  readonly messages?: MessagesOptions | false | undefined
  readonly signals?: SignalsOptions | false | undefined
  readonly sockets?: SocketsOptions | false | undefined
  readonly webhooks?: WebhooksOptions | false | undefined
  readonly auditLog?: AuditLogOptions | false | undefined
  readonly notifications?: NotificationsOptions | false | undefined
  readonly search?: SearchOptions | false | undefined
  readonly pricedDiscovery?: PricedDiscoveryOptions | false | undefined
  readonly siteScanner?: false | undefined
  readonly analytics?: AnalyticsOptions | false | undefined
  readonly insights?: false | undefined
  readonly memory?: MemoryOptions | false | undefined
  readonly workspaces?: false | undefined
  readonly admin?: AdminOptions | false | undefined
  readonly usage?: false | undefined
  readonly reports?: ReportsOptions | false | undefined
}

/** Parts of profiles at the same place of a document are in this order. */
const FEATURES = {
  oauth,
  oauthServer,
  passkeys,
  agentAccess,
  webBotAuth,
  mcp,
  delegation,
  dataWithdrawal,
  files,
  media,
  textExtraction,
  reactions,
  commerce,
  listings,
  smartSections,
  feed,
  messages,
  reports,
  subscriptions,
  admin,
  signals,
  sockets,
  webhooks,
  notifications,
  auditLog,
  search,
  pricedDiscovery,
  memory,
  usage,
  workspaces,
  analytics,
  archives,
  insights,
  siteScanner,
  ownerConsole,
} as const

/** `siteScanner` is the module `site-scanner`. */
const moduleName = (feature: string) => feature.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Makes a feature, or a module that is off and has the command that installs its packages. */
function make(name: keyof typeof FEATURES, options: EverythingOptions): Module {
  try {
    // The options of each feature have its own type; they were checked where they were written.
    const made = (FEATURES[name] as (options: never) => Module)(options[name] as never)
    // Named one by one, such a module would refuse to start.
    return made.unmet ? { ...made, isOffWhenUnmet: true } : made
  } catch (error) {
    if (error instanceof MissingPackagesError) return defineModule({ name: moduleName(name), missing: error.command })
    throw error
  }
}

/**
 * Makes every feature of the package: the whole service. A feature whose packages are not installed is off, and the log has the
 * command that installs them.
 *
 * @throws TypeError that names each option that is wrong
 * @see https://github.com/eep-service/eep/blob/main/docs/embed/modules.md
 * @example
 * await app.register(eep, { ...options, modules: everything({ search: { index }, memory: false }) })
 */
export function everything(options: EverythingOptions = {}): readonly Module[] {
  const unknown = Object.keys(options).find((name) => !(name in FEATURES))
  if (unknown !== undefined)
    throw new TypeError(`everything() has no feature "${unknown}"; there are ${Object.keys(FEATURES).join(', ')}`)
  return (Object.keys(FEATURES) as (keyof typeof FEATURES)[])
    .filter((name) => options[name] !== false)
    .map((name) => make(name, options))
}
