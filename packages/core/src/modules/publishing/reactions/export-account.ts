import type { AccountExportFile } from '../../../framework/module/account-data.ts'
import { jsonListMember } from '../../../framework/module/export-member.ts'
import { allPages } from '../../../kernel/all-pages.ts'
import type { Reaction, ReactionKind, ReactionRequest } from '../../../ports/storage/reactions.ts'
import { listProfilesOfAccount } from '../../profiles/profiles/index.ts'
import { addressOf, slugsTo } from '../content/index.ts'

const KINDS: readonly ReactionKind[] = ['like', 'bookmark']
const AT_ONCE = 100

/** The likes and bookmarks of an account, of pages that it may still see. */
export const exportOfAccount: AccountExportFile<'reactions'>['exportOfAccount'] = ({ read, publicUrl }) =>
  async function* ({ account: { id: accountId } }) {
    /** Batches of reactions, latest first. */
    async function* reactionsOf(kind: ReactionKind, insiderOf: readonly number[]): AsyncGenerator<readonly Reaction[]> {
      let after: ReactionRequest['after']
      do {
        const { items } = await read.reactions.listOfAccount(accountId, { kind, after, limit: AT_ONCE, insiderOf })
        yield items
        const last = items.length < AT_ONCE ? undefined : items.at(-1)
        after = last && { createdAt: last.createdAt, pageId: last.page.id }
      } while (after)
    }

    yield jsonListMember('reactions.json', async function* () {
      const insiderOf: number[] = []
      for await (const { profile } of allPages((request) => listProfilesOfAccount(read, accountId, request)))
        insiderOf.push(profile.id)
      for (const kind of KINDS) {
        for await (const reactions of reactionsOf(kind, insiderOf)) {
          const slugs = await slugsTo(
            read,
            reactions.map(({ page }) => page),
          )
          for (const { page, profile, createdAt } of reactions) {
            const { url } = addressOf({ publicUrl }, profile, slugs(page))
            yield { kind, page_id: page.id, title: page.title, url, reacted_at: createdAt.toISOString() }
          }
        }
      }
    })
  }
