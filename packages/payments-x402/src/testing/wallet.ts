import { randomBytes } from 'node:crypto'
import { type JsonObject, v1NetworkOf } from '@eep/core/ports'
import type { Hex, PrivateKeyAccount } from 'viem'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import type { Asset } from '../network.ts'
import type { Authorization } from '../payment-payload.ts'
import { signedTypedData } from '../typed-data.ts'

/** A key of the local chain. */
export interface Wallet {
  readonly address: Hex
  readonly privateKey: Hex
  readonly account: PrivateKeyAccount
}

/** Returns the wallet of a private key. */
export function walletOf(privateKey: Hex): Wallet {
  const account = privateKeyToAccount(privateKey)
  return { address: account.address, privateKey, account }
}

/** The wallets that anvil gives ether to. */
export function defaultWallet(addressIndex: number): Wallet {
  const phrase = 'test test test test test test test test test test test junk'
  const key = mnemonicToAccount(phrase, { addressIndex }).getHdKey().privateKey
  return walletOf(`0x${Buffer.from(key ?? []).toString('hex')}`)
}

/** Changes of a payment before and after signing, for tests. */
export interface PaymentChanges {
  readonly authorization?: Partial<Authorization> | undefined
  /** Converts the plain signature, for contract wallets and invalid signatures. */
  readonly signature?: ((signature: Hex) => string) | undefined
  readonly accepted?: JsonObject | undefined
  /** Replaces the domain of the token. */
  readonly domain?: (Partial<Asset> & { readonly network?: string }) | undefined
  /** Validity in seconds. Default: that of the offer. */
  readonly lifeSeconds?: number | undefined
}

/** The payload of `PAYMENT-SIGNATURE`, before base64. */
export interface SignedPayment extends JsonObject {
  readonly x402Version: 2
  readonly accepted: JsonObject
  readonly payload: { readonly authorization: Authorization; readonly signature: string }
}

/** Signs an entry of `accepts[]` as a client does. */
export async function signPayment(
  accept: JsonObject,
  wallet: Wallet,
  changes: PaymentChanges = {},
): Promise<SignedPayment> {
  const { network, asset, amount, payTo, maxTimeoutSeconds, extra } = accept as {
    network: string
    asset: string
    amount: string
    payTo: string
    maxTimeoutSeconds: number
    extra: { name: string; version: string }
  }
  const authorization: Authorization = {
    from: wallet.address,
    to: payTo,
    value: amount,
    validAfter: '0',
    validBefore: String(Math.floor(Date.now() / 1000) + (changes.lifeSeconds ?? maxTimeoutSeconds)),
    nonce: `0x${randomBytes(32).toString('hex')}`,
    ...changes.authorization,
  }
  const token: Asset = { address: asset, name: extra.name, version: extra.version, decimals: 6, ...changes.domain }
  const signed = await wallet.account.signTypedData(
    signedTypedData(changes.domain?.network ?? network, token, authorization),
  )
  const signature = changes.signature?.(signed) ?? signed
  return { x402Version: 2, accepted: changes.accepted ?? accept, payload: { authorization, signature } }
}

/** Returns a signed payment in the form of x402 version 1, for `X-PAYMENT`: the same authorization, without the offer. */
export const toV1Payment = ({ accepted: { scheme, network }, payload }: SignedPayment) => ({
  x402Version: 1,
  scheme,
  network: v1NetworkOf(String(network)) ?? network,
  payload,
})

/** Encodes a value for a payment header: base64 of its JSON. */
export const encodeHeader = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64')
