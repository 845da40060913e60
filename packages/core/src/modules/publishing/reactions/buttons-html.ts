import { buttonForm, listedAction, type PageAction } from '../../../http/html/page-actions.ts'
import type { ReactionKind, ReactionState } from '../../../ports/storage/reactions.ts'
import { REACTION_FORM } from './forms.routes.ts'
import { reactionMessages } from './messages.ts'
import type { ReactionService } from './service.ts'

const buttonOf = (
  { state }: Pick<ReactionService, 'state'>,
  kind: ReactionKind,
): PageAction<'page', ReactionState['mine']> => ({
  key: kind,
  on: 'page',
  async load(subjects, caller) {
    const states = subjects.map(async ({ id, linkKey }) => [id, (await state(id, caller, linkKey)).mine] as const)
    return new Map(await Promise.all(states))
  },
  html: ({ subject: { id, linkKey }, site, state, next }) =>
    buttonForm(site, {
      action: kind,
      id,
      path: REACTION_FORM,
      next,
      fields: { page: String(id), kind, key: linkKey },
      label: reactionMessages(site)(kind),
      isPressed: state?.[kind] ?? false,
    }),
  said: (outcome, site) => reactionMessages(site)(outcome === 'off' ? `${kind}Off` : `${kind}On`),
})

/** The buttons on pages that like and bookmark them. */
export const reactionButtons = (reactions: Pick<ReactionService, 'state'>) => [
  listedAction(buttonOf(reactions, 'like')),
  listedAction(buttonOf(reactions, 'bookmark')),
]
