import type { Clock } from '../../../../kernel/clock.ts'
import type { Keyring } from '../../../../kernel/keyring.ts'
import { sealText, unsealText } from '../../../../kernel/sealed-text.ts'
import type { Caller } from '../../../../model/caller.ts'
import { RECENT_MS } from '../../../../model/recent-proof.ts'

const PURPOSE = 'oauth-server-host-proof'

type Person = Pick<Caller, 'account'>

const subjectOf = ({ account }: Person, id: string) => JSON.stringify([account.id, id])

/**
 * Marks of the way through the sign-in of a host, which proves its users again before they allow an app something. A mark belongs to an
 * account and a kept request, and counts for ten minutes.
 */
export function createHostProofs({ keyring, clock }: { readonly keyring: Keyring; readonly clock: Clock }) {
  return {
    /** Returns the mark for the address that the host leads back to. */
    make: (person: Person, id: string): Promise<string> =>
      sealText({ purpose: PURPOSE, of: subjectOf(person, id), text: `${clock().getTime() + RECENT_MS}` }, keyring),
    /** Until when a mark counts, in milliseconds. Undefined for one that is over, or of another account or request. */
    async read(mark: string, person: Person, id: string): Promise<number | undefined> {
      const text = await unsealText({ purpose: PURPOSE, of: subjectOf(person, id), sealed: mark }, keyring)
      const until = Number(text ?? 0)
      return until > clock().getTime() ? until : undefined
    },
  }
}

export type HostProofs = ReturnType<typeof createHostProofs>
