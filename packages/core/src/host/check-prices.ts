import { unpayableTiers } from '../modules/access/gates/index.ts'
import type { PaymentRail } from '../ports/payment-rail.ts'
import type { OptionalGroup } from '../ports/storage/groups.ts'
import type { Storage } from '../ports/storage/storage.ts'
import { type Found, ok, warning } from './check.ts'

/** How many profiles are read in one step, and for how long the check may last. */
const STEP = 200
const LIMIT_MS = 10_000
/** How many gates a finding names. */
const MAX_NAMED = 10

/** Names the gates with an unpayable price, for example since a rail was removed. */
export async function checkPrices(
  { read }: Pick<Storage<OptionalGroup>, 'read'>,
  rails: readonly PaymentRail[],
): Promise<Found> {
  const endsAt = Date.now() + LIMIT_MS
  const found: string[] = []
  let after = 0
  let isWhole = false
  while (!isWhole && Date.now() < endsAt) {
    const ids = await read.searchSources.listIds('profile', { after, limit: STEP })
    for (const gate of await Promise.all(ids.map((id) => read.gates.get(id)))) {
      const tiers = gate ? unpayableTiers(gate.config, rails) : []
      const profile = gate && tiers.length > 0 ? await read.profiles.get(gate.profileId) : undefined
      if (profile) found.push(`${profile.type} ${profile.username}: ${tiers.join(', ')}`)
    }
    after = ids.at(-1) ?? after
    isWhole = ids.length < STEP
  }
  const scope = isWhole ? '' : `; only profiles up to the id ${after} were read`
  if (found.length === 0) return ok(`each gate has a price that a payment method takes${scope}`)
  const more = found.length > MAX_NAMED ? `; and ${found.length - MAX_NAMED} more` : ''
  return warning(
    `tiers of ${found.length} gates have a price that no payment method takes: ${found.slice(0, MAX_NAMED).join('; ')}${more}${scope}`,
    'Configure a payment method that takes these prices, or let the owners change them',
  )
}
