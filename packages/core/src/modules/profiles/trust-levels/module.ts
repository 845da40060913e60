import { defineModule, type Worker } from '../../../framework/module/define-module.ts'
import { createProfileScores } from '../profiles/index.ts'
import { profiles } from '../profiles/token.ts'
import { trust } from '../trust/token.ts'
import { trustLevelEvents } from './events.ts'
import { createLevelObserver } from './level-observer.ts'
import { createRecheck } from './recheck.ts'

/** Emits an event when the trust level of a profile changes. */
export const trustLevels = defineModule({
  name: 'trust-levels',
  events: trustLevelEvents,
  requires: [profiles, trust],
  stores: ['trustLevels', 'followers'],
  workers(_services, { read, write, clock, cache, catalogue, consumers, ownership, report }) {
    const observer = createLevelObserver({
      read,
      catalogue,
      newOwnerTypes: ownership.newOwner,
      currentOf: createProfileScores({ read, clock, cache }).current,
    })
    let unfollow: (() => Promise<void>) | undefined
    const observing: Worker = {
      start() {
        unfollow = consumers.durable('trust-levels.observe', observer, { from: 'start' })
      },
      stop: async () => unfollow?.(),
    }
    return [observing, createRecheck({ write, clock, onError: report })]
  },
})
