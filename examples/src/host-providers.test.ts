import { expect, it } from 'vitest'
import { openStorage } from '../../test/support/app.ts'
import { createHost } from './host-providers.ts'

it('leads to the provider, and takes the answer at the public address', async () => {
  const { storage, close } = await openStorage()
  const client = { clientId: 'ours', clientSecret: 'secret' }
  const app = await createHost({ github: client, google: client, campus: client }, { storage, secret: 'x'.repeat(32) })
  const { statusCode, headers } = await app.inject('/auth/oauth/github?next=/notes')
  expect(statusCode).toBe(302)
  const url = new URL(String(headers.location))
  expect(url.origin).toBe('https://github.com')
  expect(url.searchParams.get('redirect_uri')).toBe('https://api.example.com/auth/oauth/github/callback')
  await app.close()
  await close()
})
