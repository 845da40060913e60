import type { Profile } from '../../../ports/storage/profiles.ts'

/** The traits a profile can claim. */
export const CAPABILITIES = [
  'contactable',
  'bookable',
  'purchasable',
  'hireable',
  'streamable',
  'verifiable',
  'agent_compatible',
] as const

export type Capability = (typeof CAPABILITIES)[number]

/** A trait as a skill of an A2A agent card. */
export interface AgentSkill {
  readonly id: Capability
  readonly name: string
  readonly description: string
  readonly tags: readonly string[]
  readonly examples: readonly string[]
}

interface Trait {
  readonly name: string
  /** The description of the trait for a profile called `who`. */
  readonly describe: (profile: string) => string
  readonly tags: readonly string[]
  readonly example: (profile: string) => string
}

const TRAITS: Readonly<Record<Capability, Trait>> = {
  contactable: {
    name: 'Contact',
    describe: (who) => `The profile of ${who} explains how to get in touch.`,
    tags: ['contact'],
    example: (who) => `Find out how to reach ${who}.`,
  },
  bookable: {
    name: 'Book',
    describe: (who) => `${who} accepts bookings for time or places.`,
    tags: ['booking', 'availability'],
    example: (who) => `When is ${who} free?`,
  },
  purchasable: {
    name: 'Buy',
    describe: (who) => `${who} sells products or services.`,
    tags: ['commerce', 'payment'],
    example: (who) => `What does ${who} sell, and at what price?`,
  },
  hireable: {
    name: 'Hire',
    describe: (who) => `${who} takes on work.`,
    tags: ['hiring', 'work'],
    example: (who) => `Does ${who} have the skills for this job?`,
  },
  streamable: {
    name: 'Follow changes',
    describe: (who) => `The change log of ${who} lists what was published and changed.`,
    tags: ['changes'],
    example: (who) => `What has ${who} changed since last week?`,
  },
  verifiable: {
    name: 'Verify',
    describe: (who) => `The identity of ${who} can be checked by its DID.`,
    tags: ['identity', 'did'],
    example: (who) => `Is this really ${who}?`,
  },
  agent_compatible: {
    name: 'Work with agents',
    describe: (who) => `${who} is made to be read and used by agents.`,
    tags: ['agents', 'automation'],
    example: (who) => `Read the instructions that ${who} has for agents.`,
  },
}

/** The traits of a profile, each once and in the order of the interface. */
export const capabilitiesOf = ({ capabilities }: Pick<Profile, 'capabilities'>): readonly Capability[] =>
  CAPABILITIES.filter((capability) => capabilities.includes(capability))

/** The traits of a profile as skills of an agent card; none for a profile that claims none. */
export const skillsOf = (profile: Pick<Profile, 'capabilities' | 'fullName' | 'username'>): readonly AgentSkill[] => {
  const who = profile.fullName ?? profile.username
  return capabilitiesOf(profile).map((id) => {
    const { name, describe, tags, example } = TRAITS[id]
    return { id, name, description: describe(who), tags, examples: [example(who)] }
  })
}
