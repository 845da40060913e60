import { randomUUID } from 'node:crypto'
import type { Outbox } from '../../email/outbox.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Caller } from '../../model/caller.ts'
import type {
  PasskeyAssertion,
  PasskeyRegistration,
  PasskeyToolkit,
  UserVerification,
} from '../../ports/passkey-toolkit.ts'
import type { Account } from '../../ports/storage/accounts.ts'
import type { Passkey } from '../../ports/storage/passkeys.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import type { GuardedStorage } from '../../storage/guard.ts'
import { lockCaller } from '../../storage/lock-caller.ts'
import { requireGroup } from '../../storage/require-group.ts'
import { type AccountService, endSessions, type Session } from '../accounts/index.ts'
import { consumeChallenge, newChallenge } from './challenges.ts'
import { challengeOf } from './client-data.ts'
import { passkeyAddedEmail, passkeyDeletedEmail } from './emails.ts'
import {
  passkeyExists,
  passkeyLimitReached,
  passkeyNotFound,
  passkeyRefused,
  passkeyRegistrationRefused,
  passkeysDisabled,
} from './errors.ts'
import { passkeyAdded, passkeyDeleted } from './events.ts'
import { creationOptions, requestOptions, userHandleOf } from './options.ts'
import type { RelyingParty } from './relying-party.ts'

const MAX_PASSKEYS = 20
const DEFAULT_NAME = 'Passkey'

export interface PasskeyDeps extends GuardedStorage<'passkeys'> {
  readonly clock: Clock
  readonly accounts: Pick<AccountService, 'admit' | 'requirePassword'>
  readonly outbox: Pick<Outbox, 'post'>
  /** The name of the service, on devices. */
  readonly name: string
  /** Undefined when passkeys are off. */
  readonly toolkit: PasskeyToolkit | undefined
  readonly userVerification: UserVerification
  readonly relyingParty: RelyingParty
}

/** A response of a device that created a passkey. */
export interface NewPasskey {
  readonly response: PasskeyRegistration
  readonly name?: string | undefined
}

/** The proof that the owner of an account deletes a passkey. */
export type PasskeyDeletionProof = { readonly password: string } | { readonly response: PasskeyAssertion }

/** Passkeys: adding, using, renaming and deleting them. */
export function createPasskeyService(deps: PasskeyDeps) {
  const { read, write, clock, accounts, outbox, name: service, toolkit, userVerification, relyingParty } = deps

  function requireToolkit(): PasskeyToolkit {
    if (!toolkit) throw passkeysDisabled()
    return toolkit
  }

  const letterTo = ({ email, username }: Account) => ({ to: email, username, data: {} })

  const expectationOf = (challenge: string) => ({
    challenge,
    origins: relyingParty.origins,
    rpId: relyingParty.id,
    requiresUserVerification: userVerification === 'required',
  })

  /**
   * Verifies the use of a passkey. `consume` belongs into the transaction of what it permits: it consumes the challenge and
   * advances the sign count.
   */
  async function verifyAssertion(response: PasskeyAssertion) {
    const { verifyAssertion } = requireToolkit()
    const challenge = challengeOf(response.response.clientDataJSON)
    const known = await read.passkeys.getWithAccount(response.id)
    if (challenge === undefined || !known) throw passkeyRefused()
    const { passkey, account } = known
    const { userHandle } = response.response
    if (userHandle && userHandle !== userHandleOf(account.id)) throw passkeyRefused()
    const verified = await verifyAssertion(response, expectationOf(challenge), passkey)
    if (!verified) throw passkeyRefused()

    const consume = async (tx: Stores): Promise<void> => {
      await consumeChallenge(tx, 'passkey_sign_in', challenge)
      const isNew = await requireGroup(tx, 'passkeys').passkeys.use(passkey.id, { ...verified, usedAt: clock() })
      if (!isNew) throw passkeyRefused()
    }
    return { account, consume }
  }

  return {
    /**
     * Returns the options with which the browser of a caller creates a passkey. They are valid once, for five minutes.
     *
     * @throws `passkeys_disabled`, `passkey_limit_reached`
     */
    async registrationOptions({ account }: Caller) {
      const { algorithms } = requireToolkit()
      const known = await read.passkeys.listOfAccount(account.id)
      if (known.length >= MAX_PASSKEYS) throw passkeyLimitReached()
      const { challenge, token } = newChallenge(clock, 'passkey_registration', account.id)
      await write((tx) => tx.tokens.put(token, { replace: true }))
      const rp = { id: relyingParty.id, name: service }
      return creationOptions({ challenge, rp, account, known, algorithms, userVerification })
    },

    /**
     * Adds the passkey that a device created. A refused response leaves the challenge valid.
     *
     * @throws `passkey_registration_refused`, `passkey_challenge_refused`, `passkey_exists`, `passkey_limit_reached`,
     *   `passkeys_disabled`
     */
    async register(caller: Caller, { response, name = DEFAULT_NAME }: NewPasskey): Promise<Passkey> {
      const { verifyRegistration } = requireToolkit()
      const { account } = caller
      const challenge = challengeOf(response.response.clientDataJSON)
      const verified = challenge && (await verifyRegistration(response, expectationOf(challenge)))
      if (!challenge || !verified || verified.credentialId !== response.id) throw passkeyRegistrationRefused()
      const passkey: Passkey = {
        ...verified,
        id: randomUUID(),
        accountId: account.id,
        transports: response.response.transports ?? [],
        name,
        createdAt: clock(),
        lastUsedAt: null,
      }
      await write(async (tx, emit) => {
        await lockCaller(tx, caller)
        await consumeChallenge(tx, 'passkey_registration', challenge, account.id)
        const outcome = await tx.passkeys.insert(passkey, MAX_PASSKEYS)
        if (outcome === 'full') throw passkeyLimitReached()
        if (outcome === 'taken') throw passkeyExists()
        emit(passkeyAdded, { passkeyId: passkey.id }, { accountId: account.id })
      })
      outbox.post(passkeyAddedEmail, () => letterTo(account))
      return passkey
    },

    /** The passkeys of a caller, oldest first. */
    list: ({ account }: Caller): Promise<readonly Passkey[]> => read.passkeys.listOfAccount(account.id),

    /**
     * Renames a passkey of a caller.
     *
     * @throws `passkey_not_found`
     */
    async rename({ account }: Caller, id: string, name: string): Promise<Passkey> {
      const renamed = await write((tx) => tx.passkeys.rename(account.id, id, name))
      if (!renamed) throw passkeyNotFound()
      return renamed
    },

    /**
     * Deletes a passkey of a caller who proves with the password, or with a passkey, to be the owner. Ends every other
     * session, because one of them may have begun with the passkey.
     *
     * @throws `passkey_not_found`, `wrong_password`, `passkey_refused`, `passkey_challenge_refused`
     */
    async remove(caller: Caller, id: string, proof: PasskeyDeletionProof): Promise<void> {
      const { account, sessionId } = caller
      const assertion = 'response' in proof ? await verifyAssertion(proof.response) : undefined
      if (assertion && assertion.account.id !== account.id) throw passkeyRefused()
      if ('password' in proof) await accounts.requirePassword(caller, proof.password)
      await write(async (tx, emit) => {
        await lockCaller(tx, caller)
        await assertion?.consume(tx)
        if (!(await tx.passkeys.delete(account.id, id))) throw passkeyNotFound()
        await endSessions(tx, emit, account.id, 'passkey_deleted', { except: sessionId })
        emit(passkeyDeleted, { passkeyId: id }, { accountId: account.id })
      })
      outbox.post(passkeyDeletedEmail, () => letterTo(account))
    },

    /**
     * Returns the options with which any browser offers the passkeys it has for this service. They are the same for all,
     * and valid once, for five minutes.
     *
     * @throws `passkeys_disabled`
     */
    async signInOptions() {
      requireToolkit()
      const { challenge, token } = newChallenge(clock, 'passkey_sign_in', null)
      await write((tx) => tx.tokens.put(token))
      return requestOptions(challenge, relyingParty.id, userVerification)
    },

    /**
     * Signs in with a passkey, and cancels a scheduled deletion. A refused response leaves the challenge valid.
     *
     * @throws `passkey_refused`, `passkey_challenge_refused`, `account_banned`, `invalid_credentials` when the account
     *   changed meanwhile or is gone, `passkeys_disabled`
     */
    async signIn(response: PasskeyAssertion, userAgent?: string | undefined): Promise<Session> {
      const { account, consume } = await verifyAssertion(response)
      return accounts.admit(account, { userAgent }, consume)
    },
  }
}

/** The service of passkeys. */
export type PasskeyService = ReturnType<typeof createPasskeyService>
