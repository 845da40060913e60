// What modules of a host are made of.
export { type CoreEventDefinitions, coreEvents } from '../framework/composition/events.ts'

import { publicToken } from '../framework/public-token.ts'

export type { ModuleContext, TakeOverStep } from '../framework/module/context.ts'
export { type ConsumerOptions, type DurableConsumer, defineConsumer } from '../framework/module/define-consumer.ts'
export { defineModule } from '../framework/module/define-host-module.ts'
export type {
  AccountErasure,
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
export { callerOf } from '../http/pipeline/request-context.ts'
export type { EepRoutes, RouteAuth, RouteConfig } from '../http/routes.ts'
export { routeConfig } from '../http/routes.ts'
export type { ErrorContext, ErrorDefinition } from '../kernel/errors.ts'
export { defineError } from '../kernel/errors.ts'
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
export const accounts = publicToken<'accounts' | 'hostUsers', 'accounts'>('accounts')
/** API keys. For `requires` of {@link defineModule}: `create` gets its public services. */
export const apiKeys = publicToken<'apiKeys', 'api-keys'>('api-keys')
/** Negotiated deals. For `requires` of {@link defineModule}: `create` gets its public services. */
export const commerce = publicToken<'negotiations', 'commerce'>('commerce')
/** Followers and connections between profiles. For `requires` of {@link defineModule}: `create` gets its public services. */
export const connections = publicToken<'connections', 'connections'>('connections')
/** Pages and categories. For `requires` of {@link defineModule}: `create` gets its public services. */
export const content = publicToken<'content', 'content'>('content')
/** Uploaded files. For `requires` of {@link defineModule}: `create` gets its public services. */
export const files = publicToken<'files', 'files'>('files')
/** Gate configurations. For `requires` of {@link defineModule}: `create` gets its public services. */
export const gates = publicToken<'gates', 'gates'>('gates')
/** Background jobs of accounts. For `requires` of {@link defineModule}: `create` gets its public services. */
export const jobs = publicToken<'jobs', 'jobs'>('jobs')
/** Transcripts of recordings. For `requires` of {@link defineModule}: `create` gets its public services. */
export const media = publicToken<'media', 'media'>('media')
/** Access decisions, offers and payments. For `requires` of {@link defineModule}: `create` gets its public services. */
export const paywall = publicToken<'paywall', 'paywall'>('paywall')
/** Profiles. For `requires` of {@link defineModule}: `create` gets its public services. */
export const profiles = publicToken<'profiles', 'profiles'>('profiles')
/** Reactions to pages. For `requires` of {@link defineModule}: `create` gets its public services. */
export const reactions = publicToken<'reactions', 'reactions'>('reactions')
/** Receipts, sales and refunds. For `requires` of {@link defineModule}: `create` gets its public services. */
export const receipts = publicToken<'receipts' | 'sales' | 'entitlements', 'receipts'>('receipts')
/** Subscriptions to plans. For `requires` of {@link defineModule}: `create` gets its public services. */
export const subscriptions = publicToken<'subscriptions', 'subscriptions'>('subscriptions')
/** Members, invitations and transfers of profiles. For `requires` of {@link defineModule}: `create` gets its public services. */
export const teams = publicToken<'teams', 'teams'>('teams')
/** Trust scores. For `requires` of {@link defineModule}: `create` gets its public services. */
export const trust = publicToken<'trust', 'trust'>('trust')
