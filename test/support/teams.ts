import { newName, type Person, signUp } from './accounts.ts'
import type { Requests } from './client.ts'

export type MemberRole = 'admin' | 'editor' | 'viewer'

/** A profile of no account's name, with its owner. */
export interface OwnedProfile {
  readonly owner: Person
  readonly id: number
  readonly username: string
  /** `/profiles/o/acme`. */
  readonly path: string
  readonly team: string
}

/** Creates an organization with a new owner. */
export async function newOrganization(app: Requests, owner?: Person, fields: object = {}): Promise<OwnedProfile> {
  const whose = owner ?? (await signUp(app))
  const username = `org-of-${newName()}`
  const made = await whose.post('/profiles', { profile_type: 'organization', username, ...fields })
  if (made.statusCode !== 200) throw new Error(`no organization: ${made.body}`)
  const path = `/profiles/o/${username}`
  const { id } = (await whose.get(path)).json()
  return { owner: whose, id, username, path, team: `/profiles/${id}/team` }
}

/** Invites a user by name and accepts the invitation. */
export async function join(
  profile: Pick<OwnedProfile, 'owner' | 'id' | 'team'>,
  person: Person,
  role: MemberRole,
): Promise<void> {
  const body = { username: person.account.username, role }
  const invited = await profile.owner.post(`${profile.team}/invites`, body)
  if (invited.statusCode !== 201) throw new Error(`not invited: ${invited.body}`)
  const accepted = await person.post(`/team/invites/${invited.json().id}/accept`)
  if (accepted.statusCode !== 200) throw new Error(`not joined: ${accepted.body}`)
}

/** Registers an account that is a member. */
export async function newMember(
  app: Requests,
  profile: Pick<OwnedProfile, 'owner' | 'id' | 'team'>,
  role: MemberRole,
): Promise<Person> {
  const person = await signUp(app)
  await join(profile, person, role)
  return person
}

/** Invites to a team, by default as its owner. */
export const invite = ({ owner, team }: OwnedProfile, body: object, by = owner) => by.post(`${team}/invites`, body)
export const inviteByName = (profile: OwnedProfile, { account }: Person, role: MemberRole = 'editor') =>
  invite(profile, { username: account.username, role })
export const accept = (person: Person, token: unknown) => person.post(`/team/invites/${token}/accept`)

export const teamOf = async ({ owner, team }: OwnedProfile, by = owner) => (await by.get(team)).json()
/** The roles of members, by username. */
export const rolesIn = async (profile: OwnedProfile) => {
  const { data } = await teamOf(profile)
  const members = data.filter(({ role }: { role: string }) => role !== 'owner')
  return Object.fromEntries(members.map(({ username, role }: { username: string; role: string }) => [username, role]))
}
