import { createHmac, randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { verifyWebhook } from './webhooks.ts'

const secret = `whsec_${randomBytes(32).toString('base64')}`
const now = new Date('2026-05-06T07:08:09Z')
const seconds = now.getTime() / 1_000
const body = JSON.stringify({ id: '1', type: 'content.published' })

/** A delivery as the service sends it; the signature is written here a second time. */
function delivery({ at = seconds, sent = body, key = secret, others = '' } = {}): Request {
  const bytes = Buffer.from(key.replace('whsec_', ''), 'base64')
  const signature = createHmac('sha256', bytes).update(`msg_1.${at}.${body}`).digest('base64')
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': `${at}`,
    'webhook-signature': `${others}v1,${signature}`,
  }
  return new Request('https://receiver.example/hook', { method: 'POST', body: sent, headers })
}

it('returns the events of a delivery that is signed with the secret', async () => {
  const verified = await verifyWebhook(delivery({ others: 'v1a,key:AAAA v1,%%% ' }), { secret, now })
  expect(verified).toEqual({ id: 'msg_1', events: [{ id: '1', type: 'content.published' }] })
})

it('accepts each of several secrets, while one is replaced', async () => {
  const other = `whsec_${randomBytes(32).toString('base64')}`
  await expect(verifyWebhook(delivery(), { secret: [other, secret], now })).resolves.toHaveProperty('id')
})

it.each([
  ['another secret', delivery({ key: `whsec_${randomBytes(32).toString('base64')}` }), 'No signature'],
  ['a changed body', delivery({ sent: body.replace('published', 'deleted') }), 'No signature'],
  ['an old time', delivery({ at: seconds - 301 }), 'more than 300 seconds'],
  ['a time in the future', delivery({ at: seconds + 301 }), 'more than 300 seconds'],
  ['no headers', new Request('https://receiver.example/hook', { method: 'POST', body }), 'has no signature'],
])('refuses a delivery with %s', async (_, request, message) => {
  await expect(verifyWebhook(request, { secret, now })).rejects.toThrow(message)
})

it('refuses a secret that is not one of a subscription', async () => {
  await expect(verifyWebhook(delivery(), { secret: 'not base64 !', now })).rejects.toThrow('The secret is not one of')
})
