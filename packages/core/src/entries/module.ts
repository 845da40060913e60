// What modules of a host are made of.
export { type CoreEventDefinitions, coreEvents } from '../framework/composition/events.ts'

import type { PublicModule } from '../framework/module/define-module.ts'
import { gates as gatesModule } from '../modules/access/gates/module.ts'
import { paywall as paywallModule } from '../modules/access/paywall/module.ts'
import { receipts as receiptsModule } from '../modules/access/receipts/module.ts'
import { subscriptions as subscriptionsModule } from '../modules/access/subscriptions/module.ts'
import { jobs as jobsModule } from '../modules/jobs/module.ts'
import { accounts as accountsModule } from '../modules/people/accounts/module.ts'
import { apiKeys as apiKeysModule } from '../modules/people/api-keys/module.ts'
import { teams as teamsModule } from '../modules/people/teams/module.ts'
import { connections as connectionsModule } from '../modules/profiles/connections/module.ts'
import { profiles as profilesModule } from '../modules/profiles/profiles/module.ts'
import { trust as trustModule } from '../modules/profiles/trust/module.ts'
import { content as contentModule } from '../modules/publishing/content/module.ts'
import { files as filesModule } from '../modules/publishing/files/module.ts'
import { media as mediaModule } from '../modules/publishing/media/module.ts'
import { reactions as reactionsModule } from '../modules/publishing/reactions/module.ts'
import { commerce as commerceModule } from '../modules/trade/commerce/module.ts'

export type { ModuleContext, TakeOverStep } from '../framework/module/context.ts'
export { type ConsumerOptions, type DurableConsumer, defineConsumer } from '../framework/module/define-consumer.ts'
export {
  type AccountErasure,
  defineModule,
  type Module,
  type ModuleDefinition,
  type PublicModule,
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

// Modules that those of a host can require. They give their public services: what `app.eep` has.
/** Registration, sessions and the data of accounts. For `requires` of {@link defineModule}: `create` gets its public services. */
export const accounts: PublicModule<typeof accountsModule> = accountsModule
/** API keys. For `requires` of {@link defineModule}: `create` gets its public services. */
export const apiKeys: PublicModule<typeof apiKeysModule> = apiKeysModule
/** Negotiated deals. For `requires` of {@link defineModule}: `create` gets its public services. */
export const commerce: PublicModule<typeof commerceModule> = commerceModule
/** Followers and connections between profiles. For `requires` of {@link defineModule}: `create` gets its public services. */
export const connections: PublicModule<typeof connectionsModule> = connectionsModule
/** Pages and categories. For `requires` of {@link defineModule}: `create` gets its public services. */
export const content: PublicModule<typeof contentModule> = contentModule
/** Uploaded files. For `requires` of {@link defineModule}: `create` gets its public services. */
export const files: PublicModule<typeof filesModule> = filesModule
/** Gate configurations. For `requires` of {@link defineModule}: `create` gets its public services. */
export const gates: PublicModule<typeof gatesModule> = gatesModule
/** Background jobs of accounts. For `requires` of {@link defineModule}: `create` gets its public services. */
export const jobs: PublicModule<typeof jobsModule> = jobsModule
/** Transcripts of recordings. For `requires` of {@link defineModule}: `create` gets its public services. */
export const media: PublicModule<typeof mediaModule> = mediaModule
/** Access decisions, offers and payments. For `requires` of {@link defineModule}: `create` gets its public services. */
export const paywall: PublicModule<typeof paywallModule> = paywallModule
/** Profiles. For `requires` of {@link defineModule}: `create` gets its public services. */
export const profiles: PublicModule<typeof profilesModule> = profilesModule
/** Reactions to pages. For `requires` of {@link defineModule}: `create` gets its public services. */
export const reactions: PublicModule<typeof reactionsModule> = reactionsModule
/** Receipts, sales and refunds. For `requires` of {@link defineModule}: `create` gets its public services. */
export const receipts: PublicModule<typeof receiptsModule> = receiptsModule
/** Subscriptions to plans. For `requires` of {@link defineModule}: `create` gets its public services. */
export const subscriptions: PublicModule<typeof subscriptionsModule> = subscriptionsModule
/** Members, invitations and transfers of profiles. For `requires` of {@link defineModule}: `create` gets its public services. */
export const teams: PublicModule<typeof teamsModule> = teamsModule
/** Trust scores. For `requires` of {@link defineModule}: `create` gets its public services. */
export const trust: PublicModule<typeof trustModule> = trustModule
