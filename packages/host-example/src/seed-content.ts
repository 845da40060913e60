/** The profile of the demo. */
export const DEMO_PROFILE = {
  fullName: 'Harbour Weather Desk',
  bio: 'Two people and a barometer, since 1987. We write down what the sky over the harbour does next, for skippers and for the agents who plan for them.',
  skills: ['marine weather', 'storm warning', 'tide tables'],
  keywords: ['weather', 'harbour', 'sailing'],
  agentInstructions:
    'Read the guides freely. For what happens in the next 24 hours buy the storm outlook; one payment covers every bulletin for a day.',
  capabilities: ['purchasable', 'agent_compatible'],
  typeData: { industry: 'Marine weather', founded: 1987, size: 2, headquarters: 'The old pilot station' },
}

export const GUIDES = { name: 'Guides', description: 'How to read the weather yourself.' }
export const BULLETINS = { name: 'Bulletins', description: 'What comes next, updated at dawn.' }

export const OPEN_PAGE = {
  title: 'Reading a barometer',
  slug: 'reading-a-barometer',
  excerpt: 'Three habits that make a barometer worth its brass.',
  body: `A barometer says little at a glance and a lot over a day.

1. **Write it down.** Every three hours, always at the same hours. One reading is a number; four are a forecast.
2. **Watch the pace.** One hectopascal an hour is wind. Two an hour is a gale, and time to double the lines.
3. **Look up.** A falling glass under a high, thin veil means a warm front within a day.

For what the glass says today, there is the storm outlook.
`,
}

export const GATED_PAGE = {
  title: 'Storm outlook',
  slug: 'storm-outlook',
  excerpt: 'The next 24 hours for small craft: wind, sea, and when to be back.',
  body: `**Small craft: be in by 17:00.**

| hours       | wind           | sea   | glass        |
| ----------- | -------------- | ----- | ------------ |
| 06:00–12:00 | SW 4           | 1.0 m | 1009 falling |
| 12:00–17:00 | SW 5, gusts 7  | 1.8 m | 1004 falling |
| 17:00–24:00 | W 7, gusts 9   | 3.2 m | 996 falling  |
| 00:00–06:00 | NW 6, easing   | 2.5 m | 1003 rising  |

The front passes the harbour at about 19:00. The swell stays a day longer than the wind.
`,
}

/** The guides are public; a day of bulletins costs a cent. */
export const GATES = {
  default_tier: 'free',
  tiers: {
    free: { label: 'Free', requirements: [], access: ['profile.*', 'content.guides.*'] },
    day_pass: {
      label: 'Day pass',
      description: 'Every bulletin for 24 hours.',
      requirements: [{ type: 'payment' as const, amount: 0.01, currency: 'usdc', per: 'day' as const }],
      access: ['content.bulletins.*'],
    },
  },
}
