import { z } from 'zod'
import type { JsonObject } from '../kernel/json.ts'
import { isStorable, STORABLE } from '../kernel/text-fields.ts'

/** An http or https URL. The URL parser accepts line breaks, so they are rejected separately. */
export const webUrl = z
  .url({ protocol: /^https?$/, error: 'Must be a URL that starts with http:// or https://' })
  .max(2048)
  .regex(/^[^\s\p{Cc}<>"]+$/u, 'Contains characters that are not valid in a URL')

export const secureUrl = webUrl.regex(/^https:/, 'Must be a URL that starts with https://')

const MAX_BYTES = 16_384
const MAX_DEPTH = 6

/** Returns the problem of a JSON value. Values below the permitted depth are not visited. */
function troubleIn(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : STORABLE
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'Contains a number that is too large'
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > MAX_DEPTH) return `Nested more than ${MAX_DEPTH} levels deep`
  for (const [key, member] of Object.entries(value)) {
    const trouble = (isStorable(key) ? undefined : STORABLE) ?? troubleIn(member, depth + 1)
    if (trouble) return trouble
  }
  return undefined
}

/** Adds an issue for a value that cannot be stored, or is too large. */
export function checkJson(value: object, context: z.RefinementCtx): void {
  const trouble =
    troubleIn(value, 1) ?? (byteLength(value) > MAX_BYTES ? `Larger than ${MAX_BYTES} bytes of JSON` : undefined)
  if (trouble) context.addIssue({ code: 'custom', message: trouble })
}

/** A free-form object: at most 16 KB of JSON, nested at most 6 levels deep. */
export const jsonObject = z
  .record(z.string().max(128), z.unknown())
  .superRefine(checkJson)
  .transform((value) => value as JsonObject)

const byteLength = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

/** An amount of money: a decimal amount and a currency code. */
export const money = z.strictObject({
  amount: z.union([z.number().min(0).max(1e12), z.string().regex(/^\d{1,12}(\.\d{1,8})?$/, 'A decimal amount')]),
  currency: z.string().regex(/^[A-Za-z]{3,5}$/, 'A currency code such as EUR'),
})

export const unique = (items: readonly unknown[]) => new Set(items).size === items.length
