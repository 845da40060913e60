import { buttonForm, listedAction, type PageAction } from '../../../http/html/page-actions.ts'
import { PREFIX_BY_TYPE } from '../../../model/profile-type.ts'
import { FOLLOW_FORM } from './forms.routes.ts'
import { followFormMessages } from './messages.ts'
import type { ConnectionService, FollowState } from './service.ts'

const buttonOf = ({ stateOf }: Pick<ConnectionService, 'stateOf'>): PageAction<'profile', FollowState> => ({
  key: 'follow',
  on: 'profile',
  async load(subjects, caller) {
    const states = await Promise.all(
      subjects.map(async ({ profile }) => [profile.id, await stateOf(profile, { caller })] as const),
    )
    return new Map(states)
  },
  html({ subject: { id, profile }, site, state, next }) {
    if (state && !state.mayFollow) return undefined
    const { type, username } = profile
    return buttonForm(site, {
      action: 'follow',
      id,
      path: FOLLOW_FORM,
      next,
      fields: { prefix: PREFIX_BY_TYPE[type], username },
      label: followFormMessages(site)('follow'),
      isPressed: state?.following ?? false,
    })
  },
  said(outcome, site) {
    const say = followFormMessages(site)
    if (outcome === 'follow_limit_reached') return say('limit')
    return say(outcome === 'unfollowed' ? 'unfollowed' : 'followed')
  },
})

/** The button on profiles that follows them. */
export const followButton = (connections: Pick<ConnectionService, 'stateOf'>): PageAction =>
  listedAction(buttonOf(connections))
