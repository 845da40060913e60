import { type DurableConsumer, defineConsumer } from '../../../../framework/module/define-consumer.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import type { GuardedStorage } from '../../../../runtime/storage/guard.ts'
import { memberRemoved, profileTransferred } from '../../../people/teams/events.ts'
import { emitDisconnected } from './service.ts'

/**
 * Ends connections that are bound to a profile which their account no longer works for: all of a profile that has a new owner, and those
 * of a member who left its team. A connection to a profile that was deleted is not live.
 */
export const createProfileGoneConsumer = ({
  write,
  clock,
}: Pick<GuardedStorage<'connectedApps'>, 'write'> & { readonly clock: Clock }): DurableConsumer =>
  defineConsumer({
    name: 'apps-of-profiles',
    events: [memberRemoved, profileTransferred],
    async handle({ type, data, profileId }) {
      if (profileId === null) return
      const accountId = type === memberRemoved.type ? data.accountId : undefined
      await write(async (tx, emit) => {
        const ended = await tx.connectedApps.endOfProfile(profileId, { now: clock(), accountId })
        emitDisconnected(emit, ended, 'profile_gone')
      })
    },
  })
