import { expect, it } from 'vitest'
import type { Payer, PaymentRail } from '../../../../ports/payment-rail.ts'
import { cashRail } from '../../../../testing/cash-rail.ts'
import { presentedCredential } from './credential.ts'

/** Presents a credential that names a payer. */
function presented(payer: Payer) {
  const rail: PaymentRail = {
    ...cashRail(),
    read: () => ({ id: 'credential_1', fingerprint: 'f', payer, proof: null }),
  }
  return presentedCredential({ preference: [] }, {}, [rail])
}

it('keeps the wallet, the network and the DID of the payer that a rail names', () => {
  const payer = { wallet: 'wallet:ada', network: 'cash:town', did: 'did:web:ada.example' }
  expect(presented(payer)?.credential.payer).toEqual(payer)
})

it.each(['did:web:帳', 'did:web:a\u0000b', ''])('refuses a payer whose DID cannot be recorded: %j', (did) => {
  const payer = { wallet: 'wallet:ada', network: 'cash:town', did }
  expect(() => presented(payer)).toThrow('invalid_payer')
})
