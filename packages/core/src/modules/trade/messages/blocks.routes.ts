import { z } from 'zod'
import { backOf, createForms } from '../../../http/html/account-forms.ts'
import { formRoutes, sendPage } from '../../../http/html/html-forms.ts'
import { say } from '../../../http/html/viewer.ts'
import { goTo, goToSignIn, pageConfig, visitorOf } from '../../../http/html/visits.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import { invalidCursor } from '../../../kernel/page.ts'
import { notProfileOwner, profileNotFound } from '../../profiles/profiles/index.ts'
import { BLOCK, BLOCK_FORM } from './block-button-html.ts'
import { conversationNotFound } from './errors.ts'
import { BLOCKED, blockedView } from './pages-html.ts'
import { id as conversationId } from './schemas.ts'
import type { MessageService } from './service.ts'

const BLOCKED_PER_PAGE = 30

/** The page with the profiles that a person blocks, and the form that blocks and unblocks one. */
export function blockPages(
  app: EepRoutes,
  messages: Pick<MessageService, 'list' | 'setBlocked'>,
  ownOrigins: ReadonlySet<string>,
): void {
  app.get(
    BLOCKED,
    {
      config: pageConfig({
        operationId: 'getBlockedProfilesPage',
        summary: 'Get the page with the profiles that the caller blocks',
        errors: [invalidCursor, profileNotFound],
      }),
      schema: {
        querystring: z.object({ cursor: z.string().max(512).optional() }),
        response: { 200: z.string(), 303: z.undefined() },
      },
    },
    async (request, reply) => {
      const caller = visitorOf(request)
      if (!caller) return goToSignIn(request, reply)
      const asked = { limit: BLOCKED_PER_PAGE, cursor: request.query.cursor, isBlocking: true }
      const { page } = await messages.list(asked, { caller })
      return sendPage(request, reply, blockedView(request.eep.site, page))
    },
  )

  formRoutes(app, (scope) => {
    createForms(scope, ownOrigins).accountForm(
      {
        path: BLOCK_FORM,
        page: backOf,
        operationId: 'submitBlock',
        summary: 'Block or unblock the other profile of a conversation (HTML form)',
        errors: [conversationNotFound, notProfileOwner, profileNotFound],
      },
      async (request, reply, { caller, texts }) => {
        const { data: id } = conversationId.safeParse(texts.conversation)
        if (id === undefined) throw conversationNotFound()
        const isBlocked = texts.on !== '0'
        const { conversation } = await messages.setBlocked(id, { isBlocked }, { caller })
        say(request, reply, { action: BLOCK, id: conversation.otherProfileId, outcome: isBlocked ? 'on' : 'off' })
        return goTo(request, reply, backOf(texts))
      },
    )
  })
}
