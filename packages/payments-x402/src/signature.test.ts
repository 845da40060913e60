import { beforeAll, describe, expect, it } from 'vitest'
import { resolveAsset } from './network.ts'
import type { Authorization } from './payment-payload.ts'
import { digestOf, isForUndeployedWallet, isSignedByKey, normalSignature, splitSignature } from './signature.ts'
import { walletOf } from './testing/wallet.ts'
import { signedTypedData } from './typed-data.ts'

const network = 'eip155:84532'
const asset = resolveAsset(network, undefined)
const payer = walletOf(`0x${'11'.repeat(32)}`)
const authorization: Authorization = {
  from: payer.address.toLowerCase(),
  to: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  value: '10000',
  validAfter: '0',
  validBefore: '1795196901',
  nonce: `0x${'0a'.repeat(32)}`,
}

let signature: string
beforeAll(async () => {
  signature = await payer.account.signTypedData(signedTypedData(network, asset, authorization))
})
const isSigned = async (form: string, by = authorization) =>
  isSignedByKey(await digestOf(network, asset, authorization), by, form)

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

describe('isSignedByKey', () => {
  it('accepts the signature of the payer, with v as 27 and 28 or 0 and 1', async () => {
    const v = signature.slice(-2)
    expect(await isSigned(signature)).toBe(true)
    expect(await isSigned(signature.slice(0, -2) + (v === '1b' ? '00' : '01'))).toBe(true)
    expect(await isSigned(signature.slice(0, -2) + (v === '1b' ? '01' : '00'))).toBe(false)
  })

  it('refuses signatures that tokens refuse: a high s, an odd v, compact and wrapped forms', async () => {
    const s = order - BigInt(`0x${signature.slice(66, 130)}`)
    const mirrored =
      signature.slice(0, 66) + s.toString(16).padStart(64, '0') + (signature.endsWith('1b') ? '1c' : '1b')
    expect(await isSigned(mirrored)).toBe(false)
    expect(await isSigned(`${signature.slice(0, -2)}1d`)).toBe(false)
    expect(await isSigned(signature.slice(0, -2))).toBe(false)
    expect(await isSigned(`0x01${signature.slice(2)}`)).toBe(false)
    expect(await isSigned(`0x${'00'.repeat(65)}`)).toBe(false)
    expect(await isSigned(`0x${'ff'.repeat(65)}`)).toBe(false)
  })

  it('refuses the signature of another key', async () => {
    expect(await isSigned(signature, { ...authorization, from: authorization.to })).toBe(false)
  })
})

describe('a signature', () => {
  it('does not change a signature that is not one of a plain key', () => {
    const long = `0x01${signature.slice(2)}`
    expect(normalSignature(long)).toBe(long)
    expect(splitSignature(long)).toBeUndefined()
    expect(isForUndeployedWallet(long)).toBe(false)
    expect(isForUndeployedWallet(`${long}${'6492'.repeat(16)}`)).toBe(true)
  })
})
