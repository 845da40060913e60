// What modules of a host are made of.
export { type CoreEventDefinitions, coreEvents } from '../framework/composition/events.ts'

import { publicToken } from '../framework/module/create-token.ts'
import type { GatesApi } from '../modules/access/gates/api.ts'
import type { PaywallApi } from '../modules/access/paywall/api.ts'
import type { EntitlementsApi, ReceiptsApi, SalesApi } from '../modules/access/receipts/api.ts'
import type { SubscriptionsApi } from '../modules/access/subscriptions/api.ts'
import type { JobsApi } from '../modules/jobs/api.ts'
import type { AccountsApi, HostUsersApi } from '../modules/people/accounts/api.ts'
import type { ApiKeysApi } from '../modules/people/api-keys/api.ts'
import type { TeamsApi } from '../modules/people/teams/api.ts'
import type { ConnectionsApi } from '../modules/profiles/connections/api.ts'
import type { ProfilesApi } from '../modules/profiles/profiles/api.ts'
import type { TrustApi } from '../modules/profiles/trust/api.ts'
import type { ContentApi } from '../modules/publishing/content/api.ts'
import type { FilesApi } from '../modules/publishing/files/api.ts'
import type { MediaApi } from '../modules/publishing/media/api.ts'
import type { ReactionsApi } from '../modules/publishing/reactions/api.ts'
import type { NegotiationsApi } from '../modules/trade/commerce/api.ts'

export type { ModuleContext, TakeOverStep } from '../framework/module/context.ts'
export { type ConsumerOptions, type DurableConsumer, defineConsumer } from '../framework/module/define-consumer.ts'
export { defineModule } from '../framework/module/define-host-module.ts'
export type {
  AccountErasure,
  ListenerContext,
  Module,
  ModuleDefinition,
  ReadinessCheck,
  RouteContext,
  Worker,
  WorkerContext,
} from '../framework/module/define-module.ts'
export {
  defineNotification,
  type Notice,
  type NoticeProfile,
  type NotificationDefinition,
  type NotificationInput,
  type NotificationOptions,
  type NotificationText,
  type Recipients,
} from '../framework/module/define-notification.ts'
export {
  type AccountExporter,
  type AccountSubject,
  bytesMember,
  type ExportMember,
  type ExportSubject,
  jsonListMember,
  jsonMember,
  type ProfileExporter,
  textMember,
} from '../framework/module/export-member.ts'
export type {
  ImportPart,
  ImportSource,
  ImportTarget,
  ProfileImporter,
  SkippedItem,
} from '../framework/module/profile-import.ts'
export type {
  PartLinks,
  PartReader,
  PartSubject,
  ProfilePart,
  ProfileSection,
} from '../framework/module/profile-part.ts'
export type { DescribedResource, ResourceRequest, ResourceSource } from '../framework/module/resource-source.ts'
export {
  type EnteredForm,
  type ProfileVisit,
  type Screen,
  type ScreenAction,
  type ScreenOf,
  type ScreenResult,
  type ScreenSection,
  type ScreenTexts,
  type ScreenView,
  type ScreenVisit,
  type SentFile,
  screenAction,
} from '../framework/module/screen.ts'
export {
  actionButton,
  type ButtonKind,
  buttonOnly,
  isChosen,
  ofForm,
  type ScreenForm,
  screenForm,
  shownText,
  textOf,
  textsNamed,
  wrongWith,
} from '../framework/module/screen-form.ts'
export { type Column, listedPage, nextPageHtml, tableHtml } from '../framework/module/screen-list.ts'
export { type Html, html } from '../http/html/html.ts'
export type { Authenticated, Authenticator, Carrier } from '../http/pipeline/authenticator.ts'
export type { OnAgentAccess } from '../http/pipeline/count-visits.ts'
export { callerOf } from '../http/pipeline/request-context.ts'
export type { EepRoutes, RouteAuth, RouteConfig } from '../http/routes.ts'
export { routeConfig } from '../http/routes.ts'
export type { ErrorContext, ErrorDefinition } from '../kernel/errors.ts'
export { defineError } from '../kernel/errors.ts'
export type { AgentAccess } from '../model/agent.ts'
export type { Bot, BotCheck, BotDoubt, BotRefusal, VerifiedBot } from '../model/bot.ts'
export type { Caller } from '../model/caller.ts'
export {
  type AreaMessages,
  defineMessages,
  type MessageSet,
  type MessageSource,
  type Messages,
  type MessageTexts,
  type PageLanguage,
  type Translate,
} from '../model/messages.ts'
export type { Action, May, Permission, Permissions, Role } from '../model/permission.ts'
export type { DeclaredPlanLimits, Plan, PlanLimit, PlanLimits, PlanTable } from '../model/plan.ts'
export type { OnVisit, Visit, VisitingAgent, VisitingRequest } from '../model/visit.ts'
export {
  defineEvent,
  type EventDefinition,
  type EventHandler,
  type EventOf,
  on,
} from '../runtime/events/define-event.ts'

export {
  defineCounter,
  defineEventCounter,
  defineGauge,
  defineHistogram,
  type LabelValues,
  type MetricDefinition,
} from '../runtime/telemetry/define-metric.ts'
export type { DurationHistogram, Metrics } from '../runtime/telemetry/metrics.ts'

// The modules of the package that those of a host can require. The tokens load none of them.
/** Registration, sessions and the data of accounts. For `requires` of {@link defineModule}: `create` gets its public services. */
export const accounts = publicToken<{ readonly accounts: AccountsApi; readonly hostUsers: HostUsersApi }>('accounts')
/** API keys. For `requires` of {@link defineModule}: `create` gets its public services. */
export const apiKeys = publicToken<{ readonly apiKeys: ApiKeysApi }>('api-keys')
/** Negotiated deals. For `requires` of {@link defineModule}: `create` gets its public services. */
export const commerce = publicToken<{ readonly negotiations: NegotiationsApi }>('commerce')
/** Followers and connections between profiles. For `requires` of {@link defineModule}: `create` gets its public services. */
export const connections = publicToken<{ readonly connections: ConnectionsApi }>('connections')
/** Pages and categories. For `requires` of {@link defineModule}: `create` gets its public services. */
export const content = publicToken<{ readonly content: ContentApi }>('content')
/** Uploaded files. For `requires` of {@link defineModule}: `create` gets its public services. */
export const files = publicToken<{ readonly files: FilesApi }>('files')
/** Gate configurations. For `requires` of {@link defineModule}: `create` gets its public services. */
export const gates = publicToken<{ readonly gates: GatesApi }>('gates')
/** Background jobs of accounts. For `requires` of {@link defineModule}: `create` gets its public services. */
export const jobs = publicToken<{ readonly jobs: JobsApi }>('jobs')
/** Transcripts of recordings. For `requires` of {@link defineModule}: `create` gets its public services. */
export const media = publicToken<{ readonly media: MediaApi }>('media')
/** Access decisions, offers and payments. For `requires` of {@link defineModule}: `create` gets its public services. */
export const paywall = publicToken<{ readonly paywall: PaywallApi }>('paywall')
/** Profiles. For `requires` of {@link defineModule}: `create` gets its public services. */
export const profiles = publicToken<{ readonly profiles: ProfilesApi }>('profiles')
/** Reactions to pages. For `requires` of {@link defineModule}: `create` gets its public services. */
export const reactions = publicToken<{ readonly reactions: ReactionsApi }>('reactions')
/** Receipts, sales and refunds. For `requires` of {@link defineModule}: `create` gets its public services. */
export const receipts = publicToken<{
  readonly receipts: ReceiptsApi
  readonly sales: SalesApi
  readonly entitlements: EntitlementsApi
}>('receipts')
/** Subscriptions to plans. For `requires` of {@link defineModule}: `create` gets its public services. */
export const subscriptions = publicToken<{ readonly subscriptions: SubscriptionsApi }>('subscriptions')
/** Members, invitations and transfers of profiles. For `requires` of {@link defineModule}: `create` gets its public services. */
export const teams = publicToken<{ readonly teams: TeamsApi }>('teams')
/** Trust scores. For `requires` of {@link defineModule}: `create` gets its public services. */
export const trust = publicToken<{ readonly trust: TrustApi }>('trust')
