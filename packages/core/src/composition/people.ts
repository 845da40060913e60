import { createAccountService, createHostUsers, createTakeOver } from '../modules/accounts/index.ts'
import { createAgentService, createDidResolver, didDocumentSchema } from '../modules/agents/index.ts'
import { createApiKeyService } from '../modules/api-keys/index.ts'
import { revokeHandGrants } from '../modules/gates/index.ts'
import { createOAuthService } from '../modules/oauth/index.ts'
import { createOwnProfiles, createProfileService, createStorageQuota } from '../modules/profiles/index.ts'
import { createTeamService } from '../modules/teams/index.ts'
import { createProfileScores } from '../modules/trust/index.ts'
import { createPayoutService, createSignIns, createWalletService } from '../modules/wallets/index.ts'
import type { Foundation } from './foundation.ts'

/** After how many wrong passwords for one mail address those who gave them are sent away for a while. */
const WRONG_PASSWORDS = 20

/** Who somebody is, and what profiles they have. */
export function createPeople(foundation: Foundation) {
  const { settings, read, write, clock, cache, keyring, publicUrl, logger, outbox, mailRate, counters } = foundation
  const { hooks, mailer, links, name, rails } = settings

  const takeOverAccount = createTakeOver({ clock, revokeHandGrants })
  const accounts = createAccountService({
    read,
    write,
    clock,
    keyring,
    publicUrl,
    hooks,
    name,
    hashing: settings.passwordHashing,
    adminEmails: settings.adminEmails,
    lifetimes: settings.lifetimes,
    outbox,
    links,
    mailRate,
    takeOverAccount,
    passwordSignIn: settings.identity === undefined,
    onError: foundation.report,
    guessLimit: { store: counters, failures: foundation.scaled(WRONG_PASSWORDS) },
  })
  const profiles = createProfileService({
    read,
    write,
    clock,
    cache,
    keyring,
    publicUrl,
    nameHashes: foundation.nameHashes,
    trustOf: createProfileScores({ read, clock, cache }).ofProfile,
  })
  const dids = createDidResolver({
    fetch: foundation.outbound,
    clock,
    devHosts: settings.devCallbackHosts,
    // Our own are read where they are kept, and a private one is nobody's to resolve.
    own: async (did) => {
      const profile = await profiles.byDid(did).catch(() => undefined)
      if (!profile) return undefined
      const { didDocument } = await profiles.getDidDocument(profile.type, profile.username)
      return didDocumentSchema.parse(didDocument)
    },
  })

  return {
    accounts,
    profiles,
    dids,
    ownProfiles: createOwnProfiles({ read, profiles }),
    quota: createStorageQuota({ read, tierFacts: settings.tierFacts }),
    teams: createTeamService({ read, write, clock, profiles, outbox, name, links, mailRate }),
    agents: createAgentService({ read, write, clock, dids }),
    hostUsers: createHostUsers({
      read,
      write,
      clock,
      hooks,
      mailer,
      adminEmails: settings.adminEmails,
      logger,
      takeOverAccount,
    }),
    apiKeys: createApiKeyService({ read, write, clock, profiles, onError: foundation.report }),
    oauth: createOAuthService({ read, write, clock, hooks, accounts, providers: settings.providers, publicUrl }),
    wallets: createWalletService({
      read,
      write,
      clock,
      verifier: settings.wallets,
      siteUrl: settings.frontendUrl,
    }),
    signIns: createSignIns({
      write,
      clock,
      keys: keyring.shared('sign-in-with-x'),
      verifier: settings.wallets,
    }),
    payouts: createPayoutService({ read, write, clock, cache, rails }),
  }
}

export type People = ReturnType<typeof createPeople>
