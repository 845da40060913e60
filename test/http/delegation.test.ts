import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf } from '../support/accounts.ts'
import { keyAgent, type TestAgent } from '../support/agents.ts'
import { createTestApp, type TestApp } from '../support/app.ts'
import { client } from '../support/client.ts'

let app: TestApp
let close: () => Promise<void>
beforeAll(async () => {
  const test = await createTestApp()
  app = test.app
  close = test.close
})
afterAll(() => close())

const issue = (operator: TestAgent, subject: object, type = 'EEPDelegationProof', expires = '1h') =>
  new SignJWT({
    vc: {
      '@context': ['https://www.w3.org/2018/credentials/v1'],
      type: ['VerifiableCredential', type],
      credentialSubject: subject,
    },
  })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT' })
    .setIssuer(operator.did)
    .setNotBefore('0s')
    .setExpirationTime(expires)
    .sign(operator.key)

const verify = async (body: object, on = app) => {
  const response = await client(on).post('/eep/delegation/verify', body)
  return [response.statusCode, response.json()]
}

describe('the verification of a delegation', () => {
  const operator = keyAgent()
  const agent = keyAgent()
  const subject = { id: agent.did, permitted_actions: ['gate:payment'], max_payment_amount: 5, currency_code: 'USD' }

  it('confirms a use that the delegation permits', async () => {
    const credential = await issue(operator, subject)
    const use = { agent_did: agent.did, action: 'gate:payment', amount: 5, currency: 'USD' }
    expect(await verify({ credential, ...use })).toEqual([200, { valid: true, errors: [] }])
    expect(await verify({ credential })).toEqual([200, { valid: true, errors: [] }])
  })

  it('lists every reason against a use', async () => {
    const credential = await issue(operator, subject)
    const use = { agent_did: operator.did, action: 'commerce:offer', amount: 6, currency: 'EUR' }
    expect(await verify({ credential, ...use })).toEqual([
      403,
      {
        valid: false,
        errors: ['agent_not_delegated', 'action_not_permitted', 'amount_exceeded', 'currency_not_permitted'],
      },
    ])
  })

  it.each([
    ['invalid_credential', () => issue(operator, subject, 'EEPDelegationProof', '-1h')],
    ['invalid_credential', async () => (await issue(operator, subject)).replace(/.{8}$/, 'AAAAAAAA')],
    ['invalid_credential', async () => 'not.a.credential'],
    ['wrong_type', () => issue(operator, subject, 'PressCard')],
    ['invalid_subject', () => issue(operator, { id: agent.did })],
  ])('refuses a delegation as %s', async (error, make) => {
    expect(await verify({ credential: await make() })).toEqual([403, { valid: false, errors: [error] }])
  })

  it('returns 503 when the host configured no verifier', async () => {
    const test = await createTestApp({ gates: { credentialVerifier: undefined } })
    const response = await client(test.app).post('/eep/delegation/verify', { credential: 'not.a.credential' })
    expect([response.statusCode, codeOf(response)]).toEqual([503, 'credentials_not_configured'])
    await test.close()
  })
})
