// #region x402
import { x402Client, x402HTTPClient } from '@x402/core/client'
import { ExactEvmScheme } from '@x402/evm'
import { createSIWxClientExtension } from '@x402/extensions/sign-in-with-x'
import { wrapFetchWithPayment } from '@x402/fetch'
import type { PrivateKeyAccount } from 'viem'
import { patient } from './patience.ts'

/** A `fetch` that proves earlier purchases of a wallet, and otherwise pays for a page up to a limit. */
export function payingFetch(account: PrivateKeyAccount, limit: `$${number}` = '$1'): typeof fetch {
  const client = new x402Client().register('eip155:*', new ExactEvmScheme(account))
  client.setSpendControls({ maxAmountPerPayment: limit })
  client.registerExtension(createSIWxClientExtension({ signers: [account] }))
  return wrapFetchWithPayment(patient(fetch), new x402HTTPClient(client))
}
// #endregion
