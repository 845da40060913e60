import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '../../../ports/storage/events.ts'
import { changesBy } from './catalogue-changes.ts'

const event = (type: string, data: StoredEvent['data'] = {}, more: Partial<StoredEvent> = {}): StoredEvent => ({
  id: 'e',
  type,
  profileId: 7,
  accountId: 'a',
  data,
  at: new Date(0),
  cursor: '1',
  ...more,
})
const NOTHING = { pages: new Map(), files: new Map(), profiles: new Set(), accounts: new Set(), filled: new Set() }

describe('an event', () => {
  it.each([
    ['content.page_saved', { pageId: 3 }, { pages: new Map([[3, 7]]), filled: new Set([7]) }],
    ['content.page_deleted', { pageId: 3 }, { pages: new Map([[3, 7]]), filled: new Set([7]) }],
    ['files.file_stored', { fileId: 4 }, { files: new Map([[4, 7]]) }],
    ['gates.config_changed', { isAccessChanged: false }, { profiles: new Set([7]) }],
    ['profiles.profile_updated', { fields: [], visibility: 'private' }, { profiles: new Set([7]) }],
    ['profiles.profile_updated', { fields: ['bio'] }, { profiles: new Set([7]) }],
    ['profiles.profile_updated', { fields: ['skills'] }, {}],
    ['content.category_saved', { isMoved: true }, { profiles: new Set([7]) }],
    ['content.category_saved', { isMoved: false }, {}],
    ['feed.post_published', {}, { filled: new Set([7]) }],
    ['reactions.reaction_added', { pageId: 3 }, {}],
  ])('%s with %j changes the expected resources', (type, data, changes) => {
    expect(changesBy([event(type, data)])).toEqual({ ...NOTHING, ...changes })
  })

  it.each([
    ['about an account', { accountId: 'b' }, new Set(['b'])],
    ['of an account', {}, new Set(['a'])],
  ])('%s changes all of its profiles', (_, data, accounts) => {
    for (const type of ['wallets.payout_changed', 'accounts.account_banned', 'accounts.email_verified']) {
      expect(changesBy([event(type, data, { profileId: null })])).toEqual({ ...NOTHING, accounts })
    }
  })

  it('without a usable id changes nothing', () => {
    expect(
      changesBy([
        event('files.file_stored', { fileId: 'x' }),
        event('content.page_saved', { pageId: 1 }, { profileId: null }),
      ]),
    ).toEqual(NOTHING)
  })
})
