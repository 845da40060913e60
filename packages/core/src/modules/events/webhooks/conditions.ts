import { z } from 'zod'
import type { JsonObject } from '../../../kernel/json.ts'
import type { Webhook } from '../../../ports/storage/webhooks.ts'

const PATH = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+){0,7}$/
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])

const path = z
  .string()
  .max(256)
  .regex(PATH, 'Must be up to eight names joined by dots, such as data.page_id')
  .refine((text) => !text.split('.').some((name) => FORBIDDEN.has(name)), 'Refers to a field that no event has')

const scalar = z.union([z.string().max(1_024), z.number(), z.boolean(), z.null()])
const list = z.array(scalar).min(1).max(100)

const condition = z.discriminatedUnion('op', [
  z.strictObject({ path, op: z.enum(['eq', 'ne']), value: scalar }),
  z.strictObject({ path, op: z.enum(['in', 'nin']), value: list }),
  z.strictObject({ path, op: z.literal('prefix'), value: z.string().max(1_024) }),
  z.strictObject({ path, op: z.literal('exists'), value: z.boolean().optional() }),
  z.strictObject({ path, op: z.enum(['gt', 'lt']), value: z.union([z.number(), z.string().max(64)]) }),
])

/** Conditions on the envelope of an event, of which all or any must hold. */
export const conditionsSchema = z.strictObject({
  match: z.enum(['all', 'any']),
  conditions: z.array(condition).min(1).max(20),
})

export type Conditions = z.output<typeof conditionsSchema>
type Condition = Conditions['conditions'][number]

/** Returns the conditions of a stored webhook. */
export const conditionsOf = ({ filter }: Pick<Webhook, 'filter'>): Conditions | null =>
  // `conditionsSchema` checked them before they were stored.
  filter as unknown as Conditions | null

function valueAt(envelope: JsonObject, path: string): unknown {
  let value: unknown = envelope
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return value
}

/** Whether the first value is greater than the second. False for values of different types. */
const isMore = (left: unknown, right: unknown) =>
  (typeof left === 'number' && typeof right === 'number' && left > right) ||
  (typeof left === 'string' && typeof right === 'string' && left > right)

function holds(condition: Condition, value: unknown): boolean {
  switch (condition.op) {
    case 'eq':
      return value === condition.value
    case 'ne':
      return value !== condition.value
    case 'in':
      return condition.value.some((one) => one === value)
    case 'nin':
      return !condition.value.some((one) => one === value)
    case 'prefix':
      return typeof value === 'string' && value.startsWith(condition.value)
    case 'exists':
      return (value !== undefined) === (condition.value ?? true)
    case 'gt':
      return isMore(value, condition.value)
    case 'lt':
      return isMore(condition.value, value)
  }
}

/** Whether an envelope meets conditions. Values of different types are never equal. */
export function meets(envelope: JsonObject, { match, conditions }: Conditions): boolean {
  const each = (condition: Condition) => holds(condition, valueAt(envelope, condition.path))
  return match === 'all' ? conditions.every(each) : conditions.some(each)
}
