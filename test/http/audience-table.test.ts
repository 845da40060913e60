import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../support/accounts.ts'
import { newKey } from '../support/api-keys.ts'
import { client } from '../support/client.ts'
import { createMailbox, tokenIn } from '../support/mailbox.ts'
import { audience, classify, PERSON, payment, putGate } from '../support/readers.ts'
import { createCashApp, openShop, SECRET_WORD, type Shop } from '../support/shop.ts'

// Every reader at every gate in every format, from a cold and a warm cache.
const mailbox = createMailbox()
let test: Awaited<ReturnType<typeof createCashApp>>
let shop: Shop

const bot = (origin: string) => ({ 'x-edge': `bot ${origin}` })
const BROWSER = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
}

/** In the order of the columns below. */
const readers: Record<string, string>[] = [
  {},
  PERSON,
  BROWSER,
  bot('https://crawler.example'),
  bot('https://other.example'),
  bot('https://chatgpt.com'),
]

beforeAll(async () => {
  test = await createCashApp({ email: { mailer: mailbox.mailer }, audiences: { classify } })
  shop = await openShop(test.app, 'gazette')
  const [owned, stranger] = [await signUp(test.app), await signUp(test.app)]
  const token = tokenIn(await mailbox.take(owned.account.email, 'verification'))
  await client(test.app).post('/auth/verify', { token }, { ...owned.headers })
  readers.push({ ...owned.headers }, { ...stranger.headers }, (await newKey(test.app, owned.headers)).headers)
})
afterAll(() => test.close())

const { get } = client(() => test.app)
const HERE = ['content.notes.*']
const tier = (requirements: readonly object[], access = HERE) => ({ requirements, access })
const people = audience('people')
const bots = audience('verified_bots')
const many = Array.from({ length: 8 }, (_, at) => `agent:https://a${at}.example`)

/** What readers get: the page, a price, or 403. */
const GATES: readonly (readonly [title: string, tiers: object, expected: string])[] = [
  [
    'free for people and sold to programs',
    {
      readers: tier([audience('people', 'browsers', 'search_engines')]),
      crawlers: tier([audience('verified_bots', 'unverified'), payment(0.01)]),
    },
    '0.01 page page 0.01 0.01 0.01 page 0.01 0.01',
  ],
  [
    'open to one program',
    { one: tier([audience('agent:https://crawler.example')]) },
    '403 403 403 page 403 403 403 403 403',
  ],
  [
    'cheaper for programs that sign',
    { cheap: tier([bots, payment(0.02)]), full: tier([payment(3)]) },
    '3.00 3.00 3.00 0.02 0.02 0.02 3.00 3.00 3.00',
  ],
  ['open to the unverified', { some: tier([audience('unverified')]) }, 'page 403 page 403 403 403 403 page page'],
  ['open to people', { some: tier([people]) }, '403 page 403 403 403 403 page 403 403'],
  [
    'sold to browsers and open to programs that sign',
    { sold: tier([audience('browsers'), payment(0.01)]), signed: tier([bots]) },
    '403 403 0.01 page page page 403 403 403',
  ],
  [
    'open to all programs that sign but one',
    { some: tier([{ ...bots, none_of: ['agent:https://other.example'] }]) },
    '403 403 403 page 403 page 403 403 403',
  ],
  [
    'open for one purpose and sold to others',
    { users: tier([audience('purpose:user')]), full: tier([payment(1)]) },
    '1.00 1.00 1.00 1.00 1.00 page 1.00 1.00 1.00',
  ],
  [
    'open to people, with a closer tier that sells the page',
    { some: tier([people], ['content.*']), sold: tier([payment(5)]) },
    '5.00 5.00 5.00 5.00 5.00 5.00 5.00 5.00 5.00',
  ],
  [
    'sold as a whole, with a closer tier that is open to people',
    { some: tier([people]), sold: tier([payment(5)], ['content.*']) },
    '5.00 page 5.00 5.00 5.00 5.00 page 5.00 5.00',
  ],
  [
    'at a price for each audience',
    {
      one: tier([people, payment(0.01)]),
      two: tier([bots, payment(0.05)]),
      three: tier([audience('unverified'), payment(0.1)]),
    },
    '0.10 0.01 0.10 0.05 0.05 0.05 0.01 0.10 0.10',
  ],
  [
    'with more audiences than responses are cached for',
    { some: tier([audience('people', 'browsers', ...many)]) },
    '403 page page 403 403 403 page 403 403',
  ],
]

const FORMATS = ['application/json', 'text/markdown', 'text/toon', 'text/html']

/** What a reader gets. It never gets the text without access. */
async function outcome(headers: Record<string, string>, accept: string): Promise<string> {
  const { statusCode, headers: sent, body } = await get(shop.paid, { ...headers, accept })
  if (body.includes(SECRET_WORD) !== (statusCode === 200)) throw new Error(`${statusCode} with another text`)
  expect(sent.vary).toContain('Signature-Agent, Sec-Fetch-Mode')
  expect(sent['accept-signature']).toContain('tag="web-bot-auth"')
  if (statusCode === 200) {
    expect(sent['cache-control']).toMatch(/^private, no-(cache|store)$/)
    expect(sent['content-type']).toContain(accept === 'text/toon' ? 'toon' : accept)
    return 'page'
  }
  expect(sent['cache-control']).toContain('no-store')
  return statusCode === 402 ? String(sent['crawler-price']).replace('USD ', '') : String(statusCode)
}

describe('a gate', () => {
  it.each(GATES)('%s decides the same for every reader, from a cold and a warm cache', async (_, tiers, expected) => {
    await putGate(shop, tiers)
    for (const accept of FORMATS) {
      const [cold, warm, again]: [string[], string[], string[]] = [[], [], []]
      for (const headers of readers) cold.push(await outcome(headers, accept))
      // In the other order, so that each response follows one of another audience.
      for (const headers of readers.toReversed()) warm.unshift(await outcome(headers, accept))
      for (const headers of readers) again.push(await outcome(headers, accept))
      expect([cold, warm, again].map((each) => each.join(' '))).toEqual([expected, expected, expected])
    }
  })
})
