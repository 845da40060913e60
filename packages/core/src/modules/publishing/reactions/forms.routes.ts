import { backOf, createForms } from '../../../http/html/account-forms.ts'
import { formRoutes } from '../../../http/html/html-forms.ts'
import { say } from '../../../http/html/viewer.ts'
import { goTo } from '../../../http/html/visits.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import { pageNotFound } from '../content/index.ts'
import { pageParams, reactionBody } from './schemas.ts'
import type { ReactionService } from './service.ts'

/** The path of the form that likes or bookmarks a page. */
export const REACTION_FORM = '/content/reactions/form'

/** The form that likes and bookmarks pages. Sent twice, it changes nothing more. */
export function reactionForm(
  app: EepRoutes,
  reactions: Pick<ReactionService, 'toggle'>,
  ownOrigins: ReadonlySet<string>,
): void {
  formRoutes(app, (scope) => {
    createForms(scope, ownOrigins).accountForm(
      {
        path: REACTION_FORM,
        page: backOf,
        operationId: 'submitPageReaction',
        summary: 'Like or bookmark a page, or take it back (HTML form)',
        errors: [pageNotFound],
      },
      async (request, reply, { caller, texts }) => {
        const page = pageParams.safeParse({ pageId: texts.page })
        const reaction = reactionBody.safeParse({ kind: texts.kind })
        if (!page.success || !reaction.success) throw pageNotFound()
        const { pageId } = page.data
        const { kind } = reaction.data
        const { present } = await reactions.toggle(pageId, kind, caller, texts.key, texts.on !== '0')
        say(request, reply, { action: kind, id: pageId, outcome: present ? 'on' : 'off' })
        return goTo(request, reply, backOf(texts))
      },
    )
  })
}
