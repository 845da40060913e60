import { ExactEvmScheme } from '@x402/evm'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { privateKeyToAccount } from 'viem/accounts'

// A wallet of every local chain, with 1,000 USDC. Its key is public: never use it on another chain.
const buyer = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const client = new x402Client().register('eip155:84532', new ExactEvmScheme(buyer))
const payingFetch = wrapFetchWithPayment(fetch, client)

const response = await payingFetch('http://localhost:3000/u/ada/content/engines')
console.log('status:', response.status)
console.log(await response.text())
const { success, transaction } = decodePaymentResponseHeader(response.headers.get('payment-response') ?? '')
console.log('settled:', success, transaction)
