import type { ClassifyReader } from '@eep/core'
import type { Shop } from './shop.ts'

/** What the edge of a host found, as it reports to the service in the header `x-edge`. */
export const classify: ClassifyReader = ({ headers }) => {
  const [kind, origin = ''] = String(headers['x-edge'] ?? '').split(' ')
  if (kind === 'person') return { person: true }
  return kind === 'bot' ? { bot: { origin } } : undefined
}

/** The headers of a person. */
export const PERSON = { 'x-edge': 'person' }

/** The headers of a program whose signature the edge verified. */
export const BOT = { 'x-edge': 'bot https://crawler.example' }

export const audience = (...any_of: readonly string[]) => ({ type: 'x-audience', any_of })

export const payment = (amount: number, per = 'day') => ({ type: 'payment', amount, currency: 'usdc', per })

/** Saves a gate whose default tier opens everything that no other tier guards. */
export async function putGate(shop: Shop, tiers: object): Promise<void> {
  const open = { requirements: [], access: ['profile.*', 'content.*', 'files.*'] }
  const gate = { default_tier: 'public', tiers: { public: open, ...tiers } }
  const saved = await shop.put(`/eep/gates/${shop.did.replaceAll('%', '%25')}`, gate)
  if (saved.statusCode !== 200) throw new Error(`expected 200, got ${saved.statusCode}: ${saved.body}`)
}
