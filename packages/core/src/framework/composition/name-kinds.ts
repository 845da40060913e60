import { BASE_PERMISSIONS } from '../../model/permission.ts'
import { BASE_PLAN_LIMITS } from '../../model/plan.ts'
import type { Module } from '../module/define-module.ts'

/** What modules of every service declare in one table, by the name of the module. */
const namesIn = (table: Readonly<Record<string, object>>, { name }: Module) => Object.keys(table[name] ?? {})

/** What modules name, and the names that a module takes. Every name is used once in a service. */
export const NAME_KINDS = {
  scope: ({ scopes }) => scopes.map(({ name }) => name),
  permission: (module) => [...namesIn(BASE_PERMISSIONS, module), ...Object.keys(module.permissions)],
  'plan limit': (module) => [...namesIn(BASE_PLAN_LIMITS, module), ...Object.keys(module.planLimits)],
  'rate group': ({ limits }) => Object.keys(limits),
  event: ({ events }) => events.map(({ type }) => type),
  'kind of notifications': ({ notifications }) => notifications.map(({ kind }) => kind),
  metric: ({ metrics }) => metrics.map(({ name }) => name),
  'part of profiles': ({ profilePart }) => (profilePart ? [profilePart.key] : []),
  'property of app.eep': (module) => Object.keys(module.public),
} as const satisfies Readonly<Record<string, (module: Module) => readonly string[]>>

/** The kind of a name, for errors. */
export type NameKind = keyof typeof NAME_KINDS

/**
 * Returns the names that modules take, each with its module.
 *
 * @internal
 */
export function namesOf(kind: NameKind, modules: readonly Module[]): Readonly<Record<string, string>> {
  return Object.fromEntries(modules.flatMap((module) => NAME_KINDS[kind](module).map((name) => [name, module.name])))
}
