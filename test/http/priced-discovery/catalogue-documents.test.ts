import { eep } from '@eep/core'
import { pricedDiscovery } from '@eep/core/priced-discovery'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, openStorage, PUBLIC_URL, SECRET } from '../../support/app.ts'
import { catalogueRail } from '../../support/catalogue.ts'
import { client } from '../../support/client.ts'

let test: Awaited<ReturnType<typeof createTestApp>>

beforeAll(async () => {
  test = await createTestApp({ payments: { rails: [catalogueRail()] } })
})
afterAll(() => test.close())

describe('documents', () => {
  it('name the catalogue for what they leave out', async () => {
    const site = (await client(test.app).get('/openapi.json')).json()
    expect(site['x-eep-more']).toBe(`${PUBLIC_URL}/discovery/resources`)
  })

  it('announce the catalogue where agents look', async () => {
    const relations = (await client(test.app).get('/.well-known/api-catalog')).json().linkset[0]
    expect(JSON.stringify(relations)).toContain(`${PUBLIC_URL}/discovery/resources`)
    for (const path of ['/agents.txt', '/llms.txt', '/.well-known/eep/agent-guide.md']) {
      expect((await client(test.app).get(path)).body, path).toContain(`${PUBLIC_URL}/discovery/resources`)
    }
  })

  it('do not name it, and it does not exist, with catalogue: false', async () => {
    const other = await createTestApp({ pricedDiscovery: { catalogue: false } })
    expect((await client(other.app).get('/discovery/resources')).statusCode).toBe(404)
    expect((await client(other.app).get('/agents.txt')).body).not.toContain('/discovery/resources')
    expect((await client(other.app).get('/openapi.json')).json()['x-eep-more']).toBe(`${PUBLIC_URL}/llms.txt`)
    await other.close()
  })

  it('leave the path to a host that serves it itself', async () => {
    const app = Fastify()
    app.get('/discovery/resources', async () => ({ own: true }))
    const { storage, close } = await openStorage()
    await app.register(eep, { publicUrl: PUBLIC_URL, secret: SECRET, storage, modules: [pricedDiscovery()] })
    await app.ready()
    expect((await app.inject('/discovery/resources')).json()).toEqual({ own: true })
    await app.close()
    await close()
  })

  it('do not have a search in a service that cannot search', async () => {
    expect((await client(test.app).get('/discovery/search?query=looms')).statusCode).toBe(404)
  })
})
