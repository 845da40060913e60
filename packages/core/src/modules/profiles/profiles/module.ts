import type { CoreContext } from '../../../framework/module/context.ts'
import { defineModule } from '../../../framework/module/define-module.ts'
import { pick } from '../../../kernel/pick.ts'
import { signalTypes } from '../../../runtime/events/signal-types.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import type { ProfilesApi } from './api.ts'
import { profileEvents } from './events.ts'
import { createProfileExporter } from './export-profile.ts'
import { createHiddenProfiles } from './hidden-profiles.ts'
import { createMyProfiles } from './my-profiles.ts'
import { createProfileScores } from './profile-scores.ts'
import { createProfileRestorer } from './restore-profile.ts'
import { profileRoutes } from './routes.ts'
import type { OnPartFailure } from './safe-part.ts'
import { createProfileService } from './service.ts'
import { serviceDidDocument } from './service-did-document.ts'
import { createStorageQuota } from './storage-quota.ts'
import type { FollowedEvents } from './view.ts'

/** How the events of profiles can be followed, by the modules that are on. */
function followedEvents({ eventDelivery, eventTypePrefix, activeEvents }: CoreContext): FollowedEvents {
  if (eventDelivery.length === 0) return { delivery: [], types: [] }
  const types = signalTypes(activeEvents, eventTypePrefix)
  return {
    delivery: eventDelivery,
    types: types.filter(({ audience }) => audience === 'public').map((each) => each.fullType),
  }
}

/** Profiles: names, DIDs, permissions, and everything their teams edit. */
export const profiles = defineModule({
  name: 'profiles',
  events: profileEvents,
  optionalStores: ['profileNames', 'profileNumbers', 'hiddenProfiles', 'changelog'],
  scopes: ['read:profiles', 'write:profiles'],
  create(context) {
    const { read, write, clock, cache, keyring, publicUrl, nameHashes, changelogTypes, settings } = context
    const { publicAfterVerification } = settings.profiles
    const onPartFailure: OnPartFailure = (error, of) =>
      context.logger?.error({ err: error, ...of }, 'a part of a profile failed and is left out')
    const { ofProfile: trustOf, scoresOf } = createProfileScores({ read, clock, cache })
    const profiles = createProfileService({
      read,
      write,
      clock,
      cache,
      may: context.may,
      keyring,
      publicUrl,
      nameHashes,
      publicAfterVerification,
      trustOf,
      events: followedEvents(context),
      parts: context.profileParts,
      onPartFailure,
      changelogTypes,
    })
    return {
      profiles,
      myProfiles: createMyProfiles({ read, profiles, scoresOf, parts: context.profileParts, onPartFailure }),
      profileRestorer: createProfileRestorer(settings.profiles.typeData, publicUrl, publicAfterVerification),
      quota: createStorageQuota({ read, planLimits: settings.planLimits }),
      hiddenProfiles: createHiddenProfiles({
        // Only modules that need the group call it.
        write: (work) => write((tx, emit) => work(requireGroup(tx, 'hiddenProfiles'), emit)),
        clock,
        onError: (error) => context.logger?.warn({ err: error }, 'a hidden profile was not deleted; it is tried again'),
      }),
    }
  },
  public: {
    profiles: ({ profiles }): ProfilesApi =>
      pick(
        profiles,
        'find',
        'get',
        'byDid',
        'didOf',
        'nameOf',
        'urlOf',
        'roleOf',
        'requirePermission',
        'getRecord',
        'checkUsername',
        'create',
        'update',
        'delete',
      ),
  },
  routes: (app, services, { settings, serviceDid, publicUrl, keyring }) =>
    profileRoutes(app, services, {
      typeData: settings.profiles.typeData,
      serviceDidDocument: () => serviceDidDocument(serviceDid, publicUrl, keyring.publicKeys),
    }),
  workers: ({ hiddenProfiles }, { read }) => [read.hiddenProfiles && hiddenProfiles.worker],
  exportProfile: ({ profiles }) => createProfileExporter(profiles),
  eraseAccount: ({ profiles }) => ({
    async within(tx, account) {
      for (const profile of account.profiles) await profiles.reserveNames(tx, profile)
    },
  }),
})
