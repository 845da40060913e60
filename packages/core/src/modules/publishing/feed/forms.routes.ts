import type { FastifyReply, FastifyRequest } from 'fastify'
import { backOf, createForms, type FormTexts } from '../../../http/html/account-forms.ts'
import { formRoutes, sendPage } from '../../../http/html/html-forms.ts'
import { refusedText, textFormView } from '../../../http/html/text-form.ts'
import type { Site } from '../../../http/html/view.ts'
import { say } from '../../../http/html/viewer.ts'
import { goTo } from '../../../http/html/visits.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import type { Caller } from '../../../model/caller.ts'
import { notProfileOwner, profileNotFound } from '../../profiles/profiles/index.ts'
import { postingClosed, postLimitReached, postNotFound, replyTargetGone, tooManyLinks, tooManyPosts } from './errors.ts'
import { feedMessages } from './messages.ts'
import { LIKE_FORM, POST_FORM, postForm } from './post-form-html.ts'
import { postBody, postParams } from './schemas.ts'
import type { FeedService } from './service.ts'

/** What people can act on, by the code of the error. */
function problemsOf(site: Site): ReadonlyMap<string, string> {
  const say = feedMessages(site)
  return new Map([
    [tooManyLinks.code, say('tooManyLinks')],
    [tooManyPosts.code, say('tooManyPosts')],
    [postLimitReached.code, say('postLimit')],
    [postingClosed.code, say('closed')],
    [replyTargetGone.code, say('gone')],
    [postNotFound.code, say('gone')],
  ])
}

/** The forms that post, reply and like. */
export function feedForms(
  app: EepRoutes,
  feed: Pick<FeedService, 'post' | 'like' | 'unlike'>,
  ownOrigins: ReadonlySet<string>,
): void {
  async function post(request: FastifyRequest, reply: FastifyReply, caller: Caller, texts: FormTexts) {
    const { site } = request.eep
    const { body = '', reply_to: target, form_id: formId } = texts
    const next = backOf(texts)
    const idOf = (text: string | undefined) =>
      text === undefined ? undefined : postParams.safeParse({ id: text }).data?.id
    const [replyTo, profileId] = [idOf(target), idOf(texts.profile)]
    // Never post as another profile than the one that the form named.
    if (texts.profile !== undefined && profileId === undefined) throw profileNotFound()
    const title = feedMessages(site)(replyTo === undefined ? 'newPost' : 'yourReply')
    const view = (problem: string) =>
      textFormView(site, title, postForm(site, { replyTo, profileId, next, value: body, formId, problem }))
    const sent = postBody.safeParse({ body, reply_to: replyTo })
    if (!sent.success) return sendPage(request, reply, view(feedMessages(site)('wrongText')), 400)
    try {
      await feed.post({ body: sent.data.body, replyTo }, { caller, activeProfileId: profileId })
      const said =
        replyTo === undefined ? { action: 'post-write', id: profileId ?? 0 } : { action: 'post-reply', id: replyTo }
      say(request, reply, { ...said, outcome: 'posted' })
      return goTo(request, reply, next)
    } catch (error) {
      const { problem, answer } = refusedText(site, error, problemsOf(site))
      return sendPage(request, reply, view(problem), answer)
    }
  }

  formRoutes(app, (scope) => {
    const { accountForm } = createForms(scope, ownOrigins)

    accountForm(
      {
        path: POST_FORM,
        page: backOf,
        hasFormId: true,
        operationId: 'submitPost',
        summary: 'Create a post, or reply to one (HTML form)',
        errors: [
          postNotFound,
          profileNotFound,
          notProfileOwner,
          replyTargetGone,
          tooManyLinks,
          tooManyPosts,
          postingClosed,
          postLimitReached,
        ],
      },
      (request, reply, { caller, texts }) => post(request, reply, caller, texts),
    )

    accountForm(
      {
        path: LIKE_FORM,
        page: backOf,
        operationId: 'submitPostLike',
        summary: 'Like a post, or take it back (HTML form)',
        errors: [postNotFound],
      },
      async (request, reply, { caller, texts }) => {
        const { data: params } = postParams.safeParse({ id: texts.post })
        if (!params) throw postNotFound()
        const likes = texts.on !== '0'
        await (likes ? feed.like(params.id, caller) : feed.unlike(params.id, caller))
        say(request, reply, { action: 'post-like', id: params.id, outcome: likes ? 'on' : 'off' })
        return goTo(request, reply, backOf(texts))
      },
    )
  })
}
