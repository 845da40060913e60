import { expect, it } from 'vitest'
import type { GateConfig } from '../../../model/gate-config.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { blankProfile } from './new-profile.ts'
import { safePart } from './safe-part.ts'
import { createShownFields } from './shown-fields.ts'

const AT = new Date('2026-01-02T03:04:05.000Z')
const PROFILE: Profile = {
  ...blankProfile({ ownerAccountId: 'a', type: 'person', username: 'ada', fullName: null, at: AT }),
  id: 1,
  bio: 'The bio',
  updatedAt: AT,
  withdrawnAt: null,
}

const sold = (amount: number, name: string) => ({
  requirements: [{ type: 'payment' as const, amount, currency: 'usdc', per: 'day' as const }],
  access: [name],
})
const GATES: GateConfig = {
  default_tier: 'public',
  tiers: {
    public: { requirements: [], access: ['content.*'] },
    bio: sold(100, 'profile.bio'),
    list: sold(1, 'bio.list'),
  },
}

/** The start of a service refuses a part with the key of a field; what it opens is decided by its name in gates even so. */
const part = safePart(
  {
    part: {
      key: 'bio',
      after: 'about',
      limit: 1,
      resource: 'bio.list',
      title: () => 'Notes',
      load: async () => [],
      markdown: ([note]) => String(note),
    },
    module: 'bio',
    isOfHost: true,
  },
  () => {},
)

function shown() {
  const parts = [{ part, items: ['The note'] }]
  return createShownFields(
    { profile: PROFILE, gates: GATES, parts, linkKeys: { keyOf: () => 'key' } },
    'https://profiles.example',
  )
}

const OF_FIELD = new Set(['profile.bio'])
const OF_PART = new Set(['bio.list'])

it.each([
  ['the part', OF_PART, 'The note', 'The bio'],
  ['the field', OF_FIELD, 'The bio', 'The note'],
])('opens %s alone, also after the other one was opened from the cache', (_what, open, visible, hidden) => {
  const { shownWith } = shown()
  const other = open === OF_PART ? OF_FIELD : OF_PART
  for (const opened of [open, other, open]) {
    const text = shownWith(opened).document.markdown()
    expect(text.includes(visible)).toBe(opened === open)
    expect(text.includes(hidden)).toBe(opened !== open)
  }
})
