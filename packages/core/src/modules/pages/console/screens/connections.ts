import { z } from 'zod'
import { type ProfileVisit, type Screen, screenAction } from '../../../../framework/module/screen.ts'
import { buttonOnly } from '../../../../framework/module/screen-form.ts'
import { type Column, listedPage, nextPageHtml, tableHtml } from '../../../../framework/module/screen-list.ts'
import { html } from '../../../../http/html/html.ts'
import { emptyHtml } from '../../../../http/html/pieces.ts'
import { hrefOn } from '../../../../http/html/view.ts'
import { invalidCursor } from '../../../../kernel/page.ts'
import { dayText } from '../../../../model/day-text.ts'
import { PREFIX_BY_TYPE } from '../../../../model/profile-type.ts'
import type { ConnectionSide } from '../../../../ports/storage/connections.ts'
import type { ConnectionService, ScoredConnection } from '../../../profiles/connections/index.ts'
import { profilePath, typeOf, usernameSchema } from '../../../profiles/profiles/index.ts'
import { connectionsScreenMessages } from '../messages.ts'

/** What the screens with the followers of a profile, and with the profiles that it follows, need. */
export interface ConnectionScreens {
  readonly connections: Pick<ConnectionService, 'list' | 'unfollow'>
}

const PATHS: Readonly<Record<ConnectionSide, string>> = {
  followers: '/manage/profiles/:id/followers',
  following: '/manage/profiles/:id/following',
}

const OTHER: Readonly<Record<ConnectionSide, ConnectionSide>> = { followers: 'following', following: 'followers' }

const unfollow = (connections: ConnectionScreens['connections']) =>
  screenAction({
    permission: 'profile.edit',
    schema: z.object({ prefix: z.string().max(8), username: usernameSchema }),
    async run({ profile, caller, path }: ProfileVisit, { prefix, username }) {
      await connections.unfollow({ type: typeOf(prefix), username }, { caller, activeProfileId: profile.id })
      return { to: path, said: 'unfollowed' }
    },
  })

function columnsOf(visit: ProfileVisit, side: ConnectionSide): readonly Column<ScoredConnection>[] {
  const { site } = visit
  const say = connectionsScreenMessages(site)
  const columns: readonly Column<ScoredConnection>[] = [
    {
      label: say('profile'),
      cell: ({ profile }) =>
        html`<a href="${hrefOn(site, profilePath(profile))}"><bdi>${profile.fullName ?? profile.username}</bdi></a>`,
    },
    { label: say('trust'), cell: ({ trustScore }) => String(trustScore), isNumber: true },
    { label: say('since'), cell: ({ createdAt }) => dayText(site, createdAt), isNumber: true },
  ]
  if (side === 'followers' || !visit.allows('unfollow')) return columns
  return [
    ...columns,
    {
      label: '',
      cell: ({ profile: { type, username, fullName } }) => {
        const label = html`${say('unfollow')}<span class="sr-only"> <bdi>${fullName ?? username}</bdi></span>`
        return buttonOnly(visit, 'unfollow', label, { prefix: PREFIX_BY_TYPE[type], username }, 'quiet')
      },
    },
  ]
}

const screenOf = (side: ConnectionSide, { connections }: ConnectionScreens): Screen => ({
  name: side === 'followers' ? 'profileFollowers' : 'profileFollowing',
  path: PATHS[side],
  section: 'profile',
  permission: 'profile.read',
  ...(side === 'followers' ? { nav: { position: 67 } } : { within: 'profileFollowers' }),
  query: ['cursor'],
  errors: [invalidCursor],
  title: (page) => connectionsScreenMessages(page)(side),
  said: (outcome, page) => (outcome === 'unfollowed' ? connectionsScreenMessages(page)('unfollowed') : undefined),
  problem: ({ code }, page) => (code === 'profile_not_found' ? connectionsScreenMessages(page)('gone') : undefined),
  ...(side === 'following' && { post: { unfollow: unfollow(connections) } }),
  async get(visit) {
    const { site, profile, caller } = visit
    const say = connectionsScreenMessages(site)
    const found = await connections.list(side, listedPage(visit), { caller, activeProfileId: profile.id })
    const other = OTHER[side]
    const columns = columnsOf(visit, side)
    return {
      beside: html`<a class="btn second" href="${hrefOn(site, PATHS[other].replace(':id', String(profile.id)))}">${say(other)}</a>`,
      lead: say(side === 'followers' ? 'followersLead' : 'followingLead'),
      body: html`${
        found.items.length === 0
          ? emptyHtml(say(side === 'followers' ? 'noFollowers' : 'followsNone'))
          : tableHtml(say(side), columns, found.items)
      }${nextPageHtml(visit, found, say('next'))}`,
    }
  },
})

/** The screens with the followers of a profile, and with the profiles that it follows. */
export const connectionScreens = (deps: ConnectionScreens): readonly Screen[] => [
  screenOf('followers', deps),
  screenOf('following', deps),
]
