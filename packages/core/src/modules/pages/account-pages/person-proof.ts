import type { FastifyReply, FastifyRequest } from 'fastify'
import { fieldHtml } from '../../../http/html/form-view.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { requireWithinLimit } from '../../../http/html/html-forms.ts'
import type { Site } from '../../../http/html/view.ts'
import { PROOF } from '../../../http/idempotency/send-once.ts'
import { clientOf } from '../../../http/pipeline/client-address.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Caller } from '../../../model/caller.ts'
import { isProvedRecently } from '../../../model/recent-proof.ts'
import type { AccountService } from '../../people/accounts/index.ts'
import type { PasskeyService } from '../../people/passkeys/index.ts'
import { askAgainMessages, secondFactorMessages } from './messages.ts'
import { currentPasswordHtml } from './sign-in.pages.ts'

const PASSWORD = `${PROOF}password`
const CODE = `${PROOF}code`
const MAX_CODE = 64

export interface PersonProofDeps {
  readonly accounts: Pick<AccountService, 'proveBy' | 'proofsOf'>
  /** Undefined while accounts cannot use passkeys on pages of this service. */
  readonly passkeys: Pick<PasskeyService, 'list'> | undefined
  readonly clock: Clock
}

/** How a person can prove to own the account. */
export interface OfferedProofs {
  readonly password: boolean
  readonly code: boolean
  readonly passkey: boolean
}

type Texts = Readonly<Record<string, string | readonly string[]>>

interface ProofOfForm {
  readonly caller: Caller
  readonly texts: Texts
  readonly isCounted?: boolean | undefined
}

function textIn(texts: Texts, name: string): string | undefined {
  const value = Object.hasOwn(texts, name) ? texts[name] : undefined
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Writes the inputs for a password and a code, as far as the account has them. */
export function proofInputsHtml(
  site: Site,
  { password, code }: OfferedProofs,
  { isRequired = true }: { readonly isRequired?: boolean | undefined } = {},
): Html {
  const sayCode = secondFactorMessages(site)
  const codeField = {
    name: CODE,
    label: password ? askAgainMessages(site)('or') : sayCode('code'),
    autocomplete: 'one-time-code',
    maxLength: MAX_CODE,
    hint: sayCode('codeHint'),
    isExact: true,
    isRequired: isRequired && !password,
  }
  return html`${password && currentPasswordHtml(site, { name: PASSWORD, isRequired: isRequired && !code })}${code && fieldHtml(codeField)}`
}

/** Creates what checks the proofs that forms bring. */
export function createPersonProof({ accounts, passkeys, clock }: PersonProofDeps) {
  return {
    isRecent: (caller: Caller): boolean => isProvedRecently(caller, clock()),
    /** Returns how a caller can prove to own the account. */
    async offered(caller: Caller): Promise<OfferedProofs> {
      const [{ password, code }, listed = []] = await Promise.all([accounts.proofsOf(caller), passkeys?.list(caller)])
      return { password, code, passkey: listed.length > 0 }
    },
    /**
     * Checks the proof that a form brings. Returns the caller with the proof; undefined when the form brings none.
     *
     * @param isCounted - whether the route counts in the rate group `auth` already. Default: a form with a proof is counted in it
     * @throws `rate_limited`; `wrong_password`, `wrong_second_factor` and the other errors of `proveBy`
     */
    async prove(
      request: FastifyRequest,
      reply: FastifyReply,
      { caller, texts, isCounted = false }: ProofOfForm,
    ): Promise<Caller | undefined> {
      const code = textIn(texts, CODE)?.slice(0, MAX_CODE)
      const password = code === undefined ? textIn(texts, PASSWORD) : undefined
      const hasProof = code !== undefined || password !== undefined
      if (hasProof && !isCounted) await request.eep.countIn?.(reply, 'auth')
      requireWithinLimit(request)
      if (!hasProof) return undefined
      await accounts.proveBy(caller, { code, password, from: clientOf(request) })
      return { ...caller, provedAt: clock() }
    },
  }
}

export type PersonProof = ReturnType<typeof createPersonProof>
