/** A value of each field of a profile, with a word that nothing else contains. */
export const FIELDS = {
  bio: 'A zz-bio.',
  avatar_url: 'https://pictures.example/zz-avatar.png',
  cover_url: 'https://pictures.example/zz-cover.png',
  accent: '#c0ffee',
  skills: ['zz-skill'],
  socials: { github: 'https://code.example/zz-social' },
  keywords: ['zz-keyword'],
  agent_instructions: 'A zz-instruction.',
  agent_rules: 'A zz-rule.',
  capabilities: ['hireable'],
  custom_fields: { color: 'zz-custom' },
  type_data: { headline: 'A zz-headline' },
} as const

export type Field = keyof typeof FIELDS

// The keys are those of the literal above.
export const FIELD_NAMES = Object.keys(FIELDS) as Field[]

/** What discloses a field in a document of any format. */
export const TRACES: Readonly<Record<Field, RegExp>> = {
  bio: /zz-bio/,
  avatar_url: /zz-avatar/,
  cover_url: /zz-cover/,
  accent: /c0ffee/i,
  skills: /zz-skill/,
  socials: /zz-social/,
  keywords: /zz-keyword/,
  agent_instructions: /zz-instruction/,
  agent_rules: /zz-rule/,
  capabilities: /takes on work|hireable/i,
  custom_fields: /zz-custom/,
  type_data: /zz-headline/,
}
