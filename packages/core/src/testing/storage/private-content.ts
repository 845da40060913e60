import { randomUUID } from 'node:crypto'
import type { Account } from '../../ports/storage/accounts.ts'
import type { Profile } from '../../ports/storage/profiles.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { newDocument, newWorkspace, newWorkspaceInvitation, newWorkspaceMember } from '../records.ts'

/** An account to erase, another one, and their profiles. */
interface Owners {
  readonly account: Account
  readonly profile: Profile
  readonly other: Account
  readonly otherProfile: Profile
  readonly at: Date
}

type PrivateGroups = 'memory' | 'workspaces' | 'gateSessions'

const LIMITS = { maxDocuments: 9, maxDepth: 9 }

/** Creates the memory of a profile, sessions of agents that it revoked, and workspaces of its account and of another one. */
export async function fillPrivateContent(tx: Stores<PrivateGroups>, owners: Owners): Promise<void> {
  const { account, profile, other, otherProfile, at } = owners
  const { id, username } = account
  await tx.gateSessions.revoke({ profileId: profile.id, agentDid: `did:key:${username}`, revokedAt: at })

  const memory = { text: `Of ${username}`, keyId: null }
  const session = { id: randomUUID(), profileId: profile.id, agentDid: null, name: memory, createdAt: at }
  await tx.memory.insertSession({ ...session, expiresAt: new Date(Date.now() + 3_600_000) }, 9, new Date())
  const entry = { role: 'user', payload: memory, importance: 0.5, bytes: 9 } as const
  await tx.memory.addEntries(session.id, [entry], { maxBytes: 100, maxEntries: 9 }, at)

  for (const [owner, guest, shown] of [
    [account, other, otherProfile],
    [other, account, profile],
  ] as const) {
    const workspace = newWorkspace(owner.id, { name: `Of ${owner.username}` })
    await tx.workspaces.insert(workspace, 9)
    await tx.workspaceMembers.insert(newWorkspaceMember(workspace.id, guest.id))
    for (const email of [owner.email, guest.email]) {
      await tx.workspaceInvitations.put(newWorkspaceInvitation(workspace.id, id, { accountId: null, email }))
    }
    const document = newDocument(workspace.id, guest.id)
    await tx.workspaceDocuments.insert(document, LIMITS)
    await tx.documentComments.insert({ documentId: document.id, accountId: id, body: 'Agreed.', createdAt: at }, 9)
    const page = { documentId: document.id, profileId: shown.id, pageId: 1 }
    await tx.workspaceDocuments.claimPublication(page)
    const acted = { workspaceId: workspace.id, action: 'member.added', documentId: null, data: {}, at }
    await tx.workspaceActivity.add({ ...acted, accountId: id, subjectAccountId: other.id }, 9)
  }
}
