import type { ScreenTexts } from '../../../../framework/module/screen.ts'
import { textOf } from '../../../../framework/module/screen-form.ts'
import type { JsonObject } from '../../../../kernel/json.ts'
import { isRecord } from '../../../../model/field-values.ts'
import type { TypeField } from './field-kinds.ts'

/** Begins the names of the inputs of a member: `t.venue`, and `t.price.amount` for its parts. */
export const TYPE_INPUT = 't.'

/** The parts of an address that the form offers; an address may have others. */
export const ADDRESS_PARTS = ['street', 'postal_code', 'city', 'region', 'country'] as const

/** The names of the parts of a member: those that it has, after those that the form offers. */
export const partsOf = (stored: unknown): readonly string[] => [
  ...new Set([...ADDRESS_PARTS, ...(isRecord(stored) ? Object.keys(stored) : [])]),
]

const MOMENT = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(?::00(?:\.0+)?)?(.*)$/

/** The time of a moment without its offset, for an input. The offset is in {@link offsetOf}. */
export const localTimeOf = (moment: unknown): string => (typeof moment === 'string' && MOMENT.exec(moment)?.[1]) || ''

/** The offset of a moment: `Z`, `+09:00`; empty for a time of the time zone of the event. */
export const offsetOf = (moment: unknown): string => (typeof moment === 'string' && MOMENT.exec(moment)?.[2]) || ''

/** Adds the offset of a stored moment to a time; with an offset, seconds are required. */
const withOffsetOf = (stored: unknown, time: string): string => {
  const offset = offsetOf(stored)
  return offset === '' ? time : `${time}:00${offset}`
}

/** Returns a value as an input of one line shows it. */
export const lineOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

/** Returns a list as an input shows it: one on each line. */
export const listText = (value: unknown): string => (Array.isArray(value) ? value.map(String).join('\n') : '')

/** Returns a value as JSON for an input; empty for none. */
export const jsonText = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value, null, 2))

const asLines = (text: string) =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** The value of an input with JSON. A text that is not JSON is returned as it is, and refused by the schema. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const numberOr = (text: string): number | string => {
  const value = Number(text)
  return text.trim() === '' || Number.isNaN(value) ? text : value
}

/** Reads one member from a form: null removes it, undefined leaves it as it is. */
function readField(field: TypeField, texts: ScreenTexts, stored: unknown): unknown {
  const name = `${TYPE_INPUT}${field.name}`
  const part = (key: string) => textOf(texts, `${name}.${key}`)?.trim()
  switch (field.kind) {
    case 'money': {
      const [amount, currency] = [part('amount'), part('currency')]
      if (amount === undefined && currency === undefined) return undefined
      return amount ? { amount, currency: currency ?? '' } : null
    }
    case 'numbers': {
      const values = field.names.map((key) => [key, part(key)] as const)
      if (values.every(([, text]) => text === undefined)) return undefined
      const given = values.filter(([, text]) => text)
      return given.length === 0 ? null : Object.fromEntries(given.map(([key, text]) => [key, numberOr(text ?? '')]))
    }
    case 'parts': {
      const values = partsOf(stored).map((key) => [key, part(key)] as const)
      if (values.every(([, text]) => text === undefined)) return undefined
      const given = values.filter(([, text]) => text)
      return given.length === 0 ? null : Object.fromEntries(given)
    }
    default:
  }
  const text = textOf(texts, name)
  if (text === undefined) return undefined
  const trimmed = text.trim()
  if (trimmed === '') return null
  switch (field.kind) {
    case 'list':
      return asLines(text)
    case 'number':
      return numberOr(trimmed)
    case 'lineOrNumber':
      if (trimmed === lineOf(stored)) return stored
      return /^\d{1,9}$/.test(trimmed) ? Number(trimmed) : trimmed
    case 'truth':
      return trimmed === 'true'
    case 'json':
      return parsed(trimmed)
    case 'moment':
      // Values that did not change stay exactly as they were.
      return trimmed === localTimeOf(stored) ? stored : withOffsetOf(stored, trimmed)
    case 'area':
      return text.replaceAll('\r\n', '\n')
    default:
      return trimmed
  }
}

/** Returns the members of `type_data` that a form changes. */
export const changesOf = (fields: readonly TypeField[], texts: ScreenTexts, stored: JsonObject): JsonObject =>
  Object.fromEntries(
    fields
      .map((field) => [field.name, readField(field, texts, stored[field.name])] as const)
      .filter(([, value]) => value !== undefined),
  ) as JsonObject

/** Begins the names of the inputs of custom fields. */
export const CUSTOM_INPUT = 'c.'

/** Whether a custom field has an input: a text of one or several lines, a number or a boolean. Others are kept as they are. */
export const isEnterable = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** Returns a text as the kind of value that the field had. */
function likeBefore(text: string, before: unknown): string | number | boolean {
  if (typeof before === 'number') return numberOr(text)
  if (typeof before === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text.replaceAll('\r\n', '\n')
}

/**
 * Returns the custom fields of a profile after a form: those without an input stay as they are, empty ones are removed, and new ones
 * follow.
 *
 * @param added - names and values of new fields
 */
export function customFieldsOf(
  stored: JsonObject,
  texts: ScreenTexts,
  added: readonly (readonly [string, string])[],
): JsonObject {
  const kept = Object.entries(stored).flatMap(([name, value]) => {
    const text = isEnterable(value) ? textOf(texts, `${CUSTOM_INPUT}${name}`) : undefined
    if (text === undefined || text === String(value)) return [[name, value] as const]
    return text.trim() === '' ? [] : [[name, likeBefore(text, value)] as const]
  })
  const fresh = added.map(([name, value]) => [name.trim(), value] as const).filter(([name]) => name !== '')
  return Object.fromEntries([...kept, ...fresh]) as JsonObject
}
