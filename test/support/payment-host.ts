import { flushCompileCache } from 'node:module'
import { postgresStorage } from '@eep/adapters-postgres'
import { eep as eepPlugin } from '@eep/core'
import { everything } from '@eep/core/everything'
import { directoryBlobs } from '@eep/core/files'
import { defineTool } from '@eep/core/mcp'
import { defineModule } from '@eep/core/module'
import type { OptionalGroup, PaymentRail, Storage } from '@eep/core/ports'
import { sandbox, sandboxRail } from '@eep/core/sandbox'
import Fastify, { type FastifyInstance } from 'fastify'
import { Pool } from 'pg'
import { z } from 'zod'
import { obeyTest, reach, watchedStore } from './crash-points.ts'

/**
 * A host that kills itself with SIGKILL at one point of a payment. Start it as a separate process:
 * `DATABASE_URL`, `DIE_AT`, one of {@link CrashPoint}, or unset, to be killed from outside or to be set later with `change`, and what its rails need:
 * `RPC_URL`, `FACILITATOR_KEY` and `PAY_TO` to be paid on a chain, `FACILITATOR_URL` to be paid through a facilitator, `STRIPE_URL` and `STRIPE_KEY` to be paid
 * by card, or `SANDBOX` to be paid with test cards. It prints its port. Files are kept in `BLOBS`, where it names a directory.
 */
export const CRASH_POINTS = [
  'before-claim',
  'after-claim',
  'before-settle',
  'after-settle',
  'while-recording',
  'after-recording',
] as const

/** The points of a paid request, of which some are those of its payment. */
export const REQUEST_CRASH_POINTS = [
  'before-claim',
  'after-claim',
  'in-handler',
  'before-measure',
  'after-measure',
  'before-settle',
  'after-settle',
  'while-recording',
  'after-recording',
  'before-delivered',
] as const

export type CrashPoint = (typeof CRASH_POINTS)[number] | (typeof REQUEST_CRASH_POINTS)[number]

const at = (point: CrashPoint): Promise<void> => reach(point)

const fatalStorage = (storage: Storage<OptionalGroup>): Storage<OptionalGroup> =>
  watchedStore(storage, 'payments', {
    async before(method) {
      if (method === 'claim') await at('before-claim')
    },
    async after(method) {
      if (method === 'settle') await at('while-recording')
    },
    async committed(called) {
      if (called.has('claim')) await at('after-claim')
      if (called.has('settle')) await at('after-recording')
    },
  })

const fatalRequests = (storage: Storage<OptionalGroup>): Storage<OptionalGroup> =>
  watchedStore(storage, 'paidRequests', {
    async before(method) {
      if (method === 'claim') await at('before-claim')
      if (method === 'measure') await at('before-measure')
      if (method === 'endDelivery') await at('before-delivered')
    },
    after: async () => undefined,
    async committed(called) {
      if (called.has('claim')) await at('after-claim')
      if (called.has('measure')) await at('after-measure')
    },
  })

/** Sells requests for the profile of `SELLER`, charged before and after they are answered. */
function sellRequests(app: FastifyInstance, seller: number): void {
  for (const charge of ['before', 'after'] as const) {
    const sold = app.eep.paidRoute({
      profile: seller,
      resource: `api.${charge}`,
      price: { amount: 0.01, currency: 'usdc', per: 'request' },
      charge,
    })
    app.post(`/requests/${charge}`, sold, async ({ body }) => {
      await at('in-handler')
      return { answered: body }
    })
  }
}

/** Sells the same as tools. */
const sellTools = (profile: number) =>
  defineModule({
    name: 'sold-tools',
    mcp: () => ({
      tools: (['before', 'after'] as const).map((charge) =>
        defineTool({
          name: `answer_${charge}`,
          title: 'Answer',
          description: 'Answers with its arguments',
          input: z.object({ point: z.string() }),
          output: z.object({ answered: z.object({ point: z.string() }) }),
          price: { amount: 0.01, currency: 'usdc', per: 'request' },
          charge,
          profile,
          async run(answered) {
            await at('in-handler')
            return { answered }
          },
        }),
      ),
    }),
  })

const fatalRail = (rail: PaymentRail): PaymentRail => ({
  ...rail,
  async settle(...args) {
    await at('before-settle')
    const settlement = await rail.settle(...args)
    await at('after-settle')
    return settlement
  },
})

const SECRET = 'a secret for tests, of thirty-two characters or more'

/** Only what is asked for: to load a rail takes longer than all else. */
async function chosenRails(storage: Storage): Promise<readonly PaymentRail[]> {
  const { SANDBOX, RPC_URL, FACILITATOR_URL, FACILITATOR_KEY = '', PAY_TO = '' } = process.env
  const { STRIPE_URL, STRIPE_KEY = '' } = process.env
  const rails: PaymentRail[] = []
  if (SANDBOX !== undefined) rails.push(sandboxRail({ storage, secret: SECRET }))
  if (STRIPE_URL !== undefined) {
    const { cardRail } = await import('@eep/payments-card')
    const shared = { secret: SECRET, profileId: 'profile_test_seller' }
    rails.push(cardRail({ secretKey: STRIPE_KEY, apiBase: STRIPE_URL, ...shared }))
  }
  if (RPC_URL !== undefined) {
    const { localFacilitator, x402Rail } = await import('@eep/payments-x402')
    const network = 'base-sepolia'
    const facilitator = localFacilitator({ network, rpcUrl: RPC_URL, privateKey: FACILITATOR_KEY as `0x${string}` })
    rails.push(x402Rail({ network, rpcUrl: RPC_URL, payTo: PAY_TO, facilitator }))
  }
  if (FACILITATOR_URL !== undefined) {
    const { remoteFacilitator } = await import('@eep/payments-x402')
    const { railOf } = await import('./recording-facilitator.ts')
    rails.push(railOf(remoteFacilitator({ url: FACILITATOR_URL })))
  }
  return rails
}

async function main() {
  const { DATABASE_URL, BLOBS, PORT = '0' } = process.env
  obeyTest()
  const app = Fastify()
  const storage = postgresStorage({ pool: new Pool({ connectionString: DATABASE_URL }) })
  await app.register(eepPlugin, {
    modules: [
      ...everything(BLOBS === undefined ? {} : { files: { blobStore: directoryBlobs({ directory: BLOBS }) } }),
      ...(process.env.SANDBOX === undefined ? [] : [sandbox()]),
      ...(process.env.SELLER === undefined ? [] : [sellTools(Number(process.env.SELLER))]),
    ],
    publicUrl: 'https://profiles.example',
    secret: SECRET,
    storage: fatalRequests(fatalStorage(storage)),
    payments: { rails: (await chosenRails(storage)).map(fatalRail), settlementLeaseMs: 500 },
    limits: { rateLimit: { multiplier: 1_000 } },
    auth: { passwordHashing: { memoryKiB: 1_024 } },
  })
  if (process.env.SELLER !== undefined) sellRequests(app, Number(process.env.SELLER))
  const address = await app.listen({ port: Number(PORT) })
  process.stdout.write(`listening on ${address}\n`)
  // A process that is killed does not keep what it compiled.
  flushCompileCache()
}

// Imported by the test for the names of its points; run by it as a program.
if (process.argv[1] === import.meta.filename) await main()
