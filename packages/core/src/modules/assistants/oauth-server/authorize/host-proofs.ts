import type { Clock } from '../../../../kernel/clock.ts'
import type { Keyring } from '../../../../kernel/keyring.ts'
import { sealText, unsealText } from '../../../../kernel/sealed-text.ts'
import type { Caller } from '../../../../model/caller.ts'
import { isRecent, RECENT_MS } from '../../../../model/recent-proof.ts'

const PURPOSE = 'oauth-server-host-proof'

type Person = Pick<Caller, 'account'>

type Proved = Pick<Caller, 'account' | 'provedAt'>

const subjectOf = ({ account }: Person, id: string) => JSON.stringify([account.id, id])

/**
 * The proofs of a host, which proves its users again before they allow an app something. A host that reports when it did so is asked for
 * nothing else. Of other hosts a mark of the way through their sign-in is enough, which only shows that the browser was sent there: a mark
 * belongs to an account and a kept request, and counts for ten minutes.
 */
export function createHostProofs({ keyring, clock }: { readonly keyring: Keyring; readonly clock: Clock }) {
  /** When a mark was made, in milliseconds. Undefined for one that is over, or of another account or request. */
  async function madeAt(mark: string, person: Person, id: string | undefined): Promise<number | undefined> {
    if (id === undefined) return undefined
    const text = await unsealText({ purpose: PURPOSE, of: subjectOf(person, id), sealed: mark }, keyring)
    const until = Number(text ?? 0)
    return until > clock().getTime() ? until - RECENT_MS : undefined
  }

  /** Whether a host that reports when it proved its user did so within ten minutes. True for one that reports nothing. */
  const isReported = ({ provedAt }: Pick<Caller, 'provedAt'>): boolean =>
    provedAt === undefined || isRecent(provedAt, clock())

  return {
    isReported,
    /** Returns the mark for the address that the host leads back to. */
    make: (person: Person, id: string): Promise<string> =>
      sealText({ purpose: PURPOSE, of: subjectOf(person, id), text: `${clock().getTime() + RECENT_MS}` }, keyring),
    /**
     * Until when the proof of a user counts, in milliseconds. Undefined without one. An app that asks for a younger proof than the reported
     * one gets a proof that is younger than the mark.
     *
     * @param id - the kept request that the mark is of
     * @param maxAge - the age that the app accepts, in seconds
     */
    async provenUntil(
      mark: string,
      caller: Proved,
      {
        id,
        maxAge = Number.POSITIVE_INFINITY,
      }: { readonly id: string | undefined; readonly maxAge?: number | undefined },
    ): Promise<number | undefined> {
      const { provedAt } = caller
      const made = await madeAt(mark, caller, id)
      if (provedAt === undefined) return made === undefined ? undefined : made + RECENT_MS
      if (!isReported(caller)) return undefined
      const at = provedAt.getTime()
      const isYoung = clock().getTime() - at <= maxAge * 1_000 || (made !== undefined && at >= made)
      return isYoung ? at + RECENT_MS : undefined
    },
  }
}

export type HostProofs = ReturnType<typeof createHostProofs>
