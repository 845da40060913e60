import { defineError } from '../../../../kernel/errors.ts'

export const testWalletNotFound = defineError('test_wallet_not_found', 404, 'This browser has no test wallet')
export const testWalletRefused = defineError(
  'test_wallet_refused',
  403,
  'Test wallets sign payments in the test token and sign-in messages of this service, on the network of the sandbox',
)
export const faucetLimitReached = defineError(
  'faucet_limit_reached',
  429,
  'The faucet fills a wallet ten times a minute; try again later',
)
export const faucetEmpty = defineError(
  'faucet_empty',
  503,
  'There are too many test wallets; unused ones are deleted after seven days',
)
