import { randomBytes } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import { sha256 } from '../../../kernel/digest.ts'
import { DAY_MS } from '../../../kernel/durations.ts'
import type { Account } from '../../../model/account.ts'
import type { Caller } from '../../../model/caller.ts'
import type { GateConfig } from '../../../model/gate-config.ts'
import { may } from '../../../model/permission.ts'
import type { Category, ContentPage } from '../../../ports/storage/content.ts'
import type { StoredFile } from '../../../ports/storage/files.ts'
import type { PagePreviewLink } from '../../../ports/storage/page-previews.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import { emailNotVerified, type ProfileService } from '../../profiles/profiles/index.ts'
import type { ContentAccess } from './access.ts'
import { categoryTree } from './category-tree.ts'
import { nothingToPreview, pageNotFound, previewLinkNotFound, tooManyPreviewLinks } from './errors.ts'
import { createGateGuard, isClosed } from './gate-guard.ts'

const LIFETIME_MS = 7 * DAY_MS
const MAX_LINKS = 20
/** 128 bits. */
const TOKEN_BYTES = 16

/** A link that was just made, with the token that only its maker gets. */
export interface MadePreviewLink {
  readonly link: PagePreviewLink
  readonly token: string
}

/** The content of a draft that a preview link shows. */
export interface PreviewedDraft {
  readonly profile: Profile
  readonly text: Pick<ContentPage, 'title' | 'body' | 'excerpt'>
  /** Images of the profile in the text. */
  readonly images: readonly StoredFile[]
}

export interface PreviewLinkDeps extends GuardedStorage {
  readonly clock: Clock
  readonly access: ContentAccess
  readonly profiles: Pick<ProfileService, 'roleOf' | 'visibilityWithOwner'>
  readonly imagesIn: (profileId: number, body: string) => Promise<readonly StoredFile[]>
}

const hashOf = (token: string): string => sha256(token, 'hex')

/** An account as it would ask now, with a session. */
const callerOf = (account: Account): Caller => ({ account, via: 'bearer', scopes: 'all', isAdmin: false })

/** Whether a page that is not public can be previewed, and is not a page that everyone sees as it is. */
const hasPreview = ({ status }: Pick<ContentPage, 'status'>, draft: object | undefined): boolean =>
  status === 'published' ? draft !== undefined : status === 'draft'

const slugsOf = (categories: readonly Pick<Category, 'slug'>[], { slug }: Pick<ContentPage, 'slug'>) => [
  ...categories.map((category) => category.slug),
  slug,
]

/** Links with which people without an account read drafts, for seven days. */
export function createPreviewLinks({ read, write, clock, access, profiles, imagesIn }: PreviewLinkDeps) {
  const gateGuard = createGateGuard(access)

  async function addressOf(
    from: Pick<Readers, 'categories'>,
    { categoryId, ...page }: Pick<ContentPage, 'categoryId' | 'slug'>,
  ): Promise<readonly string[]> {
    if (categoryId === null) return [page.slug]
    return slugsOf(categoryTree(await from.categories.list({ withParents: [categoryId] })).lineTo(categoryId), page)
  }

  /** Whether a profile of this owner may be shown to others: some services wait for a verified email address. */
  const mayBeShown = (profile: Profile, owner: Account | undefined): boolean =>
    owner !== undefined &&
    profiles.visibilityWithOwner({ ...profile, visibility: 'unlisted', visibilityOnceVerified: null }, owner)
      .visibility !== 'private'

  /** Whether the account that made a link could make it now. */
  async function isHeld(
    { createdBy, ownerAccountId }: PagePreviewLink,
    profile: Profile,
    { gates, slugs }: { readonly gates: GateConfig | undefined; readonly slugs: readonly string[] },
  ): Promise<boolean> {
    if (profile.ownerAccountId !== ownerAccountId) return false
    const [maker, owner] = await Promise.all([read.accounts.get(createdBy), read.accounts.get(ownerAccountId)])
    if (!maker || !owner || !mayBeShown(profile, owner)) return false
    if ([maker, owner].some(({ bannedAt, deletionScheduledAt }) => bannedAt ?? deletionScheduledAt)) return false
    const role = await profiles.roleOf(profile, callerOf(maker))
    return may(role, 'content.edit') && (gates === undefined || !isClosed(gates, slugs) || may(role, 'gates.edit'))
  }

  return {
    /**
     * Makes a link to a page that is a draft, or to the draft of a published page.
     *
     * @throws `email_not_verified` where profiles wait for the verified address of their owner
     * @throws `gate_permission_required` for a page that a gate closes, without permission to edit the gate
     */
    async create(pageId: number, caller: Caller): Promise<MadePreviewLink> {
      const { profile } = await access.page(pageId, caller, 'content.edit')
      const token = randomBytes(TOKEN_BYTES).toString('base64url')
      return write(async (tx) => {
        const locked = await access.lock(tx, profile.id, caller, 'content.edit')
        const { ownerAccountId } = locked
        if (!mayBeShown(locked, await tx.accounts.get(ownerAccountId))) throw emailNotVerified()
        const { pageDrafts, pagePreviewLinks } = requireGroup(tx, 'pageDrafts')
        const page = await tx.pages.getOutline(pageId)
        if (!page) throw pageNotFound()
        if (!hasPreview(page, await pageDrafts.get(pageId))) throw nothingToPreview()
        await gateGuard.closedPage(tx, { profileId: profile.id, slugs: await addressOf(tx, page) }, caller)
        const createdAt = clock()
        const expiresAt = new Date(createdAt.getTime() + LIFETIME_MS)
        const link = await pagePreviewLinks.insert(
          { pageId, hash: hashOf(token), createdBy: caller.account.id, ownerAccountId, createdAt, expiresAt },
          MAX_LINKS,
        )
        if (link === undefined) throw pageNotFound()
        if (link === 'full') throw tooManyPreviewLinks({ details: { limit: MAX_LINKS } })
        return { link, token }
      })
    },

    /** The links of a page that have not ended, the newest first. */
    async list(pageId: number, caller: Caller): Promise<readonly PagePreviewLink[]> {
      await access.page(pageId, caller, 'content.edit')
      return requireGroup(read, 'pageDrafts').pagePreviewLinks.list(pageId)
    },

    async delete(pageId: number, id: number, caller: Caller): Promise<void> {
      const { profile } = await access.page(pageId, caller, 'content.edit')
      await write(async (tx) => {
        await access.lock(tx, profile.id, caller, 'content.edit')
        if (!(await requireGroup(tx, 'pageDrafts').pagePreviewLinks.delete(pageId, id))) throw previewLinkNotFound()
      })
    },

    /**
     * Returns what a link shows. Gates are not asked: making a link to a page that they close needs permission to edit them, and so does
     * each read.
     *
     * @throws `preview_link_not_found` also when the account that made the link could no longer make it
     */
    async open(token: string): Promise<PreviewedDraft> {
      const { pagePreviewLinks, pageDrafts } = requireGroup(read, 'pageDrafts')
      const link = await pagePreviewLinks.find(hashOf(token))
      const page = link && (await read.pages.get(link.pageId))
      const profile = page && (await read.profiles.get(page.profileId))
      if (!link || !profile) throw previewLinkNotFound()
      const [draft, gate, slugs] = await Promise.all([
        pageDrafts.get(page.id),
        read.gates.get(profile.id),
        addressOf(read, page),
      ])
      if (!hasPreview(page, draft) || !(await isHeld(link, profile, { gates: gate?.config, slugs }))) {
        throw previewLinkNotFound()
      }
      const text = page.status === 'published' ? draft : page
      if (!text) throw previewLinkNotFound()
      return { profile, text, images: await imagesIn(profile.id, text.body) }
    },
  }
}
