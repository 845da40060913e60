import { defineModule } from '../../../framework/module/define-module.ts'
import { pick } from '../../../kernel/pick.ts'
import { createSeal } from '../../../kernel/seal.ts'
import { hashesAtOnce } from '../../../kernel/thread-pool.ts'
import { keptOnErasure } from '../../../runtime/events/catalogue.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import type { AccountsApi, HostUsersApi } from './api.ts'
import { emailChangeEmails } from './email-change-emails.ts'
import { accountEmails } from './emails.ts'
import { accountEvents } from './events.ts'
import { createAccountExporter } from './export-account.ts'
import { createHostUsers } from './host-users.ts'
import { createPurge } from './purge.ts'
import { accountRoutes } from './routes.ts'
import { secondFactorEmails } from './second-factor-emails.ts'
import { createAccountService } from './service.ts'
import { createTakeOver } from './take-over.ts'

/** The number of wrong passwords for one email address before further attempts are refused for a while. */
const WRONG_PASSWORDS = 20

/** Accounts: registration, sign-in, sessions, verification, passwords and deletion. */
export const accounts = defineModule({
  name: 'accounts',
  events: accountEvents,
  emails: [...accountEmails, ...emailChangeEmails, ...secondFactorEmails],
  requires: [profiles],
  optionalStores: ['secondFactors', 'passkeys'],
  create(context) {
    const { settings, read, write, clock, keyring, publicUrl, outbox, emailRate, counters, logger, report } = context
    const { hooks, auth, frontendUrls } = settings
    const { publicAfterVerification } = settings.profiles
    const { adminEmails } = auth
    const { mailer } = settings.email
    const { concurrency } = auth.passwordHashing
    const hashes = hashesAtOnce(concurrency)
    if (hashes < concurrency) {
      logger?.warn(
        { concurrency, hashes },
        'auth.passwordHashing.concurrency is reduced to two fewer than the threads of libuv; raise UV_THREADPOOL_SIZE for more',
      )
    }
    const takeOverAccount = createTakeOver({ clock, takeOvers: context.takeOvers })
    if (settings.auth.hostAuth && !read.identities)
      throw new TypeError('The option auth.hostAuth requires a storage with the group "identities"')
    if (publicAfterVerification && !mailer && !auth.hostAuth && context.identityProviders.length === 0)
      throw new TypeError(
        'The option profiles.publicAfterVerification requires email.mailer, the feature `oauth` or auth.hostAuth: without them, no address can be verified',
      )
    return {
      accounts: createAccountService({
        read,
        write,
        clock,
        keyring,
        publicUrl,
        hooks,
        hashing: auth.passwordHashing,
        adminEmails,
        expiry: auth.expiry,
        outbox,
        mailer,
        frontendUrls,
        emailRate: emailRate,
        takeOverAccount,
        endAdded: context.endAdded,
        passwordResets: context.passwordResets,
        publicAfterVerification,
        languages: settings.pages.languages,
        passwordSignIn: auth.hostAuth === undefined,
        onError: report,
        seal: createSeal(settings.secrets, 'second-factor'),
        counters,
        name: settings.name,
        loginThrottleLimit: { store: counters, failures: context.scaled(WRONG_PASSWORDS) },
      }),
      hostUsers: createHostUsers({
        read,
        write,
        clock,
        hooks,
        mailer,
        adminEmails,
        logger,
        takeOverAccount,
        passwordResets: context.passwordResets,
        publicAfterVerification,
      }),
    }
  },
  public: {
    accounts: ({ accounts }): AccountsApi =>
      pick(
        accounts,
        'register',
        'login',
        'loginWithCode',
        'authenticate',
        'listSessions',
        'logOut',
        'endSession',
        'endOtherSessions',
        'scheduleDeletion',
      ),
    hostUsers: ({ hostUsers }): HostUsersApi => pick(hostUsers, 'recover'),
  },
  authenticators: ({ accounts, hostUsers }, { settings: { auth } }) => ({
    session: accounts.authenticate,
    ...(auth.hostAuth && {
      async host(headers) {
        const user = await auth.hostAuth?.authenticate({ headers })
        return user && hostUsers.authenticate(user)
      },
    }),
  }),
  routes: (app, services, { cookies, settings }) =>
    accountRoutes(app, services, {
      cookies,
      passwords: settings.auth.hostAuth === undefined,
      languages: settings.pages.languages,
    }),
  workers: ({ hiddenProfiles }, { read, write, clock, settings, logger, ownership, catalogue, erasures }) => [
    createPurge({
      read,
      write,
      clock,
      erasures,
      ownership,
      hiddenProfiles: read.hiddenProfiles && hiddenProfiles,
      keptEvents: keptOnErasure(catalogue.definitions),
      mailer: settings.email.mailer,
      logger,
      everyMs: settings.auth.purgeIntervalMs,
    }),
  ],
  exportAccount: (_services, { read, clock }) => createAccountExporter(read, clock),
  close: ({ accounts }) => accounts.close(),
})
