import type { Eep } from '@eep/core'

// #region access
/** Whether a signed-in user may watch a lesson, by the access decision of its page. */
export const maySee = (eep: Pick<Eep, 'paywall'>, account: string, profile: number): Promise<boolean> =>
  eep.paywall.hasAccess({ account, profile, resource: 'content.course.lesson_1' })
// #endregion

// #region price
/** Whether a signed-in user may read quotes that `requireAccess` sells at a fixed price. Pass the same price. */
export const mayReadQuotes = (eep: Pick<Eep, 'paywall'>, account: string, profile: number): Promise<boolean> =>
  eep.paywall.hasAccess({
    account,
    profile,
    resource: 'api.quotes',
    price: { amount: 5, currency: 'usd', per: 'month' },
  })
// #endregion
