import type { EepHooks } from '../../ports/hooks.ts'
import type { ContentPage } from '../../ports/storage/content.ts'

type Publication = Parameters<NonNullable<EepHooks['beforePublish']>>[0]

/** What the host gets to see. */
export const publicationOf = ({ profileId, title, slug, body, excerpt }: Publication): Publication => ({
  profileId,
  title,
  slug,
  body,
  excerpt,
})

/** What an attempt to store came to: done, or put off until the host has seen what it would publish. */
export type Attempt<Result> =
  | { readonly done: Result }
  | { readonly publication: Publication; readonly revision: string }

/** Whether the host wants to see a page before it is stored. */
export const wantsApproval = ({ beforePublish }: EepHooks, { status }: Pick<ContentPage, 'status'>): boolean =>
  beforePublish !== undefined && status === 'published'

/**
 * Stores what the host has agreed to. Hooks run outside of transactions, so an attempt that would publish something
 * new stores nothing and hands it over; the next attempt stores it if it is still the same, and asks again if not.
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
