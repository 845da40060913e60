import { z } from 'zod'
import type { JsonObject } from '../../../kernel/json.ts'
import type { GateConfig } from '../../../model/gate-config.ts'
import { gatedFields } from '../../../model/gated-fields.ts'
import { agentData } from '../../../model/type-data/agent.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { profilePath, withoutFields } from '../../profiles/profiles/index.ts'

/** The type of the document (ERC-8004, `registration-v1`). */
const TYPE = 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1'
const A2A_VERSION = '0.3.0'

export const registrationSchema = z
  .looseObject({
    type: z.literal(TYPE),
    name: z.string(),
    description: z.string(),
    image: z.string().optional(),
    services: z.array(z.object({ name: z.string(), endpoint: z.string(), version: z.string().optional() })),
    x402Support: z.boolean(),
    active: z.boolean(),
    registrations: z.array(z.object({ agentId: z.int(), agentRegistry: z.string() })),
    supportedTrust: z.array(z.string()),
    'x-eep': z.object({ verified: z.literal(false) }),
  })
  .meta({ id: 'AgentRegistration' })

/** What a registration depends on. */
export interface RegistrationInput {
  readonly profile: Profile
  readonly did: string
  readonly publicUrl: string
  readonly gates: GateConfig | undefined
  /** Whether the profile has an agent card. */
  readonly hasCard: boolean
  /** Whether something of the profile is sold by x402 now. */
  readonly sellsByX402: boolean
  /** The addresses that receive payments, by CAIP-2 network. */
  readonly payTo: Readonly<Record<string, string>>
}

const registrationsOf = ({ type, typeData }: Profile, gates: GateConfig | undefined) => {
  const isOpen = !gatedFields(gates).some(({ field }) => field === 'type_data')
  const { success, data } = agentData.shape.registrations.safeParse(typeData.registrations)
  return type === 'agent' && isOpen && success ? (data ?? []) : []
}

/**
 * Describes an agent as its owner registered it on chains (ERC-8004), with the endpoints that exist. The registration on the chain is not
 * checked, which `x-eep.verified` states. Undefined for a profile that states no registration.
 */
export function agentRegistration(input: RegistrationInput): JsonObject | undefined {
  const { did, publicUrl, gates, hasCard, sellsByX402, payTo } = input
  const registrations = registrationsOf(input.profile, gates)
  if (registrations.length === 0) return undefined
  const profile = withoutFields(input.profile, gatedFields(gates))
  const url = publicUrl + profilePath(profile)
  const name = profile.fullName ?? profile.username
  const image = profile.avatarUrl === null ? undefined : new URL(profile.avatarUrl, publicUrl).href
  const wallets = sellsByX402 ? Object.entries(payTo).map(([network, address]) => `${network}:${address}`) : []
  return {
    type: TYPE,
    name,
    description: profile.bio ?? `The agent ${name}.`,
    ...(image === undefined ? {} : { image }),
    services: [
      { name: 'web', endpoint: url },
      ...(hasCard ? [{ name: 'A2A', endpoint: `${url}/agent-card.json`, version: A2A_VERSION }] : []),
      { name: 'DID', endpoint: did },
      ...wallets.map((endpoint) => ({ name: 'agentWallet', endpoint })),
    ],
    x402Support: sellsByX402,
    active: profile.visibility === 'public',
    registrations: registrations.map(({ agentId, agentRegistry }) => ({ agentId, agentRegistry })),
    supportedTrust: [],
    'x-eep': { verified: false },
  }
}
