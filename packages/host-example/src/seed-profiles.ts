import type { ProfileType } from '@eep/core/ports'

/** A profile of the demo beside the organization, with its pages. */
export interface DemoProfile {
  readonly type: ProfileType
  readonly username: string
  readonly fullName: string
  readonly bio: string
  readonly keywords: readonly string[]
  readonly typeData: Readonly<Record<string, unknown>>
  readonly categories?: readonly DemoCategory[] | undefined
  /** The patterns that each tier opens. `files` is replaced by the name of the file of the profile. */
  readonly tickets?: readonly DemoTicket[] | undefined
  readonly file?: { readonly name: string; readonly content: string } | undefined
}

export interface DemoCategory {
  readonly name: string
  readonly description: string
  readonly pages: readonly { readonly title: string; readonly excerpt: string; readonly body: string }[]
}

/** A tier that is paid once. */
export interface DemoTicket {
  readonly tier: string
  readonly label: string
  readonly description: string
  readonly amount: number
  readonly currency: string
  /** What it opens. `file` is the file of the profile. */
  readonly opens: readonly string[]
}

const DAY_MS = 86_400_000

/** The evening of a Saturday at least three weeks after a day, as a date of the calendar. */
function saturdayAfter(today: Date): string {
  const day = new Date(today.getTime() + 21 * DAY_MS)
  day.setUTCDate(day.getUTCDate() + ((6 - day.getUTCDay() + 7) % 7))
  return day.toISOString().slice(0, 10)
}

/** The tides at the harbour for two weeks, computed from the mean interval of 12 hours 25 minutes. */
function tideTable(today: Date): string {
  const lines = ['date,time_utc,tide,height_m']
  const first = Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate(), 2, 10)
  for (let index = 0; index < 54; index += 1) {
    const at = new Date(first + index * 372.5 * 60_000).toISOString()
    const isHigh = index % 2 === 0
    const spring = Math.cos((index / 54) * 2 * Math.PI)
    const height = isHigh ? 2.6 + 0.4 * spring : 0.9 - 0.3 * spring
    lines.push(`${at.slice(0, 10)},${at.slice(11, 16)},${isHigh ? 'high' : 'low'},${height.toFixed(1)}`)
  }
  return `${lines.join('\n')}\n`
}

/** The profiles of the demo beside the organization. */
export const demoProfiles = (today: Date): readonly DemoProfile[] => [
  {
    type: 'place',
    username: 'old-pilot-station',
    fullName: 'The Old Pilot Station',
    bio: 'A brick tower at the end of the north mole, built for the pilots in 1888. The weather desk works on the second floor; the terrace is open to everybody.',
    keywords: ['harbour', 'viewpoint', 'weather'],
    typeData: {
      address: { street: 'North Mole 1', postal_code: '9990', city: 'Skagen', country: 'Denmark' },
      geo: { lat: 57.7179, lng: 10.5966 },
      opening_hours: ['Mon-Fri 09:00-16:00', 'Sat 10:00-14:00', 'In a gale: closed, for good reasons'],
    },
    categories: [
      {
        name: 'Visit',
        description: 'How to get here, and what there is.',
        pages: [
          {
            title: 'Getting to the tower',
            excerpt: 'By foot from the station in twelve minutes, and never along the outer wall.',
            body: 'From the railway station walk towards the fish market and keep the water on your right. The tower is where the mole bends.\n\n- **By bicycle**: racks beside the ice house.\n- **By boat**: guests tie up at the inner quay, six metres at most.\n- **By wheelchair**: the terrace is level with the mole; the desk itself is up 31 steps.\n\nDo not walk on the outer wall when it is wet. The sea comes over it from force 7.\n',
          },
        ],
      },
    ],
  },
  {
    type: 'event',
    username: 'night-of-the-gale',
    fullName: 'The Night of the Gale',
    bio: 'On this evening in 1902 nine boats came home because one man read the glass. The story, where it happened, with the log books on the table.',
    keywords: ['talk', 'history', 'storm'],
    typeData: {
      starts_at: `${saturdayAfter(today)}T19:00`,
      ends_at: `${saturdayAfter(today)}T21:30`,
      timezone: 'Europe/Copenhagen',
      venue: 'The Old Pilot Station, second floor',
    },
    tickets: [
      {
        tier: 'seat',
        label: 'A seat at the table',
        description: 'Forty seats, with soup and bread.',
        amount: 12,
        currency: 'eur',
        opens: ['content.evening.*', 'content.stream.*'],
      },
      {
        tier: 'stream',
        label: 'Listen from home',
        description: 'The talk as a stream, live and for a week after.',
        amount: 0.1,
        currency: 'usdc',
        opens: ['content.stream.*'],
      },
    ],
    categories: [
      {
        name: 'Evening',
        description: 'For guests with a seat.',
        pages: [
          {
            title: 'Your evening',
            excerpt: 'When the doors open, and what to bring.',
            body: 'Doors open at 18:30. Show the number of your receipt at the stairs.\n\n1. **18:30** Soup, and time to look at the log books.\n2. **19:00** The talk, in two parts.\n3. **20:15** The barograph of 1902, which still runs.\n\nBring a warm layer: the windows stay open a hand wide, for the sound.\n',
          },
        ],
      },
      {
        name: 'Stream',
        description: 'For everybody who bought a ticket.',
        pages: [
          {
            title: 'Listen from home',
            excerpt: 'Where the stream is, and when it begins.',
            body: 'The stream begins at 18:55 with the sound of the harbour, so that you can set the volume.\n\nThe address is read out by the desk on channel 12 and is on this page an hour before. It works in every browser, without an account.\n',
          },
        ],
      },
    ],
  },
  {
    type: 'product',
    username: 'tide-clock',
    fullName: 'Tide clock, oak',
    bio: 'One hand, twelve hours and twenty-five minutes a turn. Set it at the next high water and it keeps the time of your harbour for years. Made to order, forty a year.',
    keywords: ['clock', 'tide', 'handmade'],
    typeData: {
      sku: 'HWD-TC-01',
      brand: 'Harbour Weather Desk',
      price: { amount: 129, currency: 'EUR' },
      availability: 'made to order, four weeks',
    },
    categories: [
      {
        name: 'Care',
        description: 'Setting it, and keeping it.',
        pages: [
          {
            title: 'Setting your tide clock',
            excerpt: 'It takes one high water and half a minute.',
            body: 'Wait for high water at your quay, or take the time from the tables. Turn the hand to **HIGH**. That is all.\n\nOnce a month, at full moon, look whether it still agrees. The moon is not perfectly even, so a quarter of an hour is normal.\n\nThe battery is an AA and lasts two years. Oil the oak once a year with what you use for the tiller.\n',
          },
        ],
      },
    ],
  },
  {
    type: 'asset',
    username: 'barometer-no-7',
    fullName: 'Barometer No. 7',
    bio: 'An aneroid of 1911 from the pilot cutter Ternen. It was on board in three rescues and hangs by our door today. Not for sale, often lent.',
    keywords: ['barometer', 'instrument', 'loan'],
    typeData: {
      category: 'Scientific instrument',
      identifier: 'HWD-INV-0007',
      condition: 'working, reads 0.4 hPa low',
      value: { amount: 1850, currency: 'EUR' },
    },
    categories: [
      {
        name: 'History',
        description: 'Where it has been.',
        pages: [
          {
            title: 'Three rescues',
            excerpt: 'What the needle showed on three nights.',
            body: 'The log of the Ternen has the reading of every watch. On three nights it fell more than two hectopascals an hour, and on each of them the cutter was out before the flare.\n\n| night            | lowest | boats brought in |\n| ---------------- | ------ | ---------------- |\n| 11 December 1913 | 968    | 2                |\n| 3 March 1926     | 974    | 1                |\n| 27 October 1934  | 965    | 4                |\n\nThe glass was replaced in 1951. Everything else is as it was.\n',
          },
        ],
      },
    ],
  },
  {
    type: 'knowledge',
    username: 'reading-the-sky',
    fullName: 'Reading the Sky',
    bio: 'A field guide in short chapters, for people who look up. The chapters are free; the tide tables of the next two weeks cost less than a coffee.',
    keywords: ['clouds', 'field guide', 'tide tables'],
    typeData: {
      subject: 'Coastal weather',
      abstract: 'How to judge the next day at sea from the sky, the glass and the swell, with tables for one harbour.',
      authors: ['Marta Lindqvist', 'Jonas Holm'],
      license: 'CC BY 4.0 for the chapters',
    },
    tickets: [
      {
        tier: 'tables',
        label: 'Tide tables',
        description: 'Two weeks of tides as CSV, by wallet.',
        amount: 0.05,
        currency: 'usdc',
        opens: ['file'],
      },
      {
        tier: 'tables_card',
        label: 'Tide tables by card',
        description: 'The same file; cards need a higher amount.',
        amount: 2,
        currency: 'eur',
        opens: ['file'],
      },
    ],
    file: { name: 'tide-tables.csv', content: tideTable(today) },
    categories: [
      {
        name: 'Chapters',
        description: 'One evening each.',
        pages: [
          {
            title: 'Swell before wind',
            excerpt: 'The sea often knows a day earlier.',
            body: 'A storm far out sends its swell ahead. It arrives under a blue sky, and people swim in it.\n\nCount the seconds between two crests. **Six** is the wind of today. **Ten** is a storm within five hundred miles. **Fourteen** and growing means that it comes your way.\n\nWrite the count down with the glass. The two together are worth more than either.\n',
          },
          {
            title: 'The colour of the evening',
            excerpt: 'When red is good news, and when it is not.',
            body: 'The rhyme about the red sky is right for one reason: weather here comes from the west.\n\nA red **evening** means clear air in the west, where tomorrow is. A red **morning** lights the clouds of what is about to arrive. A **yellow** evening is wind. A **green** edge is hail, and you have minutes.\n',
          },
        ],
      },
    ],
  },
  {
    type: 'agent',
    username: 'storm-watch',
    fullName: 'Storm Watch',
    bio: 'Reads the buoys every half hour and answers one question: should a small boat be out tomorrow? It buys the outlook of the desk like everybody else.',
    keywords: ['agent', 'storm warning', 'small craft'],
    typeData: {
      provider: 'Harbour Weather Desk',
      model: 'Rules and two barometers',
      protocols: ['http', 'x402'],
    },
    categories: [
      {
        name: 'Answers',
        description: 'Its answers, and how it decides.',
        pages: [
          {
            title: 'How Storm Watch decides',
            excerpt: 'Four rules, in this order.',
            body: '1. **Two hectopascals an hour, falling**: stay in.\n2. **Force 6 in the outlook within twelve hours**: stay in.\n3. **Swell of ten seconds and more**: stay inside the mole.\n4. Otherwise: go, and be back an hour before dark.\n\nThe answer never has the word "probably". A silent buoy is named, and counts as rule 2.\n',
          },
        ],
      },
    ],
  },
  {
    type: 'custom',
    username: 'grey-light',
    fullName: 'Grey Light',
    bio: 'The lighthouse across the bay, unmanned since 1991. We keep its log: when it was out, and who noticed.',
    keywords: ['lighthouse', 'navigation', 'log'],
    typeData: {
      fields: {
        character: 'Fl(2) W 10s',
        height_above_sea: '31 m',
        range: '17 nautical miles',
        built: 1858,
        keeper: 'none since 1991',
      },
    },
    categories: [
      {
        name: 'Log',
        description: 'Everything out of the ordinary.',
        pages: [
          {
            title: 'The light was out for 40 minutes',
            excerpt: 'And three boats called us before the alarm did.',
            body: 'On Tuesday at 21:10 the lamp changer stuck. Three boats called on channel 12 within five minutes; the alarm of the authority followed after twenty.\n\nThe second lamp took over at 21:50. If you see two flashes at different strength, that is why. A new changer comes with the tender on Friday.\n',
          },
        ],
      },
    ],
  },
]
