import type { Plan } from '../plan.ts'
import type { Secrets } from '../secrets.ts'

const X402 = {
  test: {
    network: 'eip155:84532',
    title: 'test USDC on Base Sepolia',
    facilitator: 'https://x402.org/facilitator',
    rpc: 'https://sepolia.base.org',
  },
  real: { network: 'eip155:8453', title: 'USDC on Base', facilitator: '', rpc: 'https://mainnet.base.org' },
} as const

const STRIPE = {
  test: { title: 'test cards of Stripe', key: 'sk_test_' },
  real: { title: 'cards, through Stripe', key: 'sk_live_' },
} as const

/** The variables of the rails, switched off: until they are set, the host takes play money. */
function railVariables({ rails, money = 'test' }: Pick<Plan, 'rails' | 'money'>): string {
  if (rails.length === 0) return ''
  const { network, title, facilitator, rpc } = X402[money]
  const x402 = `
# ${title}: the address that receives the money, and a facilitator that settles payments.
# X402_NETWORK=${network}
# X402_PAY_TO=0x
# X402_FACILITATOR_URL=${facilitator}
# X402_RPC_URL=${rpc}
`
  const { title: cards, key } = STRIPE[money]
  const stripe = `
# ${cards}: from its dashboard. The webhook is <EEP_BASE_URL>/eep/payment/stripe/webhook.
# STRIPE_SECRET_KEY=${key}
# STRIPE_PROFILE_ID=profile_
# STRIPE_WEBHOOK_SECRET=whsec_
`
  return `
# Until these are set, this host is a sandbox: it takes play money. A database takes one kind of money for life, so money has its own
# data directory.
${rails.includes('x402') ? x402 : ''}${rails.includes('stripe') ? stripe : ''}`
}

/** `.env`: secrets and settings of one machine. */
export const environmentFile = (
  { database, rails, money }: Pick<Plan, 'database' | 'rails' | 'money'>,
  { name, secrets }: { readonly name: string; readonly secrets: Secrets },
): string => `# Secrets and settings of this machine. Never commit this file; production needs its own.
PORT=3000
# Part of every link and identifier (did:web): choose it before there is data.
EEP_BASE_URL=http://localhost:3000

# Signs sessions, links and cookies. Several with commas between them: the first signs, all verify.
EEP_SECRET=${secrets.secret}
# Signs receipts and documents.
EEP_SIGNING_KEY=${secrets.signingKey}
${
  database === 'postgres'
    ? `
# docker run -d -p 5432:5432 -e POSTGRES_PASSWORD=postgres -e POSTGRES_DB=${name} postgres:18
DATABASE_URL=postgres://postgres:postgres@localhost:5432/${name}
`
    : '\n# The database is embedded, in .data. To use a PostgreSQL server instead:\n# DATABASE_URL=postgres://postgres:postgres@localhost:5432/postgres\n'
}${railVariables({ rails, money })}`
