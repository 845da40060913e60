import type { Plan } from '../plan.ts'
import { featureImports } from './host.ts'

/** The lines that make the storage, and those that import for it. */
const storageOf = (database: Plan['database']) =>
  database === 'postgres'
    ? {
        imports: "import { postgresStorage } from '@eep/adapters-postgres'\nimport { Pool } from 'pg'\n",
        lines:
          "  const pool = new Pool({ connectionString: required('DATABASE_URL') })\n  const storage = postgresStorage({ pool })\n",
        end: '    await storage.close()\n    await pool.end()\n',
      }
    : {
        imports: "import { pgliteStorage } from '@eep/adapters-postgres/pglite'\n",
        lines: "  const storage = pgliteStorage({ dataDir: process.env.EEP_DATA_DIR ?? '.data/eep' })\n",
        end: '    await storage.close()\n',
      }

const X402_NETWORK = { test: 'base-sepolia', real: 'base' } as const

function railsOf({ rails, money = 'test' }: Pick<Plan, 'rails' | 'money'>): readonly string[] {
  if (rails.length === 0) return ['sandboxRail({ storage, secret })']
  return rails.map((rail) =>
    rail === 'x402'
      ? `x402Rail({
        network: '${X402_NETWORK[money]}',
        payTo: required('X402_PAY_TO') as \`0x\${string}\`,
        facilitator: remoteFacilitator({ url: required('X402_FACILITATOR_URL') }),
      })`
      : `cardRail({
        secretKey: required('STRIPE_SECRET_KEY'),
        profileId: required('STRIPE_PROFILE_ID'),
        webhookSecret: required('STRIPE_WEBHOOK_SECRET'),
        secret,
      })`,
  )
}

/** `src/eep.ts` of an app that gets the service. */
export function additionFile(plan: Pick<Plan, 'database' | 'rails' | 'money' | 'features'>): string {
  const { database, rails, features } = plan
  const storage = storageOf(database)
  const isSandbox = rails.length === 0
  const own = features === 'everything' ? ['...everything()'] : features.map(({ name }) => `${name}()`)
  const modules = [...own, ...(isSandbox ? ['sandbox()'] : [])]
  const imports = [
    ...(features === 'everything'
      ? ["import { everything } from '@eep/core/everything'\n"]
      : [featureImports(features)]),
    ...(isSandbox ? ["import { sandbox, sandboxMailer, sandboxRail } from '@eep/core/sandbox'\n"] : []),
    ...(rails.includes('stripe') ? ["import { cardRail } from '@eep/payments-card'\n"] : []),
    ...(rails.includes('x402') ? ["import { remoteFacilitator, x402Rail } from '@eep/payments-x402'\n"] : []),
  ]
  return `// The service of profiles and content in this app: create the server with \`Fastify(serverOptions)\`, then call \`await addEep(app)\`.
${storage.imports}import { eep } from '@eep/core'
${imports.join('')}import type { FastifyInstance } from 'fastify'

/** The value of a variable that the service needs. */
function required(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(\`\${name} is not set; .env.eep has it\`)
  return value
}

/** Adds the service to a server, before it listens. */
export async function addEep(app: FastifyInstance): Promise<void> {
${storage.lines}  await storage.migrate()
  const secret = required('EEP_SECRET')
  await app.register(eep, {
    // Part of every link and DID: choose it before there is data.
    publicUrl: process.env.EEP_BASE_URL ?? 'http://localhost:3000',
    storage,
    secret,
    modules: [${modules.join(', ')}],
    payments: {
      rails: [
        ${railsOf(plan).join(',\n        ')},
      ],
    },
${isSandbox ? '    email: { mailer: sandboxMailer({ storage }) },\n' : ''}  })
  app.addHook('onClose', async () => {
${storage.end}  })
${isSandbox ? "  app.addHook('onReady', async () => console.log('Sell', app.eep.sandbox.url))\n" : ''}}
`
}
