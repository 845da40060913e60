import type { Hex, PublicClient } from 'viem'
import { isEmptyAnswer, revertSentence } from './chain-client.ts'
import { tokenMethods } from './token.ts'

const magicValue = '0x1626ba7e'

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
  const code = await client.getCode({ address })
  if (!code || code === '0x') return false
  const { isValidSignature } = tokenMethods
  try {
    const args = [digest, signature]
    const answer = await client.readContract({
      address,
      abi: [isValidSignature],
      functionName: isValidSignature.name,
      args,
    })
    return answer === magicValue
  } catch (error) {
    if (revertSentence(error) === undefined && !isEmptyAnswer(error)) throw error
    return false
  }
}
