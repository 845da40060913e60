import { expect, it } from 'vitest'
import { client } from '../support/client.ts'
import { openContent } from '../support/content.ts'

const { app, ada } = await openContent()

it('names what a tier opens by the title of its category, not by the slug', async () => {
  const stars = await ada.newCategory({ name: 'النجوم', slug: 'alnjwm' })
  await ada.newPage({ title: 'One', slug: 'one', category_id: stars.id, body: 'Body.' })
  const price = { type: 'payment', amount: 12, currency: 'usd', per: 'year' }
  const tiers = {
    public: { requirements: [], access: ['profile.*'] },
    year: { label: 'Year', requirements: [price], access: ['content.alnjwm.*'] },
  }
  const saved = await ada.put('/eep/gates/did:web:profiles.example:u:ada', { default_tier: 'public', tiers })
  expect(saved.statusCode, saved.body).toBe(200)
  const { statusCode, body } = await client(app).get('/u/ada/content/alnjwm/one', { accept: 'text/html' })
  expect(statusCode).toBe(402)
  expect(body).toContain('all pages in “<bdi>النجوم</bdi>”')
  expect(body).not.toContain('Alnjwm')
})
