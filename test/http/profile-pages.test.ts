import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { didOf, type Person, signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { openShop } from '../support/shop.ts'

const plain = (text: string) => text.replaceAll(/[\u00A0\u202F]/g, ' ')

describe('the page of a profile', () => {
  let test: Awaited<ReturnType<typeof createTestApp>>
  let ada: Person
  beforeAll(async () => {
    test = await createTestApp({ pages: { mapUrl: 'https://maps.example/?at={lat},{lng}' } })
    ada = await signUp(test.app)
  })
  afterAll(() => test.close())

  let count = 0
  async function create(profileType: string, typeData: object): Promise<string> {
    const username = `thing-${++count}`
    const answer = await ada.post('/profiles', { profile_type: profileType, username, type_data: typeData })
    expect(answer.statusCode, answer.body).toBe(200)
    return username
  }
  const read = async (path: string, language = 'en') => {
    const { body } = await client(test.app).get(path, { accept: 'text/html', 'accept-language': language })
    return plain(body)
  }

  it('shows the times of an event as the clocks in its time zone show them, in the language of the reader', async () => {
    const times = { starts_at: '2026-12-01T19:00:00Z', ends_at: '2026-12-01T22:30:00+01:00', timezone: 'Europe/Berlin' }
    const path = `/e/${await create('event', { ...times, venue: 'Town <hall>', online_url: 'https://live.example/' })}`
    const english = await read(path)
    expect(english).toContain(
      '<p><time datetime="2026-12-01T19:00:00Z">Tuesday, December 1, 2026 at 8:00 PM</time> <span class="soft">Central European Standard Time</span></p>',
    )
    expect(english).toContain('>Tuesday, December 1, 2026 at 10:30 PM</time>')
    expect(english).toContain('<i>Dec</i><b>1</b><small>2026</small>')
    expect(english).toContain('<dt>Venue</dt><dd><bdi>Town &lt;hall&gt;</bdi></dd>')
    expect(english).toContain('<dt>Online</dt><dd><a href="https://live.example/"')
    const german = await read(path, 'de')
    expect(german).toContain('Dienstag, 1. Dezember 2026 um 20:00')
    expect(german).toContain('Mitteleuropäische Normalzeit')
    expect(german).toContain('<p class="label">Veranstaltung</p>')
  })

  it('shows times without an offset as they were written, and in UTC those without a time zone', async () => {
    const local = await read(
      `/e/${await create('event', { starts_at: '2026-07-01T09:00:00', timezone: 'Asia/Tokyo' })}`,
    )
    expect(local).toContain('Wednesday, July 1, 2026 at 9:00 AM</time> <span class="soft">Japan Standard Time</span>')
    const utc = await read(`/e/${await create('event', { starts_at: '2026-07-01T09:00:00+02:00' })}`)
    expect(utc).toContain('Wednesday, July 1, 2026 at 7:00 AM</time> <span class="soft">UTC</span>')
  })

  it('names the languages of a person for the reader, and keeps other texts as they were written', async () => {
    const languages = ['en', 'pt-BR', 'Klingon', 'xx-<b>']
    const profile = { full_name: 'Ada', type_data: { languages } }
    const updated = await ada.put(`/profiles/u/${ada.account.username}`, profile)
    expect(updated.statusCode, updated.body).toBe(200)
    const spokenIn = async (language: string) =>
      /<li class="spoken">(.*?)<\/li>/
        .exec(await read(`/u/${ada.account.username}`, language))?.[1]
        ?.replaceAll(/<\/?bdi>/g, '')
    expect(await spokenIn('en')).toBe('English, Brazilian Portuguese, Klingon, xx-&lt;b&gt;')
    expect(await spokenIn('de')).toBe('Englisch, Portugiesisch (Brasilien), Klingon und xx-&lt;b&gt;')
  })

  it('shows each field of a custom profile as a fact', async () => {
    const fields = { height_m: 31, keeper: 'none since <1991>' }
    const body = await read(`/x/${await create('custom', { fields })}`)
    expect(body).toContain('<dt><bdi>Height m</bdi></dt><dd>31</dd>')
    expect(body).toContain('<dt><bdi>Keeper</bdi></dt><dd><bdi>none since &lt;1991&gt;</bdi></dd>')
  })

  it('shows the price of a product by its currency', async () => {
    const path = `/p/${await create('product', { price: { amount: '1234.50', currency: 'eur' }, brand: 'Difference' })}`
    expect(await read(path)).toContain('<p class="big"><bdi>€1,234.50</bdi></p>')
    expect(await read(path, 'de')).toContain('<p class="big"><bdi>1.234,50 €</bdi></p>')
    expect(await read(path)).toContain('<dt>Brand</dt><dd><bdi>Difference</bdi></dd>')
  })

  it('shows the address of a place with a link to the map of the host', async () => {
    const address = { street: '12 <St> James', city: 'London' }
    const path = `/l/${await create('place', { address, geo: { lat: 51.5, lng: -0.13 }, opening_hours: ['Mo 9-17'] })}`
    const body = await read(path)
    expect(body).toContain('<address lang="">12 &lt;St&gt; James, London</address>')
    expect(body).toContain('href="https://maps.example/?at=51.500000,-0.130000"')
    expect(body).toContain('<dt>Opening hours</dt><dd><bdi>Mo 9-17</bdi></dd>')
    expect(await read(path, 'ja')).toContain('地図で見る')
  })

  it('shows active services with their prices and ratings', async () => {
    const did = didOf(ada)
    const offer = (details: object) =>
      ada.post(`/eep/services/${did}`, { category: 'consulting', delivery: 'async', ...details })
    const path = `/u/${ada.account.username}`
    expect(await read(path)).not.toContain('<h2>Services</h2>')
    const monthly = { model: 'subscription', amount: 50, currency: 'eur', period: 'month' }
    const created = await offer({ name: 'Advice', description: 'About <engines>', pricing: monthly })
    expect(created.statusCode, created.body).toBe(201)
    await offer({ name: 'A look', pricing: { model: 'free', currency: 'usd' } })
    await offer({ name: 'Not now', pricing: { model: 'free', currency: 'usd' }, status: 'paused' })
    const body = await read(path)
    expect(body).toContain('<strong><bdi>Advice</bdi></strong> <span class="price"><bdi>€50.00 / month</bdi></span>')
    expect(body).toContain('About &lt;engines&gt;')
    expect(body).toContain('<strong><bdi>A look</bdi></strong> <span class="price"><bdi>Free</bdi></span>')
    expect(body).not.toContain('Not now')
    expect(await read(path, 'de')).toContain('50,00 € / Monat')
  })

  it('has the offers after the introduction, then the writing, then facts, and closed at the end what agents need', async () => {
    const shop = await openShop(test.app, 'ordered-page', { amount: 5, currency: 'usd', per: 'month' })
    await shop.put(shop.profile.replace('/u/', '/profiles/u/'), {
      bio: 'I write about engines.',
      skills: ['Analysis'],
      agent_instructions: 'Quote me.',
      type_data: { location: 'Kyoto' },
    })
    const body = await read(shop.profile)
    const places = ['Kyoto', 'I write about', '<h2>Access</h2>', '<h2>Contents</h2>', '<h2>Skills</h2>', 'Quote me.']
    const found = places.map((text) => body.indexOf(text, body.indexOf('<main')))
    expect(found).not.toContain(-1)
    expect(found).toEqual(found.toSorted((left, right) => left - right))
    expect(body).toContain('<details class="agents"><summary>For agents</summary>')
    expect(body).not.toMatch(/<dt>Location|<details[^>]* open/)
  })

  it('shows the first letter of a name in place of a picture', async () => {
    const path = `/o/${await create('organization', {})}`
    expect(await read(path)).toContain('<span class="face" aria-hidden="true"><bdi>T</bdi></span>')
  })

  it('has its headings in the language of the reader', async () => {
    await ada.put(`/profiles/u/${ada.account.username}`, { skills: ['Analysis'], agent_rules: 'Ask first' })
    const body = await read(`/u/${ada.account.username}`, 'ar')
    expect(body).toContain('<h2>المهارات</h2>')
    expect(body).toContain('<summary>للوكلاء</summary>')
  })
})

it('refuses a map without a position', async () => {
  for (const mapUrl of ['https://maps.example/', 'javascript:{lat}{lng}', 'https://maps.example/?q={lat}']) {
    await expect(createTestApp({ pages: { mapUrl } })).rejects.toThrow('pages.mapUrl')
  }
})

it('writes prices on the page of a profile as its paywall does, also beside the pages, and isolates their direction', async () => {
  const shop = await createTestApp()
  const seller = await openShop(shop.app, 'priced-pages', { amount: 5, currency: 'usd', per: 'month' })
  const { body } = await client(shop.app).get(seller.profile, { accept: 'text/html' })
  expect(body.split('<bdi>$5.00 for one month</bdi>')).toHaveLength(5)
  expect((await client(shop.app).get(seller.contents, { accept: 'text/html' })).body).toContain(
    '<span class="lock"><bdi>$5.00 for one month</bdi></span>',
  )
  await shop.close()
})
