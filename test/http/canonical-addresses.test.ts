import { serverOptions } from '@eep/core'
import Fastify from 'fastify'
import { afterAll, describe, expect, it } from 'vitest'
import { client } from '../support/client.ts'
import { createCashApp, openShop } from '../support/shop.ts'

const { app, close } = await createCashApp()
afterAll(close)
const shop = await openShop(app, 'ada')
const { get } = client(app)

const location = async (url: string, options = {}) => {
  const { statusCode, headers } = await get(url, options)
  return [statusCode, headers.location]
}

describe('a public address', () => {
  it.each([
    ['/u/ada/', '/u/ada'],
    ['/u/ADA', '/u/ada'],
    ['/u/Ada/', '/u/ada'],
    ['/u/Ada.JSON', '/u/ada.json'],
    ['/u/Ada?format=json&x=A', '/u/ada?format=json&x=A'],
    ['/u/ada/content/', '/u/ada/content'],
    ['/u/ada/content/Open-Page', '/u/ada/content/open-page'],
    ['/u/ada/content/open-page/?a=1', '/u/ada/content/open-page?a=1'],
    ['/u/ada/changelog/', '/u/ada/changelog'],
    ['/discover/', '/discover'],
    ['/docs/payments/', '/docs/payments'],
    ['/docs/errors/not_found/', '/docs/errors/not_found'],
    ['/feed/', '/feed'],
    ['/u/nobody-has-this/', '/u/nobody-has-this'],
  ])('%s leads to %s', async (url, to) => {
    expect(await location(url)).toEqual([308, to])
  })

  it('is redirected before a gate is asked, with the headers of every response', async () => {
    const response = await client(app).get(`${shop.paid}/`, { 'payment-signature': 'x' })
    expect([response.statusCode, response.headers.location]).toEqual([308, shop.paid])
    expect(response.headers['cache-control']).toBe('public, max-age=3600')
    expect(Number(response.headers['x-ratelimit-remaining'])).toBeGreaterThan(0)
    expect(response.headers).not.toHaveProperty('payment-required')
  })

  it('is redirected for HEAD, and for no other method', async () => {
    const head = await app.inject({ method: 'HEAD', url: '/u/ada/' })
    expect([head.statusCode, head.headers.location]).toEqual([308, '/u/ada'])
    for (const method of ['POST', 'DELETE', 'PUT'] as const) {
      expect((await app.inject({ method, url: '/u/ada/' })).headers.location, method).toBeUndefined()
    }
  })

  it.each([
    '//evil.example/',
    '//evil.example/u/ada/',
    '/%5Cevil.example/',
    '/u/%5Cevil.example/',
    '/u/ada%0d%0aset-cookie:a=b/',
    '/u/%2F%2Fevil.example/',
    '/u/..%2F..%2Fevil/',
  ])('%s is never redirected', async (url) => {
    expect(await location(url)).toEqual([404, undefined])
  })

  it('keeps the prefix of its listener', async () => {
    const gateway = Fastify(serverOptions)
    await gateway.register(app.eep.http, { prefix: '/api', notFound: false })
    for (const url of ['/api/u/Ada/', '/api/discover/']) {
      const { statusCode, headers } = await gateway.inject(url)
      expect([statusCode, headers.location]).toEqual([308, url.toLowerCase().replace(/\/$/, '')])
    }
    await gateway.close()
  })

  it('is redirected where the router of the host ignores slashes and case itself', async () => {
    const routerOptions = { ...serverOptions.routerOptions, ignoreTrailingSlash: true, caseSensitive: false }
    const host = Fastify({ ...serverOptions, routerOptions })
    await host.register(app.eep.http)
    for (const [url, to] of [
      ['/u/ada/', '/u/ada'],
      ['/U/Ada', '/u/ada'],
      ['/discover/', '/discover'],
    ]) {
      const { statusCode, headers } = await host.inject(url ?? '')
      expect([statusCode, headers.location], url).toEqual([308, to])
    }
    await host.close()
  })

  it('takes the name of a format in capitals', async () => {
    const response = await get('/u/ada?format=JSON')
    expect([response.statusCode, response.json().username]).toEqual([200, 'ada'])
  })

  it('leaves files, tokens and routes of accounts as they are', async () => {
    for (const url of ['/files/1/', '/auth/me/', '/api-keys/', '/manage/limits/']) {
      expect((await get(url)).headers.location, url).toBeUndefined()
    }
  })
})
