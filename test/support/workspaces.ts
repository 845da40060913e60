import { type Person, signUp } from './accounts.ts'
import type { Requests } from './client.ts'

export type WorkspaceRole = 'owner' | 'admin' | 'editor' | 'reader'

/** A workspace, with its owner. */
export interface OwnedWorkspace {
  readonly owner: Person
  readonly id: string
  /** `/workspaces/{id}`. */
  readonly path: string
}

/** Creates a workspace. Default: of a new account. */
export async function newWorkspace(app: Requests, owner?: Person, fields: object = {}): Promise<OwnedWorkspace> {
  const whose = owner ?? (await signUp(app))
  const made = await whose.post('/workspaces', { name: 'Notes on the engine', ...fields })
  if (made.statusCode !== 201) throw new Error(`no workspace: ${made.body}`)
  const { id } = made.json()
  return { owner: whose, id, path: `/workspaces/${id}` }
}

/** Invites an account by name, accepts the invitation, and gives it the role. */
export async function joinWorkspace({ owner, path }: OwnedWorkspace, person: Person, role: WorkspaceRole) {
  const invitedRole = role === 'owner' ? 'admin' : role
  const body = { username: person.account.username, role: invitedRole }
  const invited = await owner.post(`${path}/invites`, body)
  if (invited.statusCode !== 201) throw new Error(`not invited: ${invited.body}`)
  const accepted = await person.post(`/workspaces/invites/${invited.json().id}/accept`)
  if (accepted.statusCode !== 200) throw new Error(`not joined: ${accepted.body}`)
  if (role !== 'owner') return
  const changed = await owner.put(`${path}/members/${person.account.id}`, { role })
  if (changed.statusCode !== 200) throw new Error(`not an owner: ${changed.body}`)
}

/** Registers an account that is a member of a workspace. */
export async function newWorkspaceMember(app: Requests, workspace: OwnedWorkspace, role: WorkspaceRole) {
  const person = await signUp(app)
  await joinWorkspace(workspace, person, role)
  return person
}

/** The roles of the members of a workspace, by username. */
export const rolesInWorkspace = async ({ path }: OwnedWorkspace, by: Person) =>
  Object.fromEntries(
    (await by.get(`${path}/members`))
      .json()
      .data.map(({ username, role }: { username: string; role: string }) => [username, role]),
  )

/** The actions of the newest activity of a workspace, newest first. */
export const activityIn = async ({ path }: OwnedWorkspace, by: Person): Promise<readonly string[]> =>
  (await by.get(`${path}/activity`)).json().data.map(({ action }: { action: string }) => action)
