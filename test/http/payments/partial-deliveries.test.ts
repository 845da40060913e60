import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { client } from '../../support/client.ts'
import { createCashApp, decodeHeader, header, openShop, type Shop } from '../../support/shop.ts'

let test: Awaited<ReturnType<typeof createCashApp>>
let shop: Shop
/** Answers to requests for the paid page, the latest last. */
const answers: ServerResponse[] = []

beforeAll(async () => {
  test = await createCashApp()
  shop = await openShop(test.app, 'single', { per: 'request' })
  const pages = await shop.get(`/manage/pages?profile_id=${shop.profileId}`)
  const { id } = pages.json().data.find(({ slug }: { slug: string }) => slug === 'welcome')
  const body = 'Free reading, line after line.\n\n'.repeat(30_000)
  const url = `/manage/pages/${id}`
  const put = await shop.put(url, { body })
  if (put.statusCode !== 200) throw new Error(put.body)
  test.app.server.prependListener('request', ({ url }, response) => {
    if (url === shop.paid) answers.push(response)
  })
  await test.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => test.close())

/**
 * Requests free pages and then the paid one on one connection, reads nothing, and disconnects once the paid page was
 * written: its answer has started and cannot have ended. Returns its status.
 */
async function readInPart(headers: Record<string, string>): Promise<number> {
  const client = connect((test.app.server.address() as AddressInfo).port, '127.0.0.1')
  client.pause()
  const asked = answers.length
  const request = (path: string, more: readonly string[] = []) =>
    [`GET ${path} HTTP/1.1`, 'Host: x', ...more, '', ''].join('\r\n')
  const payment = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  client.write(request(shop.open).repeat(12) + request(shop.paid, payment))
  await expect.poll(() => answers[asked]?.headersSent, { timeout: 60_000 }).toBe(true)
  const answer = answers[asked] as ServerResponse
  const closed = once(answer, 'close')
  client.destroy()
  await closed
  expect(answer.writableFinished).toBe(false)
  return answer.statusCode
}

describe('a payment for one request', () => {
  it('delivers a payment for one request in part at most three times', async () => {
    const offer = header(await client(test.app).get(shop.paid), 'payment-required')
    const payment = test.cashWallets.answer(offer, { wallet: 'wallet:partial' })
    for (let count = 0; count < 3; count += 1) expect(await readInPart(payment)).toBe(200)
    const refused = await client(test.app).get(shop.paid, payment)
    expect(refused.statusCode).toBe(402)
    expect(decodeHeader(refused, 'payment-response')).toMatchObject({ errorReason: 'credential_already_used' })
    expect(test.cashWallets.balance(shop.did)).toBe(10_000n)
  })
})
