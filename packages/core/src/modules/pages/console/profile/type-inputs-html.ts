import type { ScreenVisit } from '../../../../framework/module/screen.ts'
import { shownText, wrongWith } from '../../../../framework/module/screen-form.ts'
import { type Html, html } from '../../../../http/html/html.ts'
import { areaHtml, lineHtml, selectHtml } from '../../../../http/html/inputs.ts'
import type { JsonObject } from '../../../../kernel/json.ts'
import { isRecord, wordsOf } from '../../../../model/field-values.ts'
import type { ProfileType } from '../../../../model/profile-type.ts'
import { labelOfTypeData } from '../../../profiles/profiles/index.ts'
import { editProfileMessages } from '../messages.ts'
import type { TypeField } from './field-kinds.ts'
import {
  ADDRESS_PARTS,
  CUSTOM_INPUT,
  isEnterable,
  jsonText,
  lineOf,
  listText,
  localTimeOf,
  offsetOf,
  partsOf,
  TYPE_INPUT,
} from './field-values.ts'

const isKnownPart = (name: string): name is (typeof ADDRESS_PARTS)[number] =>
  ADDRESS_PARTS.some((known) => known === name)

/** Writes the input of a member of `type_data`. */
function fieldHtml(visit: ScreenVisit, type: ProfileType, field: TypeField, stored: unknown): Html {
  const { site } = visit
  const say = editProfileMessages(site)
  const name = `${TYPE_INPUT}${field.name}`
  const label = labelOfTypeData(type, field.name, site) ?? html`<bdi>${wordsOf(field.name)}</bdi>`
  const problem = wrongWith(visit, name)
  const line = (value: string, more: Partial<Parameters<typeof lineHtml>[0]> = {}) =>
    lineHtml({ name, label, problem, value: shownText(visit, name, value), ...more })
  /** Inputs for the parts of a member, below its label. */
  const group = (inputs: readonly Html[]) =>
    html`<fieldset><legend>${label}</legend>${problem && html`<p class="wrong">${problem}</p>`}<div class="pair">${inputs}</div></fieldset>\n`
  const part = (key: string, text: string | Html, more: Partial<Parameters<typeof lineHtml>[0]> = {}) => {
    const value = isRecord(stored) ? lineOf(stored[key]) : ''
    const partName = `${name}.${key}`
    return lineHtml({ name: partName, label: text, value: shownText(visit, partName, value), ...more })
  }
  switch (field.kind) {
    case 'money':
      return group([
        part('amount', say('amount'), { inputMode: 'decimal' }),
        part('currency', say('currency'), { maxLength: 5, placeholder: 'EUR', isExact: true }),
      ])
    case 'numbers':
      return group(field.names.map((key) => part(key, html`<bdi>${key}</bdi>`, { inputMode: 'decimal' })))
    case 'parts':
      return group(
        partsOf(stored).map((key) => part(key, isKnownPart(key) ? say(key) : html`<bdi>${wordsOf(key)}</bdi>`)),
      )
    case 'list':
      return areaHtml({
        name,
        label,
        problem,
        hint: say('onePerLine'),
        rows: 3,
        value: shownText(visit, name, listText(stored)),
      })
    case 'area':
      return areaHtml({
        name,
        label,
        problem,
        rows: 5,
        maxLength: field.maxLength,
        value: shownText(visit, name, lineOf(stored)),
      })
    case 'json':
      return areaHtml({
        name,
        label,
        problem,
        hint: say('json'),
        rows: 4,
        isCode: true,
        value: shownText(visit, name, jsonText(stored)),
      })
    case 'moment': {
      const offset = offsetOf(stored)
      const hint = offset === '' ? say('zoneOfEvent') : say('zoneOf', { zone: offset === 'Z' ? 'UTC' : `UTC${offset}` })
      return line(localTimeOf(stored), { type: 'datetime-local', hint })
    }
    case 'truth':
      return selectHtml({
        name,
        label,
        problem,
        choices: [
          { value: '', label: '—', isChosen: shownText(visit, name, lineOf(stored)) === '' },
          { value: 'true', label: say('yes'), isChosen: shownText(visit, name, String(stored)) === 'true' },
          { value: 'false', label: say('no'), isChosen: shownText(visit, name, String(stored)) === 'false' },
        ],
      })
    case 'choice':
      return selectHtml({
        name,
        label,
        problem,
        choices: ['', ...field.values].map((value) => ({
          value,
          label: value === '' ? '—' : wordsOf(value),
          isChosen: shownText(visit, name, lineOf(stored)) === value,
        })),
      })
    case 'number':
      return line(lineOf(stored), { inputMode: 'decimal' })
    case 'url':
      return line(lineOf(stored), { type: 'url', maxLength: field.maxLength })
    default:
      return line(lineOf(stored), {
        maxLength: field.kind === 'line' ? field.maxLength : undefined,
        ...(field.name === 'timezone' && { offers: Intl.supportedValuesOf('timeZone'), placeholder: 'Europe/Berlin' }),
      })
  }
}

/** Writes the inputs of the members of `type_data`. */
export const typeInputsHtml = (
  visit: ScreenVisit,
  type: ProfileType,
  fields: readonly TypeField[],
  stored: JsonObject,
): Html => html`${fields.map((field) => fieldHtml(visit, type, field, stored[field.name]))}`

/** How many new custom fields one form takes. */
const NEW_FIELDS = 2

/** Writes the inputs of custom fields, and empty ones for new fields. Fields without an input are named. */
export function customInputsHtml(visit: ScreenVisit, stored: JsonObject): Html {
  const say = editProfileMessages(visit.site)
  const inputs = Object.entries(stored).map(([name, value]) => {
    if (!isEnterable(value)) {
      return html`<p class="field"><b><bdi>${name}</bdi></b><span class="hint">${say('keptField')}</span></p>\n`
    }
    const input = `${CUSTOM_INPUT}${name}`
    return lineHtml({ name: input, label: html`<bdi>${name}</bdi>`, value: shownText(visit, input, String(value)) })
  })
  const added = Array.from({ length: NEW_FIELDS }, (_, index) => {
    const [name, value] = [`new_name_${index}`, `new_value_${index}`]
    return html`<div class="pair">${lineHtml({ name, label: say('newFieldName'), value: shownText(visit, name, ''), maxLength: 128 })}${lineHtml({ name: value, label: say('newFieldValue'), value: shownText(visit, value, ''), maxLength: 1_000 })}</div>`
  })
  return html`${inputs}${added}`
}

/** The names and values of new custom fields in a form. */
export const newFields = (texts: Readonly<Record<string, unknown>>): readonly (readonly [string, string])[] =>
  Array.from({ length: NEW_FIELDS }, (_, index) => [
    String(texts[`new_name_${index}`] ?? ''),
    String(texts[`new_value_${index}`] ?? ''),
  ])
