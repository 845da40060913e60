import { eep } from '@eep/core'
import type { Storage } from '@eep/core/ports'
import { cashRail, createTill } from '@eep/core/testing'
import Fastify from 'fastify'
import { openDatabase } from './database.ts'
import { serve } from './server-process.ts'

/** What the parent asks for by their paths. */
export interface Subject {
  readonly url: string
  readonly profile: string
  readonly page: string
  /** The payer who holds an entitlement to the page. */
  readonly payer: Readonly<Record<string, string>>
}

/** What the seller signs in with. */
export const LOGIN = { email: 'ada@example.com', password: 'Correct horse 7 battery' }

/** Cheap, where signing in is not what is measured. */
const CHEAP_KIB = 1_024

async function start(storage: Storage, memoryKiB: number) {
  const till = createTill()
  const app = Fastify()
  await app.register(eep, {
    publicUrl: 'https://profiles.example',
    storage,
    secret: 'a secret for benchmarks, thirty-two characters',
    rails: [cashRail({ till })],
    rateLimit: { multiplier: 1_000_000 },
    passwordHashing: { memoryKiB },
  })
  const url = await app.listen({ port: 0 })

  const post = async (path: string, payload: object, headers: Record<string, string> = {}) =>
    (await app.inject({ method: 'POST', url: path, payload, headers })).json()
  const { token, user } = await post('/auth/register', { ...LOGIN, username: 'ada' })
  const headers = { authorization: `Bearer ${token}` }
  await app.inject({
    method: 'PUT',
    url: '/profiles/u/ada',
    headers,
    payload: {
      full_name: 'Ada Lovelace',
      bio: 'Writes programs for engines. '.repeat(20),
      skills: ['analysis', 'engines'],
    },
  })
  const profileId = user.active_profile_id
  await post('/manage/pages', { profile_id: profileId, title: 'Welcome', body: 'Open.', status: 'published' }, headers)
  const body = 'A paragraph that was paid for. '.repeat(60)
  await post('/manage/pages', { profile_id: profileId, title: 'Paid', body, status: 'published' }, headers)
  const config = {
    default_tier: 'public',
    tiers: {
      public: { requirements: [], access: ['profile.*', 'content.welcome'] },
      reader: {
        requirements: [{ type: 'payment', amount: 0.01, currency: 'usdc', per: 'year' }],
        access: ['content.*'],
      },
    },
  }
  await app.inject({ method: 'PUT', url: '/eep/gates/did:web:profiles.example:u:ada', headers, payload: config })
  const page = '/u/ada/content/paid'
  const challenge = await app.inject({ method: 'GET', url: page })
  const wallet = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc'
  const paid = await app.inject({
    method: 'GET',
    url: page,
    headers: till.answer(challenge.headers['payment-required'], { wallet }),
  })
  if (paid.statusCode !== 200) throw new Error(`the page could not be bought: ${paid.body}`)
  const payer = { 'x-eep-payer-wallet': wallet, 'x-eep-payer-network': 'cash:test' }
  return { url, profile: '/u/ada', page, payer } satisfies Subject
}

interface Order {
  readonly connectionString?: string | undefined
  readonly memoryKiB?: number | undefined
}

// Imported for its names, run for its server.
if (process.argv[1] === import.meta.filename) {
  await serve<Order, Subject>(async ({ connectionString, memoryKiB = CHEAP_KIB }) => {
    const { storage } = await openDatabase(connectionString)
    return start(storage, memoryKiB)
  })
}
