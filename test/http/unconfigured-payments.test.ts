import { cashRail } from '@eep/core/testing'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { codeOf } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'

let test: Awaited<ReturnType<typeof createTestApp>>

beforeAll(async () => {
  test = await createTestApp()
})
afterAll(() => test.close())

const page = { did: 'did:web:profiles.example:u:ada', resource: 'content.notes.engines' }

it.each([
  ['/eep/payment/x402/payment-required', page, 'x402_not_configured'],
  ['/eep/payment/x402/settle', { ...page, payment_signature: 'e30=' }, 'x402_not_configured'],
  ['/eep/payment/stripe/mpp/settle', { ...page, shared_payment_token: 'spt_1' }, 'stripe_not_configured'],
  ['/eep/payment/stripe/checkout-human', page, 'stripe_not_configured'],
])('returns 503 for %s without a rail for such payments, as described in OpenAPI', async (path, body, code) => {
  const answer = await client(test.app).post(path, body)
  expect([answer.statusCode, codeOf(answer)]).toEqual([503, code])
  const { paths, components } = (await client(test.app).get('/docs/openapi.json')).json()
  const { $ref, ...described } = paths[path].post.responses['503']
  const shown = $ref ? components.responses[$ref.split('/').at(-1)] : described
  expect(JSON.stringify(shown)).toContain(code)
})

it.each([
  ['warns once at the start', { rails: [cashRail()] }, 1],
  ['does not warn', { rails: [cashRail()], payerProof: 'lookup' as const }, 0],
  ['does not warn', { rails: [cashRail()], payerProof: 'signed' as const }, 0],
  ['does not warn', {}, 0],
])('%s about the proof of payers with the options %j', async (_, payments, warnings) => {
  const logger = { info: vi.fn(), warn: vi.fn(), error: vi.fn() }
  const service = await createTestApp({ storage: test.storage, logger, payments })
  await service.app.ready()
  await service.close()
  const said = logger.warn.mock.calls.filter((words) => /payerProof is not set/.test(words.join(' ')))
  expect(said).toHaveLength(warnings)
})
