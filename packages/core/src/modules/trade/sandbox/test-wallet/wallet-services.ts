import type { CoreContext } from '../../../../framework/module/context.ts'
import type { SandboxSigner } from '../../../../ports/sandbox-signer.ts'
import { createFaucet } from './faucet.ts'
import { createTestWallets } from './test-wallets.ts'

/** Creates the faucet, and the test wallets of browsers if there is what signs for them. */
export function createWalletServices(
  { read, write, clock, counters, keyring, publicUrl, settings }: CoreContext<'sandbox'>,
  signer: SandboxSigner | undefined,
) {
  const faucet = createFaucet({ write, clock, counters })
  const [key] = keyring.shared('test-wallets')
  const ownUrls = [publicUrl, settings.frontendUrl]
  return { faucet, testWallets: signer && createTestWallets({ read, clock, signer, faucet, key, ownUrls }) }
}
