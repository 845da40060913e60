import type { FastifyReply, FastifyRequest } from 'fastify'
import { reportRead } from '../../../http/pipeline/count-visits.ts'
import { type EepError, isEepError } from '../../../kernel/errors.ts'
import { coveringTiers, namesAudiences } from '../../../model/gate-rules.ts'
import type { GateableField, GatedField } from '../../../model/gated-fields.ts'
import { fieldResource, PROFILE_FIELDS, PROFILE_RESOURCE } from '../../../model/profile-fields.ts'
import type { Visit } from '../../../model/visit.ts'
import {
  credentialsOf,
  type GatedResource,
  type Paywall,
  presentsPayment,
  requireAccess,
} from '../../access/paywall/index.ts'
import {
  type ProfileService,
  type PublicProfile,
  profilePath,
  type ShownProfile,
} from '../../profiles/profiles/index.ts'

export interface ProfileGateServices {
  readonly profiles: Pick<ProfileService, 'roleOf'>
  readonly paywall: Paywall
}

/** A profile with the fields that a request may see. */
export interface OpenProfile extends ShownProfile {
  /** The response is not public. */
  readonly restricted: boolean
  /** The request presented a payment: send the whole response, never a 304. */
  readonly paid: boolean
}

/** A profile that was read. */
export interface ReadProfile extends OpenProfile {
  readonly visit: Visit
}

/** When no field is open, only the public part is left, and a tier opens the profile as a whole. */
const isClosedAsWhole = ({ gated, gates }: PublicProfile, open: ReadonlySet<string>): boolean =>
  PROFILE_FIELDS.every((name) => gated.some(({ resource }) => resource === fieldResource(name))) &&
  open.size === 0 &&
  gates !== undefined &&
  coveringTiers(gates, PROFILE_RESOURCE).length > 0

/** Whether a request names a field, or a part that is closed with it. */
const isWanted = ({ field, resource }: GatedField, { parts }: PublicProfile, wanted: readonly string[]): boolean =>
  wanted.includes(field) || parts.some(({ part }) => part.resource === resource && wanted.includes(part.key))

const reachable = (fields: readonly GatedField[]): GatedField | undefined =>
  fields.find(({ tiers }) => tiers.length > 0) ?? fields[0]

/** A profile or one of its fields or parts as a resource of its gate. */
export function resourceOf({ profile, document }: PublicProfile, gated: GateableField | undefined): GatedResource {
  const name = profile.fullName ?? profile.username
  return {
    profile,
    name: gated === undefined ? PROFILE_RESOURCE : gated.resource,
    path: gated === undefined ? profilePath(profile) : `${profilePath(profile)}?fields=${gated.field}`,
    description: name,
    preview: document.data,
    role: undefined,
  }
}

/** The fields of a profile that a request may see without a new payment. */
export async function shownTo(
  request: FastifyRequest,
  known: PublicProfile,
  { profiles, paywall }: ProfileGateServices,
): Promise<OpenProfile> {
  const { gated, whole, profile, gate } = known
  if (gated.length === 0) return { ...whole, restricted: false, paid: false }
  const { caller } = request.eep
  if (await profiles.roleOf(profile, caller)) return { ...whole, restricted: true, paid: false }
  const names = gated.map(({ resource }) => resource)
  // The gate that the fields were read with: another version may open earlier or later content of the fields.
  const open = await paywall.openTo(profile, names, credentialsOf(request, paywall), { gate })
  if (gate && namesAudiences(gate.config)) request.eep.variesByReader = true
  return { ...known.shownWith(open), restricted: true, paid: false }
}

/**
 * Evaluates the gate of a profile for a request. Returns the profile with the fields that are open to the visitor, or a 402. A
 * payment is required for fields that the request names, and for the profile as a whole when no field is open.
 *
 * @param wanted - The fields that the response must contain.
 * @throws the refusals of `requireAccess`
 */
export async function openProfile(
  request: FastifyRequest,
  reply: FastifyReply,
  services: ProfileGateServices,
  known: PublicProfile,
  wanted: readonly string[] = [],
): Promise<ReadProfile | EepError> {
  const found = await evaluateGate(request, reply, services, known, wanted)
  if (isEepError(found)) return found
  return { ...found, visit: reportRead(request, known.profile, resourceOf(known, undefined)) }
}

async function evaluateGate(
  request: FastifyRequest,
  reply: FastifyReply,
  services: ProfileGateServices,
  known: PublicProfile,
  wanted: readonly string[],
): Promise<OpenProfile | EepError> {
  const { paywall } = services
  const { profile, gated, gate } = known
  const shown = await shownTo(request, known, services)
  if (shown.closed.length === 0) return shown

  const isClosed = new Set(shown.closed.map(({ resource }) => resource))
  const open = new Set(gated.map(({ resource }) => resource).filter((name) => !isClosed.has(name)))
  const missing = shown.closed.filter((closed) => isWanted(closed, known, wanted))
  const asksForAll = missing.length === 0 && isClosedAsWhole(known, open)
  const asked = reachable(missing.length > 0 || !presentsPayment(request) ? missing : shown.closed)
  if (!asksForAll && !asked) return shown

  const resource = resourceOf(known, asksForAll ? undefined : asked)
  const isCurrent = gate === undefined || (await paywall.hasGate(profile, gate))
  const access = await requireAccess(request, reply, paywall, isCurrent ? resource : { ...resource, gate })
  if (access.is !== 'granted') return access.refusal
  const { payer, bought, paid } = access
  if (asked && !asksForAll) open.add(asked.resource)
  const credentials = credentialsOf(request, paywall)
  const names = shown.closed.map(({ resource: name }) => name)
  const visitor = { ...credentials, payer: payer ?? credentials.payer }
  const held = await paywall.openTo(profile, names, visitor, { spends: false, gate, bought })
  for (const name of names) {
    if (held.has(name)) open.add(name)
  }
  return { ...known.shownWith(open), restricted: true, paid }
}
