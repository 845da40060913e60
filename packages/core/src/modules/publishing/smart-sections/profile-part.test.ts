import { expect, it } from 'vitest'
import type { SmartSection } from '../../../ports/storage/smart-sections.ts'
import { sectionsFor } from './profile-part.ts'

const section = (key: string, agentTypes: SmartSection['agentTypes'], others: Partial<SmartSection> = {}) => ({
  key,
  title: key,
  body: '',
  agentTypes,
  position: 0,
  visibility: 'public' as const,
  ...others,
})
const keys = (sections: readonly SmartSection[]) => sections.map(({ key }) => key)

const sections = [
  section('all', ['general'], { position: 1 }),
  section('jobs', ['recruiter'], { position: 9 }),
  section('both', ['recruiter', 'general'], { position: 10 }),
  section('prices', ['sales']),
  section('salary', ['recruiter'], { visibility: 'team' }),
]

it('returns the sections for the type of the reader first, then those for every agent', () => {
  expect(keys(sectionsFor(sections, { agentType: 'recruiter' }))).toEqual(['jobs', 'both', 'all'])
  expect(keys(sectionsFor(sections, { agentType: 'sales' }))).toEqual(['prices', 'all', 'both'])
  expect(keys(sectionsFor(sections, { agentType: 'support' }))).toEqual(['all', 'both'])
})

it('returns only the sections for every agent to a reader without a type', () => {
  expect(keys(sectionsFor(sections, {}))).toEqual(['all', 'both'])
})

it('returns sections of the team to the team only', () => {
  expect(keys(sectionsFor(sections, { agentType: 'recruiter', isTeam: true }))).toEqual([
    'salary',
    'jobs',
    'both',
    'all',
  ])
})
