import type { Eep } from '@eep/core'

// #region access
/** Whether somebody who is signed in may watch a lesson: what the page of the lesson would answer them. */
export const maySee = (eep: Pick<Eep, 'paywall'>, account: string, profile: number): Promise<boolean> =>
  eep.paywall.hasAccess({ account, profile, resource: 'content.course.lesson_1' })
// #endregion
