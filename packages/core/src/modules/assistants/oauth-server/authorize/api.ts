import type { Clock } from '../../../../kernel/clock.ts'
import { sessionRequired } from '../../../../kernel/errors.ts'
import { type Caller, isIdentifiedOutside, isLimited } from '../../../../model/caller.ts'
import type { PageLanguage } from '../../../../model/messages.ts'
import { requireRecentProof } from '../../../../model/recent-proof.ts'
import type { AccountService } from '../../../people/accounts/index.ts'
import { canSpend } from '../clients/app.ts'
import { appCannotSpend, requestExpired } from '../consent-errors.ts'
import { withinReach } from '../profile-choice.ts'
import type { DescribedScope, DescribeScopes } from '../scope-inputs-html.ts'
import { isSpending } from '../scopes.ts'
import type { ChosenLimits } from '../spending-html.ts'
import { targetOf, trustOf } from './asked-app.ts'
import type { Choice, Consent, Refusal } from './consent.ts'
import type { AnswerTarget, AppTrust } from './consent-page.ts'

/** Where a request came from. */
export interface ConsentOrigin extends PageLanguage {
  /** The address of the client, under which fetches of descriptions of apps are counted. */
  readonly address: string
  /**
   * With `auth.hostAuth`: when the person last proved to the host who they are. To allow something it must be at most ten minutes ago.
   * Default: what `authenticate` reports, else never.
   */
  readonly provedAt?: Date | undefined
}

/** An authorization request for a consent page of the host. */
export type ConsentRequest =
  | {
      readonly kind: 'ask'
      /** Pass it to `approve` or `deny`. It holds for this caller, for ten minutes. */
      readonly request: string
      readonly app: {
        readonly clientId: string
        /** A claim of the app, unless `trust` is `configured`. */
        readonly name: string
        /** The host of its `client_id`, in ASCII. */
        readonly host: string | undefined
        /** How far a person can know which app it is. Show it: a name alone proves nothing. */
        readonly trust: AppTrust
      }
      readonly answer: AnswerTarget
      readonly scopes: readonly DescribedScope[]
      /** Whether it may get scopes that spend. */
      readonly maySpend: boolean
      readonly profiles: readonly { readonly id: number; readonly name: string }[]
      /** The most that it may spend. */
      readonly limits: ChosenLimits
    }
  /** Send the browser to this address of the app: the request was refused, and the address states why. */
  | { readonly kind: 'redirect'; readonly to: string }
  /** Show the reason. Nothing is sent to the app. */
  | { readonly kind: 'refused'; readonly reason: Refusal; readonly message: string }

/** The methods of `app.eep.oauthServer` for hosts with their own consent page. */
export interface ConsentApi {
  /**
   * Reads an authorization request of a signed-in account.
   *
   * @param query - the query of the request as the browser sent it, without a question mark
   * @throws `session_required` for API keys and app tokens
   */
  readRequest(query: string, caller: Caller, from: ConsentOrigin): Promise<ConsentRequest>
  /**
   * Allows what a person chose, and returns the address to redirect the browser to (303). Without a scope it is denied.
   *
   * @param request - the text that `readRequest` returned
   * @throws `authorization_request_expired`, `app_cannot_spend`, `app_profile_not_allowed`, `recent_sign_in_required`
   */
  approve(
    request: string,
    choice: Omit<Choice, 'limits'> & { readonly limits?: ChosenLimits | undefined },
    caller: Caller,
    from: ConsentOrigin,
  ): Promise<string>
  /**
   * Denies a request, and returns the address to redirect the browser to (303).
   *
   * @throws `authorization_request_expired`
   */
  deny(request: string, caller: Caller, from: ConsentOrigin): Promise<string>
}

export interface ConsentApiDeps {
  readonly consent: Consent
  readonly accounts: Pick<AccountService, 'me'>
  readonly describe: DescribeScopes
  readonly clock: Clock
  readonly limits: ChosenLimits
}

const within = (chosen: ChosenLimits, most: ChosenLimits): ChosenLimits => ({
  purchase: Math.min(chosen.purchase, most.purchase),
  day: Math.min(chosen.day, most.day),
  month: Math.min(chosen.month, most.month),
  credits: Math.min(chosen.credits, most.credits),
})

/** Creates what hosts with their own consent page use. The checks and the codes are those of our page. */
export function createConsentApi({ consent, accounts, describe, clock, limits }: ConsentApiDeps): ConsentApi {
  const requirePerson = (caller: Caller) => {
    if (isLimited(caller)) throw sessionRequired()
  }
  /** Of users of a host, the time that it gives counts, and none is as old as can be. */
  const requireProof = (caller: Caller, provedAt = caller.provedAt ?? new Date(0)) =>
    requireRecentProof(isIdentifiedOutside(caller) ? { ...caller, provedAt } : caller, clock())

  return {
    async readRequest(query, caller, { address, provedAt: _, ...page }) {
      requirePerson(caller)
      const read = await consent.readRequest(query, caller, address)
      if (read.kind === 'answered') return { kind: 'redirect', to: read.to }
      if (read.kind === 'refused') return { kind: 'refused', reason: read.why, message: read.error.message }
      const { app, redirectUri, request } = read
      const { profiles } = await accounts.me(caller)
      return {
        kind: 'ask',
        request: await consent.seal(read, caller),
        app: { clientId: app.clientId, name: app.name, host: app.host, trust: trustOf(app, redirectUri) },
        answer: targetOf(redirectUri),
        scopes: describe(page, request.scopes),
        maySpend: canSpend(app, redirectUri),
        profiles: withinReach(profiles).map(({ profile: { id, fullName, username } }) => ({
          id,
          name: fullName ?? username,
        })),
        limits,
      }
    },
    async approve(request, { scopes, profileId, limits: chosen = limits }, caller, { address, provedAt }) {
      requirePerson(caller)
      const { id, asked } = await consent.reopen(caller, request, address)
      if (asked.kind === 'answered') return asked.to
      if (asked.kind === 'refused') throw requestExpired()
      if (scopes.some(isSpending) && !canSpend(asked.app, asked.redirectUri)) throw appCannotSpend()
      if (scopes.length > 0) requireProof(caller, provedAt)
      return consent.approve(caller, id, asked, { scopes, profileId, limits: within(chosen, limits) })
    },
    async deny(request, caller, { address }) {
      requirePerson(caller)
      const { id, asked } = await consent.reopen(caller, request, address)
      if (asked.kind === 'answered') return asked.to
      if (asked.kind === 'refused') throw requestExpired()
      return consent.deny(caller, id, asked)
    },
  }
}
