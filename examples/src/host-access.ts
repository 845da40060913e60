import type { Eep } from '@eep/core'

// #region access
/** Whether a signed-in user may watch a lesson, by the access decision of its page. */
export const maySee = (eep: Pick<Eep, 'paywall'>, account: string, profile: number): Promise<boolean> =>
  eep.paywall.hasAccess({ account, profile, resource: 'content.course.lesson_1' })
// #endregion
