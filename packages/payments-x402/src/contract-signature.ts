import type { Hex, PublicClient } from 'viem'
import { isOutOfGas, revertSentence } from './chain-client.ts'
import { tokenMethods } from './token.ts'

/** The magic value of EIP-1271 as a word. */
const magicAnswer: Hex = `0x1626ba7e${'0'.repeat(56)}`

/** Foreign code may occupy the node for this much gas. Checking a passkey without a precompile needs about 400,000. */
const MAX_GAS = 2_000_000n

/** Whether an address runs code: a contract wallet, or a key that delegates to a contract (EIP-7702). */
export async function hasCode(client: PublicClient, address: string): Promise<boolean> {
  const code = await client.getCode({ address: address as Hex })
  return code !== undefined && code !== '0x'
}

/**
 * Whether a contract wallet confirms a signature (EIP-1271). False when there is no contract. Rejects when the chain
 * is unreachable.
 */
export async function isSignedByContract(
  client: PublicClient,
  digest: Hex,
  signer: string,
  signature: string,
): Promise<boolean> {
  const address = signer as Hex
  if (!(await hasCode(client, address))) return false
  const { isValidSignature } = tokenMethods
  const { encodeFunctionData } = await import('viem')
  const args = [digest, signature]
  const call = encodeFunctionData({ abi: [isValidSignature], functionName: isValidSignature.name, args })
  try {
    const { data = '0x' } = await client.call({ to: address, data: call, gas: MAX_GAS })
    return data === magicAnswer
  } catch (error) {
    if (revertSentence(error) === undefined && !isOutOfGas(error)) throw error
    return false
  }
}
