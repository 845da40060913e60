import type { ProfileType } from '../../../model/profile-type.ts'

/** The types with suggestions. Custom profiles have none. */
export const SUGGESTED_TYPES = [
  'person',
  'organization',
  'place',
  'asset',
  'product',
  'knowledge',
  'agent',
  'event',
] as const satisfies readonly ProfileType[]

/** A suggested category. */
export interface SuggestedCategory {
  readonly name: string
  readonly slug: string
  readonly icon: string
  readonly description: string
}

type Line = readonly [name: string, slug: string, icon: string, description: string]

const SUGGESTIONS: Readonly<Record<(typeof SUGGESTED_TYPES)[number], readonly Line[]>> = {
  person: [
    ['About me', 'about', '👤', 'Who I am, how I came here and how to reach me'],
    ['Projects', 'projects', '🛠️', 'What I have made and what I am working on'],
    ['Writing', 'writing', '✍️', 'Articles, essays and notes'],
    ['Talks', 'talks', '🎤', 'Talks, interviews and recordings'],
    ['Services', 'services', '🤝', 'What I can be hired for, and for how much'],
  ],
  organization: [
    ['About us', 'about', '🏢', 'Mission, history and people'],
    ['Products and services', 'services', '📦', 'What we offer and what it costs'],
    ['News', 'news', '📰', 'Announcements and press releases'],
    ['Careers', 'careers', '💼', 'Open positions and how we work'],
    ['Policies', 'policies', '📜', 'Terms, privacy and compliance'],
    ['Support', 'support', '🛟', 'Answers to common questions, and whom to ask'],
  ],
  place: [
    ['About', 'about', '📍', 'What this place is and what makes it special'],
    ['Visit', 'visit', '🧭', 'Directions, opening hours and accessibility'],
    ['What to do', 'activities', '🎟️', 'Activities, menus and tours'],
    ['Events', 'events', '📅', 'What happens here and when'],
    ['House rules', 'rules', '📋', 'What guests should know'],
  ],
  asset: [
    ['Overview', 'overview', '🏷️', 'What it is and what it is worth'],
    ['Documents', 'documents', '📁', 'Certificates, deeds and appraisals'],
    ['History', 'history', '🕰️', 'Where it comes from and who owned it'],
    ['Maintenance', 'maintenance', '🔧', 'Condition, inspections and repairs'],
  ],
  product: [
    ['Overview', 'overview', '📦', 'What it does and whom it is for'],
    ['Guides', 'guides', '📘', 'How to start and how to get more out of it'],
    ['Specifications', 'specifications', '📐', 'Measures, materials and compatibility'],
    ['Changelog', 'changelog', '🆕', 'What changed in each version'],
    ['Questions', 'faq', '❓', 'What people ask most often'],
    ['Support', 'support', '🛟', 'Warranty, returns and help'],
  ],
  knowledge: [
    ['Introduction', 'introduction', '🧭', 'What this is about and where to begin'],
    ['Articles', 'articles', '📄', 'The subject, one question at a time'],
    ['Guides', 'guides', '🪜', 'Step by step'],
    ['Reference', 'reference', '📚', 'Definitions, tables and facts'],
    ['Sources', 'sources', '🔎', 'What it rests on, and further reading'],
  ],
  agent: [
    ['Overview', 'overview', '🤖', 'What this agent does and who answers for it'],
    ['Skills', 'skills', '🧩', 'Tasks it takes, with inputs and outputs'],
    ['Integration', 'integration', '🔌', 'Endpoints, protocols and examples'],
    ['Policies', 'policies', '🛡️', 'Limits, safety and handling of data'],
    ['Changelog', 'changelog', '🆕', 'What changed in each version'],
  ],
  event: [
    ['About', 'about', '🎉', 'What it is and whom it is for'],
    ['Programme', 'programme', '🗓️', 'Sessions, times and rooms'],
    ['Speakers', 'speakers', '🎤', 'Who takes part'],
    ['Tickets', 'tickets', '🎟️', 'Prices and how to register'],
    ['Travel', 'travel', '🧳', 'Venue, directions and where to stay'],
    ['News', 'news', '📰', 'Updates before, during and after'],
  ],
}

/** Suggested categories for profiles of a type, in order. */
export const suggestedCategories = (type: (typeof SUGGESTED_TYPES)[number]): readonly SuggestedCategory[] =>
  SUGGESTIONS[type].map(([name, slug, icon, description]) => ({ name, slug, icon, description }))
