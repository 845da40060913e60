import type { Values } from './variables.ts'

const DEFAULT_NETWORK = 'base-sepolia'

/** Test networks, whose tokens have no value. */
const TEST_NETWORKS = new Set([
  'base-sepolia',
  'eip155:84532',
  'eip155:11155111', // Sepolia
  'eip155:421614', // Arbitrum Sepolia
  'eip155:11155420', // OP Sepolia
  'eip155:80002', // Polygon Amoy
  'eip155:43113', // Avalanche Fuji
  'eip155:11142220', // Celo Sepolia
  'eip155:10143', // Monad Testnet
  'eip155:31337', // Anvil and Hardhat
])

/** Returns warnings for production hosts: missing durability, email and payments. */
export function* productionWarnings(values: Values) {
  if (values.EEP_BASE_URL === undefined) {
    yield 'EEP_BASE_URL is not set, so links and identifiers name the address of the listener'
  }
  if (values.SMTP_URL === undefined) {
    yield 'SMTP_URL is not set, so no email is delivered: each is a file in the directory mail of EEP_DATA_DIR'
  }
  if (values.DATABASE_URL === undefined) {
    yield 'DATABASE_URL is not set, so the embedded database is used: a power failure can lose the last writes, of payments too'
  }
  if (values.S3_BUCKET === undefined) {
    yield 'S3_BUCKET is not set, so uploads are stored in the directory files of EEP_DATA_DIR: keep it on a volume and back it up'
  }
  yield* paymentWarnings(values)
}

function* paymentWarnings({
  X402_FACILITATOR_URL: url,
  X402_FACILITATOR_KEY: key,
  X402_NETWORK: network = DEFAULT_NETWORK,
  STRIPE_SECRET_KEY: stripe,
  STRIPE_PROFILE_ID: profile,
}: Values) {
  const onChain = url !== undefined || key !== undefined
  if (!onChain && (stripe === undefined || profile === undefined)) {
    yield 'No payment rail is configured, so pages with a price cannot be bought: set X402_FACILITATOR_URL, or STRIPE_SECRET_KEY and STRIPE_PROFILE_ID'
  }
  if (onChain && TEST_NETWORKS.has(network)) {
    yield `X402_NETWORK is ${network}, a test network: payments are worth nothing`
  }
  if (stripe?.includes('_test_')) {
    yield 'STRIPE_SECRET_KEY is a test key: no card is charged, and anyone who knows a test card number opens every page with a price'
  }
}
