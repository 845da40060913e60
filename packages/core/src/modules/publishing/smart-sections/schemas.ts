import { z } from 'zod'
import { line, prose } from '../../../kernel/text-fields.ts'
import { AGENT_TYPES } from '../../../model/agent-type.ts'
import { unique } from '../../../model/profile-values.ts'
import type { SmartSection } from '../../../ports/storage/smart-sections.ts'
import { smartSection } from '../../profiles/profiles/index.ts'

/** The maximum number of sections of a profile. */
export const MAX_SECTIONS = 20
const MAX_BODY = 5_000
const MAX_POSITION = 1_000

export const sectionParams = z.object({ id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) })

const newSection = z.strictObject({
  key: z
    .string()
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'Of a-z, 0-9 and single hyphens')
    .max(64),
  title: line(128),
  body: prose(MAX_BODY),
  agent_types: z
    .array(z.enum(AGENT_TYPES))
    .min(1)
    .max(AGENT_TYPES.length)
    .refine(unique, 'Each at most once')
    .default(['general'])
    .describe('The types of agents that it is for; general is every agent'),
  position: z.int().min(0).max(MAX_POSITION).optional().describe('Ascending order. Default: its index in the list'),
  visibility: z.enum(['public', 'team']).default('public').describe('team: only the team of the profile sees it'),
})

/** The body of `PUT /profiles/{id}/smart-sections`. */
export const sectionsBody = z.strictObject({
  sections: z
    .array(newSection)
    .max(MAX_SECTIONS)
    .refine((sections) => unique(sections.map(({ key }) => key)), 'Keys must be unique'),
})

export const sectionsAnswer = z.object({ sections: z.array(smartSection) }).meta({ id: 'SmartSections' })

/** Reads the sections of a body. */
export const toSections = ({ sections }: z.output<typeof sectionsBody>): readonly SmartSection[] =>
  sections.map(({ agent_types: agentTypes, position, ...section }, index) => ({
    ...section,
    agentTypes,
    position: position ?? index,
  }))
