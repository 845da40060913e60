import type { CredentialHeaders } from '../../ports/payment-rail.ts'

const base64 = (value: unknown, encoding: 'base64' | 'base64url' = 'base64') =>
  Buffer.from(JSON.stringify(value)).toString(encoding)

/** Requests without a credential, with account credentials, or with a credential of an unknown rail. */
export function foreignHeaders(): readonly CredentialHeaders[] {
  const accepted = { scheme: 'foreign', network: 'foreign:net', asset: 'shell', amount: '1', payTo: 'seller' }
  const challenge = { id: 'c1', realm: 'r', method: 'foreign', intent: 'charge', request: base64({}, 'base64url') }
  const token = `Payment ${base64({ challenge, payload: { token: 't' } }, 'base64url')}`
  return [
    {},
    { authorization: undefined, paymentAuthorization: undefined, paymentSignature: undefined },
    { authorization: 'Bearer eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl' },
    { authorization: 'Basic YWRhOnNlY3JldA==' },
    { authorization: token },
    { paymentAuthorization: token },
    { paymentSignature: base64({ x402Version: 2, accepted, payload: { anything: true } }) },
    { paymentSignature: base64({ x402Version: 3, accepted, payload: { anything: true } }) },
    { xPayment: base64({ x402Version: 1, scheme: 'foreign', network: 'foreign', payload: { anything: true } }) },
  ]
}

/** A truncated credential, in each header that can carry it. */
export const truncated = (headers: CredentialHeaders): readonly CredentialHeaders[] =>
  Object.entries(headers)
    .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    .map(([name, value]) => ({ [name]: value.slice(0, Math.ceil(value.length / 2)) }))
