import { expect, it } from 'vitest'
import { openStorage } from '../../test/support/app.ts'
import { createHost, weightOf } from './host-type-data.ts'

it('takes, publishes and reads what the host added to products', async () => {
  const { storage, close } = await openStorage()
  const app = await createHost({ storage, secret: 'x'.repeat(32) })
  const registered = await app.inject({
    method: 'POST',
    url: '/auth/register',
    payload: { email: 'ada@example.com', password: 'Correct horse 7 battery', username: 'ada' },
  })
  const headers = { authorization: `Bearer ${registered.json().token}` }
  const make = (username: string, type_data: object) =>
    app.inject({ method: 'POST', url: '/profiles', headers, payload: { profile_type: 'product', username, type_data } })

  expect((await make('engine', { sku: 'E-1', weight_grams: 1200 })).statusCode).toBe(200)
  expect((await make('feather', { weight_grams: 'little' })).statusCode).toBe(400)
  expect(await weightOf(app, 'engine')).toBe(1200)
  expect((await app.inject('/schemas/profiles/product.json')).json().properties).toHaveProperty('weight_grams')
  await app.close()
  await close()
})
