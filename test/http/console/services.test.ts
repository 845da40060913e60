import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { actionsOn, browserOf, browserOfMember, fieldsOfForm, formOf, roleIn } from '../../support/console.ts'
import { leadsTo } from '../../support/pages.ts'
import { newOrganization, type OwnedProfile } from '../../support/teams.ts'

let test: Awaited<ReturnType<typeof createTestApp>>
let profile: OwnedProfile
let tab: Awaited<ReturnType<typeof browserOf>>
let path: string
let catalogue: string

beforeAll(async () => {
  test = await createTestApp()
  profile = await newOrganization(test.app)
  tab = await browserOf(test.app, profile.owner)
  path = `/manage/profiles/${profile.id}/services`
  catalogue = `/eep/services/did:web:profiles.example:o:${profile.username}`
})
afterAll(() => test.close())

const listed = async () => (await profile.owner.get(catalogue)).json().services
const filled = async (fields: Record<string, string>) => ({
  ...fieldsOfForm(await tab.open(path), 'create'),
  category: 'consulting',
  ...fields,
})
async function newService(fields: Record<string, string>) {
  const made = await tab.submit(path, await filled(fields))
  expect([...leadsTo(made)]).toEqual([303, path])
  const { id } = (await listed()).findLast(({ name }: { name: string }) => name === fields.name)
  return `${path}/${id}`
}

describe('the screen with the services of a profile', () => {
  it.each([
    ['free', {}, { model: 'free', currency: 'usd' }, 'Free'],
    ['onRequest', {}, { model: 'fixed', currency: 'usd' }, 'Price on request'],
    ['once', { amount: '9,5' }, { model: 'fixed', currency: 'usd', amount: 9.5 }, '$9.50'],
    [
      'each',
      { amount: '0.02' },
      { model: 'per_request', currency: 'usd', rate: 0.02, unit: 'request' },
      '$0.02 / request',
    ],
    [
      'period',
      { amount: '20', currency: 'EUR', period: 'month' },
      { model: 'subscription', currency: 'eur', amount: 20, period: 'month' },
      '€20.00 / month',
    ],
  ])('adds a service with the price "%s"', async (price, more, pricing, text) => {
    const name = `Advice at the price ${price}`
    await newService({ name, price, ...more })
    expect((await listed()).find((service: { name: string }) => service.name === name)).toMatchObject({
      category: 'consulting',
      delivery: 'async',
      status: 'active',
      pricing,
    })
    const { body } = await tab.open(path)
    expect(body).toContain(`<bdi>${name}</bdi></strong></a> <bdi>${text}</bdi>`)
  })

  it('keeps what was entered when the amount is missing or not clear, and reports it beside the amount', async () => {
    for (const amount of ['', '1,000', 'ten', '-4']) {
      const refused = await tab.submit(path, await filled({ name: 'Kept name', price: 'once', amount }))
      expect(refused.statusCode).toBe(400)
      expect(refused.body).toContain('id="amount-problem">Enter an amount such as 9.50')
      expect(refused.body).toContain('value="Kept name"')
    }
    expect((await listed()).some(({ name }: { name: string }) => name === 'Kept name')).toBe(false)
  })

  it('refuses a currency without a code', async () => {
    const refused = await tab.submit(path, await filled({ name: 'Dear', price: 'once', amount: '4', currency: 'e' }))
    expect([refused.statusCode, refused.body.includes('id="currency-problem"')]).toEqual([400, true])
  })

  it('adds a service once when its form is sent twice', async () => {
    const form = { ...(await filled({ name: 'Sent twice' })), form_id: crypto.randomUUID() }
    expect(leadsTo(await tab.submit(path, form))).toEqual(leadsTo(await tab.submit(path, form)))
    expect((await listed()).filter(({ name }: { name: string }) => name === 'Sent twice')).toHaveLength(1)
  })
})

describe('the screen of a service', () => {
  it('shows what is stored, and saves what was changed', async () => {
    const one = await newService({ name: 'Mooring', price: 'period', amount: '5', period: 'week', negotiable: '1' })
    const form = fieldsOfForm(await tab.open(one), 'save')
    expect(form).toMatchObject({ name: 'Mooring', price: 'period', amount: '5', period: 'week', negotiable: '1' })
    const { negotiable: _, ...rest } = form
    const saved = await tab.submit(one, { ...rest, name: 'Mooring by night', status: 'paused' })
    expect(leadsTo(saved)).toEqual([303, path])
    const page = await tab.open(path)
    expect([roleIn(page, 'status'), page.body.includes('<span class="tag">Paused</span>')]).toEqual([
      'The service was saved.',
      true,
    ])
    expect((await listed()).at(-1)).toMatchObject({ name: 'Mooring by night', negotiable: false, status: 'paused' })
  })

  it('keeps what it does not show: tags, availability and prices of other kinds', async () => {
    const details = {
      name: 'Tide data',
      category: 'data_feed',
      delivery: 'sse',
      pricing: { model: 'metered', currency: 'usd', unit: 'row', rate: 0.5, minimum_charge: 1 },
      tags: ['tide'],
      availability: { type: 'always' },
    }
    const { id } = (await profile.owner.post(catalogue, details)).json()
    const form = fieldsOfForm(await tab.open(`${path}/${id}`), 'save')
    expect(form.price).toBe('kept')
    expect(leadsTo(await tab.submit(`${path}/${id}`, { ...form, name: 'Tides' }))).toEqual([303, path])
    expect((await listed()).at(-1)).toMatchObject({ ...details, name: 'Tides' })
  })

  it('refuses to save and to delete what another person changed meanwhile, and keeps what was entered', async () => {
    const one = await newService({ name: 'Piloting', price: 'once', amount: '20' })
    const page = await tab.open(one)
    const [mine, deletion] = [fieldsOfForm(page, 'save'), fieldsOfForm(page, 'delete')]
    await tab.submit(one, { ...mine, amount: '200' })
    const late = await tab.submit(one, { ...mine, name: 'Pilotage', form_id: crypto.randomUUID() })
    expect([late.statusCode, late.body.includes('value="Pilotage"')]).toEqual([412, true])
    expect((await tab.submit(one, deletion)).statusCode).toBe(412)
    expect((await listed()).at(-1)).toMatchObject({ name: 'Piloting', pricing: { amount: 200 } })
  })

  it('deletes the service', async () => {
    const one = await newService({ name: 'No longer offered' })
    expect(leadsTo(await tab.submit(one, fieldsOfForm(await tab.open(one), 'delete')))).toEqual([303, path])
    expect((await tab.open(one)).statusCode).toBe(404)
  })

  it('is not found for the service of another profile', async () => {
    const other = await newOrganization(test.app)
    const made = await other.owner.post(`/eep/services/did:web:profiles.example:o:${other.username}`, {
      name: 'Theirs',
      category: 'x',
      delivery: 'async',
      pricing: { model: 'free', currency: 'usd' },
    })
    const { id } = made.json()
    expect((await tab.open(`${path}/${id}`)).statusCode).toBe(404)
    const deletion = formOf('delete', { seen: new Date().toISOString() })
    expect((await tab.submit(`${path}/${id}`, deletion)).statusCode).toBe(404)
    expect(
      (await other.owner.get(`/eep/services/did:web:profiles.example:o:${other.username}`)).json().services,
    ).toHaveLength(1)
  })

  it('is for admins and the owner; others read the list without links and buttons', async () => {
    const one = await newService({ name: 'For admins' })
    for (const role of ['editor', 'viewer'] as const) {
      const member = await browserOfMember(test.app, profile, role)
      const page = await member.open(path)
      expect([page.statusCode, actionsOn(page).size, page.body.includes(one)]).toEqual([200, 0, false])
      expect(page.body).toContain('Ask an admin of the team to change services.')
      expect((await member.submit(path, formOf('create', { name: 'No' }))).statusCode).toBe(403)
      expect((await member.open(one)).statusCode).toBe(403)
      expect((await member.submit(one, formOf('delete'))).statusCode).toBe(403)
    }
    const admin = await browserOfMember(test.app, profile, 'admin')
    expect([...actionsOn(await admin.open(one))].sort()).toEqual(['delete', 'save'])
  })
})
