import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import type { Caller } from '../../../model/caller.ts'
import { isProvedRecently } from '../../../model/recent-proof.ts'
import type {
  PasskeyAssertion,
  PasskeyRegistration,
  PasskeyToolkit,
  UserVerification,
} from '../../../ports/passkey-toolkit.ts'
import type { Account } from '../../../ports/storage/accounts.ts'
import type { Passkey } from '../../../ports/storage/passkeys.ts'
import type { Readers, Stores } from '../../../ports/storage/storage.ts'
import type { Outbox } from '../../../runtime/email/outbox.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { lockCaller } from '../../../runtime/storage/lock-caller.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import { type AccountService, endSessions, type Session } from '../accounts/index.ts'
import { creationOptions, requestOptions, userHandleOf } from './ceremony-options.ts'
import { consumeChallenge, newChallenge } from './challenges.ts'
import { challengeOf } from './client-data.ts'
import { passkeyAddedEmail, passkeyDeletedEmail } from './emails.ts'
import {
  passkeyConfirmationRequired,
  passkeyExists,
  passkeyLimitReached,
  passkeyNotFound,
  passkeyRefused,
  passkeyRegistrationRefused,
} from './errors.ts'
import { passkeyAdded, passkeyDeleted } from './events.ts'
import { acceptsPagesOf, type RelyingParty } from './relying-party.ts'

const MAX_PASSKEYS = 20
const DEFAULT_NAME = 'Passkey'

export interface PasskeyDeps extends GuardedStorage<'passkeys'> {
  readonly clock: Clock
  readonly accounts: Pick<AccountService, 'admit' | 'prove' | 'requirePassword'>
  readonly outbox: Pick<Outbox, 'post'>
  /** The name of the service, on devices. */
  readonly name: string
  /** Undefined when passkeys are off. */
  readonly toolkit: PasskeyToolkit
  readonly userVerification: UserVerification
  readonly relyingParty: RelyingParty
  readonly publicUrl: string
}

/** A response of a device that created a passkey. */
export interface NewPasskey {
  readonly response: PasskeyRegistration
  readonly name?: string | undefined
}

/** The proof that the owner of an account, and not a stolen session, changes its passkeys. */
export type PasskeyOwnerProof =
  | {
      readonly password: string
      /** The address of the client. Wrong passwords are only counted if it is given. */
      readonly from?: string | undefined
    }
  | { readonly response: PasskeyAssertion }

/** Passkeys: adding, using, renaming and deleting them. */
export function createPasskeyService(deps: PasskeyDeps) {
  const {
    read,
    write,
    clock,
    accounts,
    outbox,
    name: service,
    toolkit,
    userVerification,
    relyingParty,
    publicUrl,
  } = deps

  const letterTo = ({ email, username, language }: Account) => ({ to: email, username, language, data: {} })

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
    const { verifyAssertion } = toolkit
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

  /**
   * Checks a proof of the owner. The returned function belongs into the transaction of what it permits.
   *
   * @throws `wrong_password`, `too_many_wrong_passwords`, `passkey_refused`
   */
  async function checkProof(caller: Caller, proof: PasskeyOwnerProof): Promise<(tx: Stores) => Promise<void>> {
    if ('password' in proof) {
      await accounts.requirePassword(caller, proof.password, proof.from)
      return async () => undefined
    }
    const { account, consume } = await verifyAssertion(proof.response)
    if (account.id !== caller.account.id) throw passkeyRefused()
    return consume
  }

  /** Without a password there is nothing to send but a passkey, so a recent sign-in counts, at a provider for example. */
  async function requireRecentSignIn(caller: Caller): Promise<void> {
    const hasPassword = Boolean(await read.accounts.getPasswordHash(caller.account.id))
    if (hasPassword || !isProvedRecently(caller, clock())) throw passkeyConfirmationRequired()
  }

  return {
    /** Whether accounts have a password, which then confirms changes of passkeys. */
    hasPassword: async ({ account }: Caller): Promise<boolean> =>
      typeof (await read.accounts.getPasswordHash(account.id)) === 'string',
    /** Whether an account has a passkey, also within a transaction. */
    hasAny: async ({ passkeys }: Pick<Readers, 'passkeys'>, accountId: string): Promise<boolean> =>
      ((await passkeys?.listOfAccount(accountId)) ?? []).length > 0,
    /** Whether pages of the service itself can add and use passkeys. */
    worksOnPages: acceptsPagesOf(relyingParty, publicUrl),
    /**
     * Returns the options with which the browser of a caller creates a passkey. They are valid once, for five minutes. A stolen
     * session must not get a way to sign in that outlives it and needs no code, so they need a proof of the owner. An account
     * without a password needs none within ten minutes of its sign-in.
     *
     * @throws `passkey_limit_reached`, `passkey_confirmation_required`, `wrong_password`,
     *   `too_many_wrong_passwords`, `passkey_refused`, `passkey_challenge_refused`
     */
    async registrationOptions(caller: Caller, proof?: PasskeyOwnerProof | undefined) {
      const { account } = caller
      const { algorithms } = toolkit
      const confirm = proof && (await checkProof(caller, proof))
      if (!confirm) await requireRecentSignIn(caller)
      const known = await read.passkeys.listOfAccount(account.id)
      if (known.length >= MAX_PASSKEYS) throw passkeyLimitReached()
      const { challenge, token } = newChallenge(clock, 'passkey_registration', account.id)
      await write(async (tx) => {
        await confirm?.(tx)
        await tx.tokens.put(token)
      })
      const rp = { id: relyingParty.id, name: service }
      return creationOptions({ challenge, rp, account, known, algorithms, userVerification })
    },

    /**
     * Adds the passkey that a device created. A refused response leaves the challenge valid.
     *
     * @throws `passkey_registration_refused`, `passkey_challenge_refused`, `passkey_exists`, `passkey_limit_reached`
     */
    async register(caller: Caller, { response, name = DEFAULT_NAME }: NewPasskey): Promise<Passkey> {
      const { verifyRegistration } = toolkit
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
     * @throws `passkey_not_found`, `wrong_password`, `too_many_wrong_passwords`, `passkey_refused`, `passkey_challenge_refused`
     */
    async remove(caller: Caller, id: string, proof: PasskeyOwnerProof): Promise<void> {
      const { account, sessionId } = caller
      const confirm = await checkProof(caller, proof)
      await write(async (tx, emit) => {
        await lockCaller(tx, caller)
        await confirm(tx)
        if (!(await tx.passkeys.delete(account.id, id))) throw passkeyNotFound()
        await endSessions(tx, emit, account.id, 'passkey_deleted', { except: sessionId })
        emit(passkeyDeleted, { passkeyId: id }, { accountId: account.id })
      })
      outbox.post(passkeyDeletedEmail, () => letterTo(account))
    },

    /**
     * Deletes all passkeys of a caller with the same proof, and ends every other session. Returns how many there were.
     *
     * @throws `wrong_password`, `too_many_wrong_passwords`, `passkey_refused`, `passkey_challenge_refused`
     */
    async removeAll(caller: Caller, proof: PasskeyOwnerProof): Promise<number> {
      const { account, sessionId } = caller
      const confirm = await checkProof(caller, proof)
      const deleted = await write(async (tx, emit) => {
        await lockCaller(tx, caller)
        await confirm(tx)
        const known = await tx.passkeys.listOfAccount(account.id)
        await tx.passkeys.deleteOfAccount(account.id)
        await endSessions(tx, emit, account.id, 'passkey_deleted', { except: sessionId })
        for (const { id } of known) emit(passkeyDeleted, { passkeyId: id }, { accountId: account.id })
        return known.length
      })
      if (deleted > 0) outbox.post(passkeyDeletedEmail, () => letterTo(account))
      return deleted
    },

    /**
     * Proves with a passkey of a caller, in the session, that the person owns the account. Returns until when that counts as recent.
     *
     * @throws `passkey_refused`, `passkey_challenge_refused`
     */
    async prove(caller: Caller, response: PasskeyAssertion): Promise<Date> {
      return accounts.prove(caller, await checkProof(caller, { response }))
    },

    /**
     * Returns the options with which any browser offers the passkeys it has for this service. They are the same for all,
     * and valid once, for five minutes.
     */
    async signInOptions() {
      const { challenge, token } = newChallenge(clock, 'passkey_sign_in', null)
      await write((tx) => tx.tokens.put(token))
      return requestOptions(challenge, relyingParty.id, userVerification)
    },

    /**
     * Signs in with a passkey, and cancels a scheduled deletion. A refused response leaves the challenge valid.
     *
     * @throws `passkey_refused`, `passkey_challenge_refused`, `account_banned`, `invalid_credentials` when the account
     *   changed meanwhile or is gone
     */
    async signIn(response: PasskeyAssertion, userAgent?: string | undefined): Promise<Session> {
      const { account, consume } = await verifyAssertion(response)
      return accounts.admit(account, { userAgent }, consume)
    },
  }
}

/** The service of passkeys. */
export type PasskeyService = ReturnType<typeof createPasskeyService>
