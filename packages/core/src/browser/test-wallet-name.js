// The name by which the pages of a sandbox know the test wallet (`rdns` of EIP-6963).

export const TEST_WALLET_NAME = 'example.test-wallet'
