import { postgresStorage } from '@eep/adapters-postgres'
import { directoryBlobs, eep as eepPlugin } from '@eep/core'
import type { PaymentRail, Storage, Stores } from '@eep/core/ports'
import Fastify from 'fastify'
import { Pool } from 'pg'

/**
 * A host that dies by SIGKILL at one point of a payment. It is started as a process of its own:
 * `DATABASE_URL`, `DIE_AT`, one of {@link CrashPoint}, or none to be killed from outside, and what its rails need:
 * `RPC_URL`, `FACILITATOR_KEY` and `PAY_TO` to be paid on a chain, `STRIPE_URL` and `STRIPE_KEY` to be paid by card. It
 * prints its port. Files are kept in `BLOBS`, where it names a directory.
 */
export const CRASH_POINTS = [
  'before-claim',
  'after-claim',
  'before-settle',
  'after-settle',
  'while-recording',
  'after-recording',
] as const

export type CrashPoint = (typeof CRASH_POINTS)[number]

const dieAt = process.env.DIE_AT as CrashPoint | undefined

function die(at: CrashPoint): void {
  if (dieAt === at) process.kill(process.pid, 'SIGKILL')
}

/** Never comes back from a point where the process dies: the signal needs a moment. */
async function reach(at: CrashPoint): Promise<void> {
  if (dieAt !== at) return
  die(at)
  await new Promise(() => {})
}

const fatalStores = (tx: Stores, seen: Set<string>): Stores => ({
  ...tx,
  payments: new Proxy(tx.payments, {
    get(target, name: keyof Stores['payments']) {
      const method = target[name] as (...args: unknown[]) => Promise<unknown>
      return async (...args: unknown[]) => {
        if (name === 'claim') await reach('before-claim')
        const result = await method.apply(target, args)
        seen.add(name)
        if (name === 'settle') await reach('while-recording')
        return result
      }
    },
  }),
})

const fatalStorage = (storage: Storage): Storage => ({
  ...storage,
  async transaction(work) {
    const seen = new Set<string>()
    const result = await storage.transaction((tx) => work(fatalStores(tx, seen)))
    if (seen.has('claim')) await reach('after-claim')
    if (seen.has('settle')) await reach('after-recording')
    return result
  },
})

const fatalRail = (rail: PaymentRail): PaymentRail => ({
  ...rail,
  async settle(...args) {
    await reach('before-settle')
    const settlement = await rail.settle(...args)
    await reach('after-settle')
    return settlement
  },
})

const SECRET = 'a secret for tests, of thirty-two characters or more'

/** Only what is asked for: to load a rail takes longer than all else. */
async function chosenRails(): Promise<readonly PaymentRail[]> {
  const { RPC_URL, FACILITATOR_KEY = '', PAY_TO = '', STRIPE_URL, STRIPE_KEY = '' } = process.env
  const rails: PaymentRail[] = []
  if (STRIPE_URL !== undefined) {
    const { cardRail } = await import('@eep/payments-card')
    const shared = { secret: SECRET, profileId: 'profile_test_seller', timeoutMs: 1_000 }
    rails.push(cardRail({ secretKey: STRIPE_KEY, apiBase: STRIPE_URL, ...shared }) as unknown as PaymentRail)
  }
  if (RPC_URL !== undefined) {
    const { localFacilitator, x402Rail } = await import('@eep/payments-x402')
    const network = 'base-sepolia'
    const facilitator = localFacilitator({ network, rpcUrl: RPC_URL, privateKey: FACILITATOR_KEY as `0x${string}` })
    rails.push(x402Rail({ network, rpcUrl: RPC_URL, payTo: PAY_TO, facilitator }) as unknown as PaymentRail)
  }
  return rails
}

async function main() {
  const { DATABASE_URL, BLOBS, PORT = '0' } = process.env
  const app = Fastify()
  await app.register(eepPlugin, {
    publicUrl: 'https://profiles.example',
    secret: SECRET,
    storage: fatalStorage(postgresStorage({ pool: new Pool({ connectionString: DATABASE_URL }) })),
    rails: (await chosenRails()).map(fatalRail),
    rateLimit: { multiplier: 1_000 },
    passwordHashing: { memoryKiB: 1_024 },
    settlementLeaseMs: 500,
    ...(BLOBS !== undefined && { blobs: directoryBlobs({ directory: BLOBS }) }),
  })
  const address = await app.listen({ port: Number(PORT) })
  process.stdout.write(`listening on ${address}\n`)
}

// Imported by the test for the names of its points; run by it as a program.
if (process.argv[1] === import.meta.filename) await main()
