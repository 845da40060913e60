import { sha256 } from '../../../kernel/digest.ts'
import type { Caller } from '../../../model/caller.ts'
import type { Identity } from '../../../ports/storage/oauth.ts'
import type { Outbox } from '../../../runtime/email/outbox.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { lockCaller } from '../../../runtime/storage/lock-caller.ts'
import { endSessions } from '../accounts/index.ts'
import type { PasskeyService } from '../passkeys/index.ts'
import { providerUnlinkedEmail } from './emails.ts'
import { identityNotFound, lastWayToSignIn } from './errors.ts'
import { identityUnlinked } from './events.ts'
import { hasOwnSignIn } from './own-sign-in.ts'
import { providerLabel } from './provider-label.ts'

/** A linked provider as the account sees it. */
export interface LinkedProvider extends Pick<Identity, 'provider' | 'email' | 'createdAt'> {
  /** 32 hexadecimal digits. */
  readonly id: string
  /** The name of the provider for people. */
  readonly label: string
  /** Whether the account can sign in with it: false when the service no longer offers the provider. */
  readonly isOffered: boolean
  /** Whether it can be unlinked: the account has another way to sign in. */
  readonly isRemovable: boolean
}

export interface IdentityDeps extends GuardedStorage<'identities'> {
  readonly outbox: Pick<Outbox, 'post'>
  /** The names of the providers that the service offers. */
  readonly offered: ReadonlySet<string>
  /** Undefined where accounts cannot sign in with passkeys. */
  readonly passkeys: Pick<PasskeyService, 'hasAny'> | undefined
}

const idOf = ({ provider, subject }: Identity): string => sha256(`${provider}\n${subject}`).slice(0, 32)

/** Lists and removes the providers that an account is linked to. */
export function createIdentities({ read, write, outbox, offered, passkeys }: IdentityDeps) {
  /** Whether an account can sign in with another of its providers. */
  const hasOther = (identities: readonly Identity[], removed: Identity): boolean =>
    identities.some((each) => each !== removed && offered.has(each.provider))

  /** The providers of an account. Users of a host's own sign-in are not linked by the account. */
  const linked = (identities: readonly Identity[]) => identities.filter(({ provider }) => provider !== 'host')

  return {
    async list({ account: { id } }: Caller): Promise<readonly LinkedProvider[]> {
      const identities = linked(await read.identities.listOfAccount(id))
      const hasOwn = await hasOwnSignIn(read, id, passkeys)
      return identities.map((identity) => ({
        id: idOf(identity),
        provider: identity.provider,
        label: providerLabel(identity.provider),
        email: identity.email,
        createdAt: identity.createdAt,
        isOffered: offered.has(identity.provider),
        isRemovable: hasOwn || hasOther(identities, identity),
      }))
    },

    /**
     * Unlinks a provider and ends every other session. Of concurrent calls the last way to sign in stays.
     *
     * @throws `identity_not_found`, `last_way_to_sign_in`
     */
    async remove(caller: Caller, id: string): Promise<void> {
      const { account, provider } = await write(async (tx, emit) => {
        // The lock makes concurrent removals wait, so each of them sees what the others left.
        const account = await lockCaller(tx, caller)
        const identities = linked(await tx.identities.listOfAccount(account.id))
        const identity = identities.find((each) => idOf(each) === id)
        if (!identity) throw identityNotFound()
        if (!hasOther(identities, identity) && !(await hasOwnSignIn(tx, account.id, passkeys))) throw lastWayToSignIn()
        await tx.identities.delete(identity)
        await endSessions(tx, emit, account.id, 'provider_unlinked', { except: caller.sessionId })
        const { provider } = identity
        emit(identityUnlinked, { accountId: account.id, provider }, { accountId: account.id })
        return { account, provider }
      })
      const { email, username, language } = account
      outbox.post(providerUnlinkedEmail, () => ({
        to: email,
        username,
        language,
        data: { provider: providerLabel(provider) },
      }))
    },
  }
}

/** The providers of accounts. */
export type Identities = ReturnType<typeof createIdentities>
