/** The organization of the demo, which sells. */
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

/** A second bulletin, so that the day pass opens more than one page. */
export const WEEKEND_PAGE = {
  title: 'Weekend outlook',
  slug: 'weekend-outlook',
  excerpt: 'Saturday and Sunday for day sailors: which of the two to take.',
  body: `**Take Sunday.**

- **Saturday**: the swell of the front is still there, 2 m on the bar until noon. Wind NW 5, in showers 6.
- **Sunday**: a ridge passes. W 3, sea 0.8 m, dry, and the clearest air of the month. Back wind from the south after 18:00.

The bar breaks at low water on both days: 05:40 and 18:05 on Saturday, 06:30 and 18:55 on Sunday.
`,
}

export const CLOUD_PAGE = {
  title: 'Five clouds worth knowing',
  slug: 'five-clouds',
  excerpt: 'Most skies repeat themselves. These five mean something.',
  body: `You can sail for years with the names of five clouds.

| cloud                  | what follows                         |
| ---------------------- | ------------------------------------ |
| mares' tails, hooked   | a warm front within a day            |
| a ring around the moon | the same front, six hours closer     |
| castles before noon    | thunder in the afternoon             |
| a flat roll on the sea | the wind turns within the hour       |
| small fair-weather wool | nothing, until it grows taller than wide |

The third is the one that catches people at anchor. If the castles are up by ten, choose another bay.
`,
}

/** For readers who follow the desk. */
export const CREW_PAGE = {
  title: 'What we got wrong this autumn',
  slug: 'what-we-got-wrong',
  excerpt: 'Two forecasts that missed, and why.',
  body: `Followers get this page because they were out there with our numbers.

**14 September.** We wrote SW 5 and it blew 8 for two hours. A second front followed it, which only the buoy west of us saw, and
we looked at the buoy an hour too late. We now read it every half hour when the glass falls.

**2 October.** We wrote fog until noon and it was gone at eight. There were no complaints. It was still wrong.

Of 61 outlooks since August, 57 had the wind within one force.
`,
}

export const CREW = { name: 'Crew', description: 'For everybody who follows the desk.' }

/** Guides are free, a day of bulletins costs a cent, a month of them is paid by card, and the crew follows the desk. */
export const GATES = {
  default_tier: 'free',
  tiers: {
    free: { label: 'Free', requirements: [], access: ['profile.*', 'content.guides.*', 'files.*'] },
    day_pass: {
      label: 'Day pass',
      description: 'Every bulletin for 24 hours.',
      requirements: [{ type: 'payment' as const, amount: 0.01, currency: 'usdc', per: 'day' as const }],
      access: ['content.bulletins.*'],
    },
    month: {
      label: 'A month of bulletins',
      description: 'Every bulletin for a month. It ends by itself.',
      requirements: [{ type: 'payment' as const, amount: 4.9, currency: 'eur', per: 'month' as const }],
      access: ['content.bulletins.*'],
    },
    crew: {
      label: 'Followers',
      requirements: [{ type: 'connection' as const, relation: 'follower' as const }],
      access: ['content.crew.*'],
    },
  },
}

export const POSTS = [
  'The glass fell nine hectopascals since midnight. If you lie on the outer quay, double the lines before lunch. #storm',
  'New in the guides: five clouds worth knowing. Number three is the one that catches people at anchor. #weather',
  'Open house on Saturday: come up the stairs and see the old barograph draw its line. Coffee is on us. #harbour',
]
