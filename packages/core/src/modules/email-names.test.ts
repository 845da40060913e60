import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { LANGUAGES, type Language } from '../model/languages.ts'
import { emailFacts } from '../runtime/email/facts.ts'
import { everyModule } from '../testing/every-module.ts'

const definitions = everyModule.flatMap(({ emails }) => emails)

/** Data of an email in which every text is this name. */
function sampleOf(schema: z.core.$ZodType, name: string): unknown {
  const { def } = schema._zod
  if (schema instanceof z.ZodURL) return 'https://profiles.example/x'
  if (schema instanceof z.ZodString) return name
  if (schema instanceof z.ZodNumber) return 3
  if (schema instanceof z.ZodBoolean) return true
  if (schema instanceof z.ZodDate) return new Date('2027-01-31T00:00:00Z')
  if (schema instanceof z.ZodEnum) return schema.options[0]
  if (schema instanceof z.ZodLiteral) return schema.value
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return sampleOf(schema.def.innerType, name)
  if (schema instanceof z.ZodArray) return [sampleOf(schema.element, name)]
  if (schema instanceof z.ZodUnion) return sampleOf(schema.options[0] as z.core.$ZodType, name)
  if (schema instanceof z.ZodObject) {
    const members = Object.entries(schema.shape as Record<string, z.core.$ZodType>)
    return Object.fromEntries(members.map(([key, member]) => [key, sampleOf(member, name)]))
  }
  throw new Error(`no sample of ${def.type}`)
}

/** A name that is read in the other direction than the texts of a language. */
const foreignName = (language: Language) => (language === 'ar' ? 'Zora' : 'ليلى')

describe.each(LANGUAGES)('emails in %s', (language) => {
  it.each(definitions.map((definition) => [definition.kind, definition] as const))(
    'isolate every name that their sentences take: %s',
    (_, definition) => {
      const name = foreignName(language)
      const data = definition.data.parse(sampleOf(definition.data, name))
      const { subject, preheader = '', paragraphs } = definition.write({ language }, data, emailFacts(language, name))
      const bare = [subject, preheader, ...paragraphs]
        // A text of one name is not a sentence, also with a full stop.
        .filter((text) => text.replace(/[.。]$/, '') !== name)
        .filter((text) => text.replaceAll(`\u2068${name}\u2069`, '').includes(name))
      expect(bare).toEqual([])
    },
  )
})
