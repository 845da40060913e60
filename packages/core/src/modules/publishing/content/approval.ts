import type { EepHooks } from '../../../ports/hooks.ts'
import type { ContentPage } from '../../../ports/storage/content.ts'

type Publication = Parameters<NonNullable<EepHooks['beforePublish']>>[0]

/** The page that the host is asked to approve. */
export const publicationOf = ({ profileId, title, slug, body, excerpt }: Publication): Publication => ({
  profileId,
  title,
  slug,
  body,
  excerpt,
})

/** The result of an attempt to store: done, or postponed until the host has approved the page. */
export type Attempt<Result> =
  | { readonly done: Result }
  | { readonly publication: Publication; readonly revision: string }

/** Whether the host must approve a page before it is stored. */
export const wantsApproval = ({ beforePublish }: EepHooks, { status }: Pick<ContentPage, 'status'>): boolean =>
  beforePublish !== undefined && status === 'published'

/**
 * Stores a page that the host has approved. Hooks run outside of transactions, so an attempt that would publish something new
 * stores nothing and returns it. The next attempt stores it if it is unchanged, and asks again otherwise.
 */
export async function withApproval<Result>(
  hooks: EepHooks,
  attempt: (approvedRevision: string | undefined) => Promise<Attempt<Result>>,
): Promise<Result> {
  let approved: string | undefined
  for (;;) {
    const outcome = await attempt(approved)
    if ('done' in outcome) return outcome.done
    await hooks.beforePublish?.(outcome.publication)
    approved = outcome.revision
  }
}
