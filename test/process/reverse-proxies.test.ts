import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { field, fileOf, formOf } from '../support/files.ts'
import { findReverseProxy, type ProxyName, type ReverseProxy } from '../support/reverse-proxies.ts'
import { createCashApp, openShop, type Shop } from '../support/shop.ts'
import { listen, openStream } from '../support/streams.ts'
import { soon } from '../support/wait.ts'

const MEGABYTES = 3
/** More than nginx reads of the headers of a response, and of one of a request, by default. */
const LONG_HEADER = 10_000

let service: Awaited<ReturnType<typeof createCashApp>>
let seller: Shop
let target: string
beforeAll(async () => {
  service = await createCashApp({}, { trustProxy: 'loopback' }, (app) => {
    app.get('/test/address', ({ ip, protocol, host }) => ({ ip, protocol, host }))
    app.get('/test/request-header', ({ headers }) => ({ length: headers['payment-signature']?.length }))
    app.get('/test/long-header', (_request, reply) => reply.header('payment-required', 'x'.repeat(LONG_HEADER)).send())
  })
  seller = await openShop(service.app, 'ada')
  target = (await listen(service.app)).replace('http://', '')
})
afterAll(() => service.close())

for (const name of ['nginx', 'caddy'] satisfies ProxyName[]) {
  const found = await findReverseProxy(name)
  const reason = typeof found === 'string' ? `: ${found}` : ''
  describe.skipIf(typeof found === 'string')(`the service with ${name} in front of it${reason}`, () => {
    let proxy: ReverseProxy
    beforeAll(async () => {
      if (typeof found !== 'string') proxy = await found.start(target)
    })
    afterAll(() => proxy.stop())

    it('sees the address of the client, and not the one that the client claims', async () => {
      const response = await fetch(`${proxy.url}/test/address`, { headers: { 'x-forwarded-for': '203.0.113.9' } })
      const { host } = new URL(proxy.url)
      expect(await response.json()).toEqual({ ip: '127.0.0.1', protocol: 'http', host })
    })

    it('delivers events of a stream while it is open', async () => {
      const stream = await openStream(proxy.url, '/stream/signals')
      await soon(() => expect(stream.frames).not.toEqual([]))
      await seller.post('/manage/pages', { profile_id: seller.profileId, title: name, body: '', status: 'published' })
      await soon(() => expect(stream.envelopes().map(({ type }) => type)).toContain('content.published'))
      expect(stream.isEnded()).toBe(false)
    })

    it('passes the offers of a 402, and long headers of responses and requests', async () => {
      const response = await fetch(`${proxy.url}${seller.paid}`)
      expect(response.status).toBe(402)
      expect(JSON.parse(atob(response.headers.get('payment-required') ?? ''))).toMatchObject({ x402Version: 2 })
      const { headers } = await fetch(`${proxy.url}/test/long-header`)
      expect(headers.get('payment-required')).toHaveLength(LONG_HEADER)
      const payment = { 'payment-signature': 'x'.repeat(LONG_HEADER) }
      const sent = await fetch(`${proxy.url}/test/request-header`, { headers: payment })
      expect([sent.status, await sent.text()]).toEqual([200, `{"length":${LONG_HEADER}}`])
    })

    it('passes uploads that are larger than the usual limit of proxies, and sends them back', async () => {
      const content = Buffer.alloc(MEGABYTES * 1_048_576, 'a')
      const { payload, headers } = formOf([field('username', seller.account.username), fileOf(content, 'long.txt')])
      const body = new Uint8Array(payload)
      const response = await fetch(`${proxy.url}/files`, {
        method: 'POST',
        body,
        headers: { ...headers, ...seller.headers },
      })
      expect(response.status).toBe(200)
      const { id } = (await response.json()) as { readonly id: number }
      const file = await fetch(`${proxy.url}/files/${id}`, { headers: seller.headers })
      expect((await file.arrayBuffer()).byteLength).toBe(content.length)
    })

    it('passes WebSockets', async () => {
      const socket = new WebSocket(`${proxy.url.replace('http:', 'ws:')}/eep/pulse`, { headers: seller.headers })
      const frame = await new Promise((resolve, reject) => {
        socket.on('message', (data) => resolve(JSON.parse(String(data))))
        socket.on('error', reject)
      })
      socket.terminate()
      expect(frame).toMatchObject({ type: 'system', action: 'connected' })
    })

    it('passes revalidation by ETag', async () => {
      const first = await fetch(`${proxy.url}${seller.open}`, { headers: { accept: 'text/markdown' } })
      const etag = first.headers.get('etag') ?? ''
      const again = await fetch(`${proxy.url}${seller.open}`, {
        headers: { accept: 'text/markdown', 'if-none-match': etag },
      })
      expect([first.status, again.status]).toEqual([200, 304])
    })
  })
}
