import { cashRail } from '@eep/core/testing'
import { expect, it } from 'vitest'
import { createTestApp, PUBLIC_URL } from '../support/app.ts'
import { client } from '../support/client.ts'

const PATH = '/.well-known/ai-catalog.json'

it('lists artifacts that exist, and its host', async () => {
  const { app, close } = await createTestApp({
    discovery: { aiCatalog: true },
    payments: { rails: [cashRail()] },
  })
  const response = await client(app).get(PATH)
  expect(response.headers).toMatchObject({ 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' })
  const { specVersion, host, entries } = response.json()
  expect(specVersion).toBe('0.9')
  expect(host).toMatchObject({ displayName: 'Profiles', identifier: 'did:web:profiles.example' })
  const identifiers = entries.map(({ identifier }: { identifier: string }) => identifier)
  expect(identifiers).toEqual(
    expect.arrayContaining(['urn:air:profiles.example:a2a:service', 'urn:air:profiles.example:skill:pay']),
  )
  expect(new Set(identifiers).size).toBe(identifiers.length)
  for (const { url } of [...entries, { url: host.documentationUrl }]) {
    expect((await client(app).get(String(url).slice(PUBLIC_URL.length))).statusCode, url).toBe(200)
  }
  expect((await client(app).get('/.well-known/api-catalog')).body).toContain(PATH)
  await close()
})

it('lists no skills where they are off, and does not exist by default', async () => {
  const withoutSkills = await createTestApp({ discovery: { aiCatalog: true, skills: false } })
  expect((await client(withoutSkills.app).get(PATH)).body).not.toContain(':skill:')
  await withoutSkills.close()
  const off = await createTestApp()
  expect((await client(off.app).get(PATH)).statusCode).toBe(404)
  expect((await client(off.app).get('/.well-known/api-catalog')).body).not.toContain(PATH)
  await off.close()
})
