import { type LocalChain, walletOf } from '@eep/payments-x402/testing'
import type { TestApp } from './app.ts'
import { client } from './client.ts'

type Headers = Record<string, string>
/** A key or a contract wallet that signs texts. */
export type SigningWallet = LocalChain['wallets']['seller']

export const SITE = 'https://profiles.example'

/** A different key for each number. */
export const keyOf = (number: number): SigningWallet => walletOf(`0x${number.toString(16).padStart(64, '0')}`)

export const askNonce = (app: TestApp, headers: Headers) => client(app).with(headers).post('/auth/siwe/nonce')

export const nonceFor = async (app: TestApp, headers: Headers): Promise<string> =>
  (await askNonce(app, headers)).json<{ nonce: string }>().nonce

/** A message as wallets show it (EIP-4361), with some of it changed. */
export const siweMessage = (wallet: Pick<SigningWallet, 'address'>, nonce: string, changes: Headers = {}): string => {
  const fields: Headers = {
    domain: new URL(SITE).host,
    uri: SITE,
    version: '1',
    chainId: '84532',
    issuedAt: new Date().toISOString(),
    ...changes,
  }
  const lines = [
    `${fields.domain} wants you to sign in with your Ethereum account:`,
    fields.address ?? wallet.address,
    '',
    'Link this wallet to my account.',
    '',
    `URI: ${fields.uri}`,
    `Version: ${fields.version}`,
    `Chain ID: ${fields.chainId}`,
    `Nonce: ${nonce}`,
    `Issued At: ${fields.issuedAt}`,
  ]
  if (fields.expirationTime) lines.push(`Expiration Time: ${fields.expirationTime}`)
  return lines.join('\n')
}

/** A body that `/auth/siwe/verify` takes. */
export async function signedMessage(wallet: SigningWallet, nonce: string, changes: Headers = {}) {
  const message = siweMessage(wallet, nonce, changes)
  return { message, signature: await wallet.account.signMessage({ message }) }
}

export const verifyWallet = (app: TestApp, body: object, headers: Headers) =>
  client(app).post('/auth/siwe/verify', body, headers)

/** Links a wallet to the account of `headers`; the id it has there. */
export async function linkWallet(app: TestApp, wallet: SigningWallet, headers: Headers, changes: Headers = {}) {
  const response = await verifyWallet(app, await signedMessage(wallet, await nonceFor(app, headers), changes), headers)
  if (response.statusCode !== 200) throw new Error(`the wallet was not linked: ${response.body}`)
  return response.json<{ account_wallet_id: string }>().account_wallet_id
}
