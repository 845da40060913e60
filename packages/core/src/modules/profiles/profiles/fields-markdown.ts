import { inline, list } from '../../../kernel/markdown.ts'
import { amountOf, isRecord, MAX_DEPTH, saysNothing, wordsOf } from '../../../model/field-values.ts'

const ADDRESS = /^https:\/\/[^\s\p{Cc}<>\\]+$/u

/** URLs are kept unchanged. Other text is escaped, so that it cannot contain Markdown. */
const written = (text: string) => (ADDRESS.test(text) ? `<${text}>` : inline(text))

function writeValue(value: unknown, depth: number): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value !== 'object' || value === null) return String(value ?? '')
  if (depth > MAX_DEPTH) return JSON.stringify(value)
  const within = (inner: unknown) => {
    const text = writeValue(inner, depth + 1)
    return isRecord(inner) && amountOf(inner) === undefined ? `(${text})` : text
  }
  if (!isRecord(value)) return Array.isArray(value) ? value.map(within).join(', ') : ''
  const members = () => Object.entries(value).map(([name, member]) => `${wordsOf(name)}: ${within(member)}`)
  return amountOf(value) ?? members().join('; ')
}

/** The members of an object as a Markdown list, without empty ones. Values are escaped, so they cannot add structure. */
export const fieldsMarkdown = (fields: Readonly<Record<string, unknown>>): string =>
  list(
    Object.entries(fields)
      .filter(([, value]) => !saysNothing(value))
      .map(([name, value]) => `${inline(wordsOf(name))}: ${written(writeValue(value, 1))}`),
  )
