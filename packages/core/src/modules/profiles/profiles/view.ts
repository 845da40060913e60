import type { PartReader, PartSubject, ProfilePart, ProfileSection } from '../../../framework/module/profile-part.ts'
import type { GateConfig } from '../../../model/gate-config.ts'
import { type GateableField, type GatedField, gatedFields } from '../../../model/gated-fields.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { OptionalGroup } from '../../../ports/storage/storage.ts'
import { didOf, profilePath } from './did.ts'
import type { LinkKeys } from './link-keys.ts'
import type { SafePart } from './safe-part.ts'

/** How the events of a profile can be followed. */
export interface FollowedEvents {
  /** `sse`, `webhook` or `websocket`. */
  readonly delivery: readonly string[]
  readonly types: readonly string[]
}

/** A part of a profile that was read. */
export interface LoadedPart {
  readonly part: SafePart
  readonly items: readonly unknown[]
}

/** A profile with the data of its public document. */
export interface ProfileView {
  readonly profile: Profile
  readonly gates: GateConfig | undefined
  /** What modules add, in the order of the modules. Those of modules that are off, and those that failed, are missing. */
  readonly parts: readonly LoadedPart[]
  readonly linkKeys: Pick<LinkKeys, 'keyOf'>
  /** 0 to 100. */
  readonly trustScore?: number | undefined
  /** How its events can be followed; default: they cannot. */
  readonly events?: FollowedEvents | undefined
  /** The fields that are omitted because of the gate. */
  readonly closed?: readonly GatedField[] | undefined
}

/** Whether any field of a profile is gated. */
export const isGated = ({ gates }: Pick<ProfileView, 'gates'>): boolean =>
  gates !== undefined && Object.values(gates.tiers).some(({ requirements }) => requirements.length > 0)

/** A profile as its parts see it. */
export const partSubject = (
  { profile, gates, linkKeys }: Pick<ProfileView, 'profile' | 'gates' | 'linkKeys'>,
  publicUrl: string,
): PartSubject => ({
  profile,
  gates,
  publicUrl,
  did: didOf(publicUrl, profile),
  path: profilePath(profile),
  linkKeyOf: (kind, id) => (profile.visibility === 'unlisted' ? linkKeys.keyOf(kind, profile.id, id) : undefined),
})

/** What the gate needs of a part. */
interface GateablePart {
  readonly key: string
  readonly resource?: string | undefined
}

/** Whether the gate closes a part to the readers of a view. */
const isClosed = ({ resource }: GateablePart, closed: readonly GatedField[]): boolean =>
  closed.some((field) => field.resource === resource)

/** The fields that gates can close in addition to those of the profile. */
export const partFields = (parts: readonly { readonly part: GateablePart }[]): readonly GateableField[] =>
  parts.flatMap(({ part: { key: field, resource } }) => (resource === undefined ? [] : [{ field, resource }]))

/** The parts that the gate opens to the readers of a view. */
export const openParts = ({ parts, closed = [] }: Pick<ProfileView, 'parts' | 'closed'>): readonly LoadedPart[] =>
  parts.filter(({ part }) => !isClosed(part, closed))

/** The parts that everyone sees: those that the gate does not close. */
export function publicParts<Added extends { readonly part: GateablePart }>({
  parts,
  gates,
}: {
  readonly parts: readonly Added[]
  readonly gates: GateConfig | undefined
}): readonly Added[] {
  const closed = gatedFields(gates, partFields(parts))
  return parts.filter(({ part }) => !isClosed(part, closed))
}

/** The parts at a place of a document, in their order: the one that is the section, then those that follow it. */
export const partsAt = (parts: readonly LoadedPart[], section: ProfileSection): readonly LoadedPart[] => [
  ...parts.filter(({ part }) => part.key === section),
  ...parts.filter(({ part }) => part.after === section && part.key !== section),
]

/** The items of the parts that a reader sees. */
export const partsFor = (parts: readonly LoadedPart[], reader: PartReader): readonly LoadedPart[] =>
  parts.map(({ part, items }) => ({ part, items: part.select(items, reader) }))

/** Whether documents depend on the type of the agent that reads. */
export const dependsOnReader = ({ parts }: Pick<ProfileView, 'parts'>): boolean =>
  parts.some(({ part }) => part.dependsOnReader)

/** Whether the team sees items that others do not. */
export const hasTeamItems = ({ parts }: Pick<ProfileView, 'parts'>): boolean =>
  parts.some(({ part, items }) => items.some((item) => part.isForTeam(item)))

/** The items of a part, for all readers; undefined when it is missing. */
export const itemsOf = <Item, With extends OptionalGroup>(
  { parts }: Pick<ProfileView, 'parts'>,
  part: ProfilePart<Item, With>,
): readonly Item[] | undefined =>
  // A part has the items that it loads.
  parts.find((each) => each.part.key === part.key)?.items as readonly Item[] | undefined
