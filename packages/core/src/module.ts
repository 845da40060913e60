/** What modules of a host are made of. */

export { defineEvent, type EventDefinition, on } from './events/define-event.ts'
export { callerOf } from './http/request-context.ts'
export type { EepRoutes, RouteAuth, RouteFacts } from './http/routes.ts'
export { facts } from './http/routes.ts'
export type { ErrorContext, ErrorDefinition } from './kernel/errors.ts'
export { defineError } from './kernel/errors.ts'
export type { Caller } from './model/caller.ts'
export type { ModuleContext, TakeOverStep } from './module/context.ts'
export {
  type AccountErasure,
  defineModule,
  type Module,
  type ModuleDefinition,
  type ReadinessCheck,
  type RouteContext,
  type Worker,
  type WorkerContext,
} from './module/define-module.ts'
export { accounts } from './modules/accounts/module.ts'
export { content } from './modules/content/module.ts'
export { files } from './modules/files/module.ts'
export { gates } from './modules/gates/module.ts'
export { jobs } from './modules/jobs/module.ts'
export { paywall } from './modules/paywall/module.ts'
export { profiles } from './modules/profiles/module.ts'
export { receipts } from './modules/receipts/module.ts'
export { trust } from './modules/trust/module.ts'
