import { expect, it } from 'vitest'
import { createKeyring } from '../../../../kernel/keyring.ts'
import { newSettlement } from '../../../../testing/records.ts'
import { toRecordable } from './grant.ts'

it('records a payer who cannot hold entitlements by digests, because the money has moved', () => {
  const keyring = createKeyring(['a secret of at least thirty-two characters'])
  const payer = { wallet: 'w'.repeat(513), network: `cash:${'x'.repeat(124)}` }
  const { wallet, network } = toRecordable('cash', newSettlement({ payer }), keyring).settlement.payer
  expect([wallet, network]).toEqual([expect.stringMatching(/^sha256:.{43}$/), expect.stringMatching(/^sha256:.{43}$/)])
  const short = { wallet: 'w'.repeat(512), network: `cash:${'x'.repeat(123)}` }
  expect(toRecordable('cash', newSettlement({ payer: short }), keyring).settlement.payer).toEqual(short)
})
