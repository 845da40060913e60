import { randomUUID } from 'node:crypto'
import type { NewCategory, NewPage } from '../../ports/storage/content.ts'
import type { NewEvent } from '../../ports/storage/events.ts'
import type { NewProfile, Profile } from '../../ports/storage/profiles.ts'
import type { Member, NewInvitation, NewTransfer } from '../../ports/storage/teams.ts'
import { freshHash, freshName, later, moment } from './fresh.ts'

/** A profile with every field set, under a fresh username. */
export const newProfile = (ownerAccountId: string, changes: Partial<NewProfile> = {}): NewProfile => ({
  ownerAccountId,
  type: 'person',
  username: freshName(),
  fullName: 'Ada Lovelace',
  bio: 'Notes on the engine',
  avatarUrl: 'https://example.com/ada.png',
  coverUrl: 'https://example.com/hills.png',
  accent: '#1f5f4f',
  email: 'public@example.com',
  skills: ['mathematics', 'poetry'],
  socials: { github: 'https://github.com/ada' },
  keywords: ['engine'],
  agentInstructions: 'Be exact.',
  agentRules: 'Quote the source.',
  capabilities: ['did:read'],
  customFields: { born: 1815 },
  typeData: { occupation: 'analyst' },
  visibility: 'public',
  visibilityOnceVerified: null,
  apps: 'allowed',
  createdAt: moment,
  ...changes,
})

/** An account as an editor of a profile. */
export const newMember = (profileId: number, accountId: string, changes: Partial<Member> = {}): Member => ({
  profileId,
  accountId,
  role: 'editor',
  createdAt: moment,
  ...changes,
})

/** An invitation of an account by another account, valid for an hour. */
export const newInvitation = (
  profileId: number,
  invitedBy: string,
  invitee: Pick<NewInvitation, 'accountId' | 'email'>,
  changes: Partial<Omit<NewInvitation, 'accountId' | 'email'>> = {},
): NewInvitation =>
  ({
    profileId,
    invitedBy,
    role: 'editor',
    hash: freshHash(),
    createdAt: moment,
    expiresAt: new Date(Date.now() + 3_600_000),
    ...invitee,
    ...changes,
  }) as NewInvitation

/** A transfer of a profile to an account, pending for an hour. */
export const newTransfer = (
  { id, ownerAccountId }: Pick<Profile, 'id' | 'ownerAccountId'>,
  toAccountId: string,
  changes: Partial<NewTransfer> = {},
): NewTransfer => ({
  profileId: id,
  fromAccountId: ownerAccountId,
  toAccountId,
  createdAt: moment,
  expiresAt: new Date(Date.now() + 3_600_000),
  ...changes,
})

/** A category at the top level of a profile. */
export const newCategory = (profileId: number, changes: Partial<NewCategory> = {}): NewCategory => ({
  profileId,
  parentId: null,
  name: 'Notes',
  slug: freshName('notes'),
  description: 'Notes on engines',
  icon: '📓',
  visibility: 'public',
  position: 0,
  createdAt: moment,
  ...changes,
})

/** A published page at the top level of a profile, written by an account. */
export const newPage = (profileId: number, createdBy: string, changes: Partial<NewPage> = {}): NewPage => ({
  profileId,
  createdBy,
  categoryId: null,
  title: 'On the engine',
  slug: freshName('engine'),
  body: '# The engine\n\nIt weaves *algebraical patterns*.\n',
  excerpt: 'It weaves.',
  status: 'published',
  position: 0,
  createdAt: moment,
  publishedAt: later(1_000),
  coverFileId: null,
  ...changes,
})

/** An event of the log. Default: about no profile. */
export const newEvent = (changes: Partial<NewEvent> = {}): NewEvent => ({
  id: randomUUID(),
  type: 'content.page_saved',
  profileId: null,
  accountId: randomUUID(),
  data: { pageId: 7 },
  at: moment,
  ...changes,
})
