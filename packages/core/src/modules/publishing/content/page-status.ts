import { invalidTransition } from '../../../kernel/errors.ts'
import type { PageStatus } from '../../../ports/storage/content.ts'

export const PAGE_STATUSES = ['draft', 'published', 'archived'] as const satisfies readonly PageStatus[]

const NEXT: Readonly<Record<PageStatus, readonly PageStatus[]>> = {
  draft: ['published'],
  published: ['draft', 'archived'],
  archived: ['draft', 'published'],
}

/**
 * Checks that a page may change from one status to another. Keeping the status is always allowed.
 *
 * @throws `invalid_transition` with the statuses that are allowed
 */
export function checkTransition(from: PageStatus, to: PageStatus): void {
  if (from === to || NEXT[from].includes(to)) return
  throw invalidTransition({
    message: `A page cannot change from ${from} to ${to}`,
    details: { from, to, allowed: NEXT[from] },
  })
}
