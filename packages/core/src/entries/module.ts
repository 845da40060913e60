// What modules of a host are made of.
export { type CoreEventDefinitions, coreEvents } from '../framework/composition/events.ts'

import type { Module } from '../framework/module/define-module.ts'
import type { EepServices } from '../framework/services.ts'
import type { gateEvents } from '../modules/access/gates/events.ts'
import { gates as gatesModule } from '../modules/access/gates/module.ts'
import { paywall as paywallModule } from '../modules/access/paywall/module.ts'
import type { receiptEvents } from '../modules/access/receipts/events.ts'
import { receipts as receiptsModule } from '../modules/access/receipts/module.ts'
import type { subscriptionEvents } from '../modules/access/subscriptions/events.ts'
import { subscriptions as subscriptionsModule } from '../modules/access/subscriptions/module.ts'
import type { jobEvents } from '../modules/jobs/events.ts'
import { jobs as jobsModule } from '../modules/jobs/module.ts'
import type { accountEvents } from '../modules/people/accounts/events.ts'
import { accounts as accountsModule } from '../modules/people/accounts/module.ts'
import type { apiKeyEvents } from '../modules/people/api-keys/events.ts'
import { apiKeys as apiKeysModule } from '../modules/people/api-keys/module.ts'
import type { teamEvents } from '../modules/people/teams/events.ts'
import { teams as teamsModule } from '../modules/people/teams/module.ts'
import type { connectionEvents } from '../modules/profiles/connections/events.ts'
import { connections as connectionsModule } from '../modules/profiles/connections/module.ts'
import type { profileEvents } from '../modules/profiles/profiles/events.ts'
import { profiles as profilesModule } from '../modules/profiles/profiles/module.ts'
import { trust as trustModule } from '../modules/profiles/trust/module.ts'
import type { contentEvents } from '../modules/publishing/content/events.ts'
import { content as contentModule } from '../modules/publishing/content/module.ts'
import type { fileEvents } from '../modules/publishing/files/events.ts'
import { files as filesModule } from '../modules/publishing/files/module.ts'
import type { mediaEvents } from '../modules/publishing/media/events.ts'
import { media as mediaModule } from '../modules/publishing/media/module.ts'
import type { reactionEvents } from '../modules/publishing/reactions/events.ts'
import { reactions as reactionsModule } from '../modules/publishing/reactions/module.ts'
import type { commerceEvents } from '../modules/trade/commerce/events.ts'
import { commerce as commerceModule } from '../modules/trade/commerce/module.ts'
import type { EventDefinition } from '../runtime/events/define-event.ts'

export type { ModuleContext, TakeOverStep } from '../framework/module/context.ts'
export { type ConsumerOptions, type DurableConsumer, defineConsumer } from '../framework/module/define-consumer.ts'
export {
  type AccountErasure,
  defineModule,
  type Module,
  type ModuleDefinition,
  type ReadinessCheck,
  type RouteContext,
  type Worker,
  type WorkerContext,
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
export { callerOf } from '../http/pipeline/request-context.ts'
export type { EepRoutes, RouteAuth, RouteConfig } from '../http/routes.ts'
export { routeConfig } from '../http/routes.ts'
export type { ErrorContext, ErrorDefinition } from '../kernel/errors.ts'
export { defineError } from '../kernel/errors.ts'
export type { Caller } from '../model/caller.ts'
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

/** A module of the package for `requires` of those of a host, which get its public services: what `app.eep` has. */
export type PublicModule<
  Name extends string,
  Service extends keyof EepServices,
  Events extends readonly EventDefinition[],
> = Module<Name, Pick<EepServices, Service>, Events, Pick<EepServices, Service>>

// Modules that those of a host can require.
/** Registration, sessions and the data of accounts. For `requires` of {@link defineModule}: `create` gets its public services. */
export const accounts: PublicModule<'accounts', 'accounts' | 'hostUsers', typeof accountEvents> = accountsModule
/** API keys. For `requires` of {@link defineModule}: `create` gets its public services. */
export const apiKeys: PublicModule<'api-keys', 'apiKeys', typeof apiKeyEvents> = apiKeysModule
/** Negotiated deals. For `requires` of {@link defineModule}: `create` gets its public services. */
export const commerce: PublicModule<'commerce', 'negotiations', typeof commerceEvents> = commerceModule
/** Followers and connections between profiles. For `requires` of {@link defineModule}: `create` gets its public services. */
export const connections: PublicModule<'connections', 'connections', typeof connectionEvents> = connectionsModule
/** Pages and categories. For `requires` of {@link defineModule}: `create` gets its public services. */
export const content: PublicModule<'content', 'content', typeof contentEvents> = contentModule
/** Uploaded files. For `requires` of {@link defineModule}: `create` gets its public services. */
export const files: PublicModule<'files', 'files', typeof fileEvents> = filesModule
/** Gate configurations. For `requires` of {@link defineModule}: `create` gets its public services. */
export const gates: PublicModule<'gates', 'gates', typeof gateEvents> = gatesModule
/** Background jobs of accounts. For `requires` of {@link defineModule}: `create` gets its public services. */
export const jobs: PublicModule<'jobs', 'jobs', typeof jobEvents> = jobsModule
/** Transcripts of recordings. For `requires` of {@link defineModule}: `create` gets its public services. */
export const media: PublicModule<'media', 'media', typeof mediaEvents> = mediaModule
/** Access decisions, offers and payments. For `requires` of {@link defineModule}: `create` gets its public services. */
export const paywall: PublicModule<'paywall', 'paywall', readonly []> = paywallModule
/** Profiles. For `requires` of {@link defineModule}: `create` gets its public services. */
export const profiles: PublicModule<'profiles', 'profiles', typeof profileEvents> = profilesModule
/** Reactions to pages. For `requires` of {@link defineModule}: `create` gets its public services. */
export const reactions: PublicModule<'reactions', 'reactions', typeof reactionEvents> = reactionsModule
/** Receipts, sales and refunds. For `requires` of {@link defineModule}: `create` gets its public services. */
export const receipts: PublicModule<'receipts', 'receipts' | 'sales' | 'entitlements', typeof receiptEvents> =
  receiptsModule
/** Subscriptions to plans. For `requires` of {@link defineModule}: `create` gets its public services. */
export const subscriptions: PublicModule<'subscriptions', 'subscriptions', typeof subscriptionEvents> =
  subscriptionsModule
/** Members, invitations and transfers of profiles. For `requires` of {@link defineModule}: `create` gets its public services. */
export const teams: PublicModule<'teams', 'teams', typeof teamEvents> = teamsModule
/** Trust scores. For `requires` of {@link defineModule}: `create` gets its public services. */
export const trust: PublicModule<'trust', 'trust', readonly []> = trustModule
