import { backOf, createForms } from '../../../http/html/account-forms.ts'
import { formRoutes } from '../../../http/html/html-forms.ts'
import { say } from '../../../http/html/viewer.ts'
import { goTo } from '../../../http/html/visits.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import { isEepError } from '../../../kernel/errors.ts'
import { notProfileOwner, profileMoved, profileNotFound, typeOf } from '../profiles/index.ts'
import { cannotFollowItself, followLimitReached } from './errors.ts'
import type { ConnectionService } from './service.ts'

/** The path of the form that follows or unfollows a profile. */
export const FOLLOW_FORM = '/connections/form'

/** The form that follows and unfollows profiles. */
export function followForm(
  app: EepRoutes,
  connections: Pick<ConnectionService, 'follow' | 'unfollow'>,
  ownOrigins: ReadonlySet<string>,
): void {
  formRoutes(app, (scope) => {
    createForms(scope, ownOrigins).accountForm(
      {
        path: FOLLOW_FORM,
        page: backOf,
        operationId: 'submitFollow',
        summary: 'Follow or unfollow a profile (HTML form)',
        errors: [cannotFollowItself, followLimitReached, notProfileOwner, profileNotFound, profileMoved],
      },
      async (request, reply, { caller, texts }) => {
        const { prefix = '', username = '', on } = texts
        const followed = { type: typeOf(prefix), username }
        const { id, outcome } = await change(connections, followed, { caller }, on !== '0')
        say(request, reply, { action: 'follow', id, outcome })
        return goTo(request, reply, backOf(texts))
      },
    )
  })
}

type Changing = Pick<ConnectionService, 'follow' | 'unfollow'>

async function change(
  connections: Changing,
  followed: Parameters<Changing['follow']>[0],
  actor: Parameters<Changing['follow']>[1],
  follows: boolean,
): Promise<{ readonly id: number; readonly outcome: string }> {
  try {
    if (!follows) return { id: (await connections.unfollow(followed, actor)).followee.id, outcome: 'unfollowed' }
    return { id: (await connections.follow(followed, actor)).followee.id, outcome: 'followed' }
  } catch (error) {
    if (!isEepError(error) || error.code !== followLimitReached.code) throw error
    return { id: 0, outcome: error.code }
  }
}
